"""Part 9: backup, what comes after it, and the way back; also to a machine that has nothing."""
import json
import os
import shutil
import signal
import subprocess
import time

from api import User, send, small_video
from checks import wait
from crash import fresh_stack
from invariants import at_rest, gapless
from patient import PatientUser
from programs import SERVICES


def run(checks):
    if os.environ.get("OBJECT_STORE"):
        checks.say("        SKIPPED with objects on an S3 server: mirrormate backup refuses there")
        return
    stack = fresh_stack()
    try:
        stack.up()
        Restore(checks, stack).run()
    finally:
        stack.down()


class Restore:
    def __init__(self, checks, stack):
        self.checks = checks
        self.stack = stack
        self.backup = os.path.join(stack.folder, "backup")

    def run(self):
        checks = self.checks
        kept, kept_session = self.visitor()
        erased, _ = self.visitor()
        deleting, deleted_session = self.visitor()
        before = self.facts(kept, kept_session)

        code, _, notes = self.stack.command("backup", self.backup)
        checks.expect(code == 0, "a backup is taken while everything runs", notes)
        checks.equal(os.stat(self.backup).st_mode & 0o077, 0, "it is closed to others")
        checks.equal(self.stack.command("backup", self.backup)[0], 2, "an older one is not overwritten")
        folder = self.copy_of_data()

        later, later_session = self.visitor()
        checks.equal(deleting.call("DELETE", f"/v1/sessions/{deleted_session}").status, 204, "a session is deleted")
        erased.call("DELETE", "/v1/me")
        wait("the erasure is complete", lambda: erased.call("GET", "/v1/me/erasure").json["erasure"]["complete"])

        self.put_back(folder)
        reports = self.restore()
        checks.expect(
            reports["sessions"]["undone"].get("mirrormate.sessions.SessionCreated.v1") == 1,
            "what came after the backup is told", reports["sessions"])
        checks.expect(reports["identity"]["decidedAgain"] >= 1, "the erasure is decided again", reports["identity"])
        checks.expect(reports["sessions"]["decidedAgain"] >= 1, "the deletion is decided again", reports["sessions"])
        checks.equal(self.facts(kept, kept_session), before, "reports, history and quota are those of the backup")
        gone = send(self.stack.url, "POST", "/v1/auth/sign-in", {"email": erased.email, "password": erased.password})
        checks.equal(gone.status, 401, "who was erased after the backup stays erased")
        wait("the deleted session stays deleted", lambda: deleting.call(
            "GET", f"/v1/sessions/{deleted_session}").status == 404)
        checks.expect(later.call("GET", f"/v1/sessions/{later_session}").status in (401, 404),
                      "what came after the backup is gone")
        self.sound("after the restore")

        self.stack.command("down", "--erase")
        reports = self.restore()
        checks.expect(all(one["topicIsEmpty"] for one in reports.values()), "it is told that no topics were left")
        kept.url = self.stack.url
        checks.equal(self.facts(kept, kept_session), before, "reports, history and quota are the same on a new machine")
        self.sound("on a new machine")
        self.damaged()

    def visitor(self):
        """Somebody with a report; gives them and their session."""
        patient = PatientUser(self.stack.url, time.monotonic() + 90)
        patient.begin()
        session = patient.send(small_video())
        state = patient.finish(session)
        self.checks.expect(state["status"] == "complete", "a session is complete", state)
        return patient.user, session

    def facts(self, user, session):
        """What a user has: the report, all sessions, the quota."""
        def asked():
            answers = [user.call("GET", path) for path in (f"/v1/reports/{session}", "/v1/sessions", "/v1/quota")]
            return answers if all(answer.status == 200 for answer in answers) else None
        report, sessions, quota = wait("the user's things", asked)
        return report.body, sessions.body, quota.json["used"]

    def restore(self):
        code, out, notes = self.stack.command(
            "restore", self.backup, "--yes", "--json", "--bin", self.stack.programs.folder)
        self.checks.expect(code == 0, "the backup is put back", notes)
        self.stack.up()
        reports = {one["service"]: one for one in json.loads(out)["services"]}
        self.checks.equal(list(reports), list(SERVICES), "every service's store begins a new incarnation")
        return reports

    def sound(self, when):
        self.visitor()
        self.checks.equal(at_rest(self.stack), [], f"nothing is stuck {when}")
        self.checks.equal(gapless(self.stack), [], f"the logs have neither a hole nor a repeat {when}")

        def agree():
            return "nothing is lost, doubled or late" in self.stack.command("ledger", "--late", "5")[1]
        wait("the ledger agrees", agree)
        self.checks.equal(self.stack.command("check")[0], 0, f"read models are what their logs say {when}")

    # MARK: other means

    def copy_of_data(self):
        """A copy of PostgreSQL's folder, as an operator without our command would take it."""
        self.stack.kill("postgres", signal.SIGINT)
        folder = os.path.realpath(os.path.join(self.stack.state, "postgres", "data"))
        copy = folder + ".copy"
        subprocess.run(["cp", "-a", folder, copy], check=True)
        self.stack.up()
        return folder

    def put_back(self, folder):
        self.stack.kill("postgres", signal.SIGINT)
        shutil.rmtree(folder)
        os.rename(folder + ".copy", folder)
        self.stack.up()
        reason = wait("it is noticed", lambda: self.stack.sql("select refused from sessions.head")[0]["refused"],
                      within=60)
        self.checks.expect("went back in time" in reason, "data put back by other means are noticed", reason)
        wait("identity refuses too", lambda: self.stack.sql("select refused from identity.head")[0]["refused"], within=60)
        stranger = User(self.stack.url)
        answer = send(self.stack.url, "POST", "/v1/auth/sign-up",
                      {"email": stranger.email, "password": stranger.password})
        self.checks.equal(answer.status, 503, "and nothing is accepted")

    def damaged(self):
        with open(os.path.join(self.backup, "database.dump"), "ab") as file:
            file.write(b"x")
        self.checks.equal(self.stack.command("restore", self.backup, "--yes")[0], 3, "a damaged backup is refused")
