"""Backup, what comes after it, and the way back; also to a machine that has nothing."""
import os
import shutil
import signal
import subprocess

import pytest

from support import object_server
from support.api import User, send, small_video
from support.invariants import at_rest, gapless
from support.patient import PatientUser
from support.programs import SERVICES
from support.stack import data_of
from support.waiting import Deadline, NotInTime, wait

pytestmark = pytest.mark.skipif(
    bool(object_server.wanted() or os.environ.get("OBJECT_STORE")),
    reason="mirrormate backup refuses where objects lie on an S3 server; run it without SYSTEM_TEST_S3")


class Backup:
    """A backup of a stack where somebody has a report."""

    def __init__(self, stack):
        self.stack = stack
        self.folder = os.path.join(stack.folder, "backup")
        self.kept, self.session = visit(stack)
        # Two more who will be gone before it is put back.
        self.erased, _ = visit(stack)
        self.deleting, self.deleted_session = visit(stack)
        self.facts = facts(stack, self.kept, self.session)
        code, _, notes = stack.command("backup", self.folder)
        assert code == 0, f"a backup is taken while everything runs: {notes}"

    def restore(self):
        """Puts it back; gives what each service said."""
        code, out, notes = self.stack.command(
            "restore", self.folder, "--yes", "--json", "--bin", self.stack.programs.folder)
        assert code == 0, notes
        self.stack.up()
        reports = {one["service"]: one for one in data_of(out)["services"]}
        assert list(reports) == list(SERVICES), "every service's store begins a new incarnation"
        return reports


@pytest.fixture
def backup(stack):
    """Shared: a test may put it back, but nothing else."""
    return stack.kept("backup", lambda: Backup(stack))


def visit(stack):
    """Somebody with a report; gives them and their session."""
    patient = PatientUser(stack.url, Deadline(360))
    patient.begin()
    session = patient.send(small_video())
    state = patient.finish(session)
    assert state["status"] == "complete", state
    return patient.user, session


def facts(stack, user, session):
    """What a user has: the report, all sessions, the quota."""
    user.url = stack.url

    def asked():
        answers = [user.call("GET", path) for path in (f"/v1/reports/{session}", "/v1/sessions", "/v1/quota")]
        return answers if all(answer.status == 200 for answer in answers) else None
    report, sessions, quota = wait("the user's things", asked)
    return report.body, sessions.body, quota.json["used"]


def is_sound(stack):
    visit(stack)
    assert at_rest(stack) == [], "nothing is stuck"
    assert gapless(stack) == [], "the logs have neither a hole nor a repeat"
    ledger_agrees(stack)
    code, out, notes = stack.command("check")
    assert code == 0, f"read models are what their logs say: {out}{notes}"


def ledger_agrees(stack):
    said = []

    def agrees():
        said[:] = stack.command("ledger", "--late", "5")
        return "nothing is lost, doubled or late" in said[1]

    try:
        wait("the ledger agrees", agrees)
    except NotInTime:
        pytest.fail("\n".join(["the ledger says:", *(said[1] + said[2]).splitlines()[:10]]))


def test_a_backup_is_closed_to_others_and_never_overwritten(stack, backup):
    assert os.stat(backup.folder).st_mode & 0o077 == 0
    assert stack.command("backup", backup.folder)[0] == 2
    other = f"{backup.folder}-2"
    code, out, notes = stack.command("backup", other, "--json")
    assert code == 0 and os.path.samefile(data_of(out)["folder"], other), out + notes
    shutil.rmtree(other)


def test_a_damaged_backup_is_refused(stack, backup, tmp_path):
    damaged = tmp_path / "damaged"
    shutil.copytree(backup.folder, damaged)
    with open(damaged / "database.dump", "ab") as file:
        file.write(b"x")
    assert stack.command("restore", str(damaged), "--yes")[0] == 3


def test_a_backup_is_put_back_on_a_machine_that_has_nothing(stack, backup):
    stack.command("down", "--erase", "--yes")
    reports = backup.restore()
    assert all(one["topicIsEmpty"] for one in reports.values()), f"it is told that no topics were left: {reports}"
    assert facts(stack, backup.kept, backup.session) == backup.facts
    is_sound(stack)


def test_data_put_back_by_other_means_are_refused_until_a_restore(new_stack):
    """And the restore decides again what was erased and deleted after the backup."""
    stack = new_stack
    stack.up()
    backup = Backup(stack)
    folder = copy_of_data(stack)

    later, later_session = visit(stack)
    assert backup.deleting.call("DELETE", f"/v1/sessions/{backup.deleted_session}").status == 204
    backup.erased.erase()
    wait("the erasure is complete", lambda: backup.erased.call("GET", "/v1/me/erasure").json["erasure"]["complete"])

    put_back(stack, folder)
    reports = backup.restore()
    undone = reports["sessions"]["undone"]
    assert undone.get("mirrormate.sessions.SessionCreated.v1") == 1, f"what came after the backup is told: {undone}"
    assert reports["identity"]["decidedAgain"] >= 1, f"the erasure is decided again: {reports['identity']}"
    assert reports["sessions"]["decidedAgain"] >= 1, f"the deletion is decided again: {reports['sessions']}"
    assert facts(stack, backup.kept, backup.session) == backup.facts
    erased = backup.erased
    gone = send(stack.url, "POST", "/v1/auth/sign-in", {"email": erased.email, "password": erased.password})
    assert gone.status == 401, "who was erased after the backup stays erased"
    wait("the deleted session stays deleted", lambda: backup.deleting.call(
        "GET", f"/v1/sessions/{backup.deleted_session}").status == 404)
    assert later.call("GET", f"/v1/sessions/{later_session}").status in (401, 404), "what came after the backup is gone"
    is_sound(stack)


def copy_of_data(stack):
    """A copy of PostgreSQL's folder, as an operator without our command would take it."""
    stack.kill("postgres", signal.SIGINT)
    folder = os.path.realpath(os.path.join(stack.state, "postgres", "data"))
    subprocess.run(["cp", "-a", folder, folder + ".copy"], check=True)
    stack.up()
    return folder


def put_back(stack, folder):
    stack.kill("postgres", signal.SIGINT)
    shutil.rmtree(folder)
    os.rename(folder + ".copy", folder)
    stack.up()
    reason = wait("it is noticed", lambda: stack.sql("select refused from sessions.head")[0]["refused"], within=60)
    assert "went back in time" in reason
    wait("identity refuses too", lambda: stack.sql("select refused from identity.head")[0]["refused"], within=60)
    stranger = User(stack.url)
    answer = send(stack.url, "POST", "/v1/auth/sign-up", {"email": stranger.email, "password": stranger.password})
    assert answer.status == 503, "nothing is accepted"
