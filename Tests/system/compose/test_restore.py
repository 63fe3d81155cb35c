"""Backup, what came after it, and the way back."""
import json
import os
import shutil

import pytest

from support.api import User, send
from support.deployed import doctor_finds_nothing, ledger_agrees, report_of, whole_way
from support.deployment import SERVICES, read
from support.notes import note
from support.waiting import wait


@pytest.fixture
def folder(deployment):
    """Where the backup goes, beside the deployment."""
    folder = f"{deployment.folder}-backup"
    yield folder
    deployment.run("rm", "-rf", folder)


@pytest.fixture
def encryption(deployment, folder, tmp_path):
    """Backups are encrypted with a key that the machine's disk has nothing of, and nobody restores one without it."""
    key = tmp_path / "key"
    key.write_text(os.urandom(32).hex())
    command = f"openssl enc -aes-256-ctr -pbkdf2 -pass file:{key}"
    deployment.environment.update(BACKUP_ENCRYPT=command, BACKUP_DECRYPT=f"{command} -d")
    yield
    del deployment.environment["BACKUP_ENCRYPT"], deployment.environment["BACKUP_DECRYPT"]


def back_up(deployment, folder):
    note(deployment.run("./mirrormate", "backup", folder).strip().splitlines()[-1])
    assert os.stat(folder).st_mode & 0o077 == 0, "the backup is closed to others"


def back(deployment, folder):
    """Restores; gives what each service said."""
    said = deployment.run("./mirrormate", "restore", folder, "--yes", within=400)
    reports = {one["service"]: one for one in (json.loads(line) for line in said.splitlines() if '"topicIsEmpty"' in line)}
    assert sorted(reports) == sorted(SERVICES), f"every service begins a new incarnation: {said}"
    return reports


def erase(user):
    wait("erased", lambda: user.erase().status in (200, 202))
    wait("the erasure is complete", lambda: user.call("GET", "/v1/me/erasure").json["erasure"]["complete"])


def test_a_restore_undoes_what_came_after_the_backup_but_no_erasure(deployment, folder):
    kept, kept_session = whole_way(deployment)
    erased, _ = whole_way(deployment)
    deleting, deleted_session = whole_way(deployment)
    before = report_of(kept, kept_session).body
    back_up(deployment, folder)

    later, later_session = whole_way(deployment)
    erase(erased)
    assert deleting.call("DELETE", f"/v1/sessions/{deleted_session}").status == 204

    is_refused_until_confirmed(deployment, folder)
    reports = back(deployment, folder)
    assert not any(one["topicIsEmpty"] for one in reports.values()), f"the topics were there: {reports}"
    undone = reports["sessions"]["undone"]
    assert undone.get("mirrormate.sessions.SessionCreated.v1", 0) >= 1, f"what came after the backup is told: {undone}"
    assert reports["identity"]["decidedAgain"] >= 1, f"the erasure is decided again: {reports['identity']}"
    assert reports["sessions"]["decidedAgain"] >= 1, f"the deletion is decided again: {reports['sessions']}"
    assert report_of(kept, kept_session).body == before, "the report of before the backup is the same"
    gone = send(deployment.url, "POST", "/v1/auth/sign-in", {"email": erased.email, "password": erased.password})
    assert gone.status == 401, "who was erased after the backup stays erased"
    wait("the deleted session stays deleted", lambda: deleting.call(
        "GET", f"/v1/sessions/{deleted_session}").status == 404)
    wait("its report too", lambda: report_of(deleting, deleted_session).status == 404)
    lost = later.call("GET", f"/v1/sessions/{later_session}")
    assert lost.status in (401, 404), f"what came after the backup is not there: {lost}"
    whole_way(deployment)
    doctor_finds_nothing(deployment)


def test_a_backup_is_put_back_on_a_machine_that_has_nothing(deployment, folder, encryption):
    kept, kept_session = whole_way(deployment)
    before = report_of(kept, kept_session).body
    back_up(deployment, folder)
    assert sorted(name for name in os.listdir(folder) if not name.endswith(".encrypted")) == ["SHA256SUMS", "facts"]
    deployment.compose("down", "-v")
    os.remove(f"{deployment.folder}/.env")
    shutil.rmtree(f"{deployment.folder}/secrets")
    reports = back(deployment, folder)
    assert all(one["topicIsEmpty"] for one in reports.values()), f"it is told that no topics were left: {reports}"
    assert report_of(kept, kept_session).body == before, "the report is the same on a new machine"
    whole_way(deployment)
    assert kept.quota()["used"] == 1, "quota was not counted twice"
    # Who was there before goes on: the topics were published again from the beginning.
    assert kept.call("DELETE", f"/v1/sessions/{kept_session}").status == 204
    wait("its report is gone too", lambda: report_of(kept, kept_session).status == 404)
    erase(kept)
    ledger_agrees(deployment)
    doctor_finds_nothing(deployment)


def is_refused_until_confirmed(deployment, folder):
    """A database put back by other means is noticed, and nothing is written to it."""
    deployment.compose("stop", *SERVICES)
    deployment.sql("\n".join(f"drop schema {name} cascade;" for name in SERVICES))
    deployment.compose(
        "exec", "-T", "postgres", "sh", "-c",
        "PGPASSWORD=$(cat /run/secrets/db-admin) pg_restore -h 127.0.0.1 -U postgres -d mirrormate --exit-on-error",
        input=read(f"{folder}/database.dump"))
    deployment.compose("start", *SERVICES)
    reason = wait("the relay notices", lambda: deployment.sql("select refused from sessions.head"), within=60)
    assert "went back in time" in reason
    wait("identity refuses too", lambda: deployment.sql("select refused from identity.head"), within=60)
    user = User(deployment.url)
    answer = send(deployment.url, "POST", "/v1/auth/sign-up", {"email": user.email, "password": user.password})
    assert answer.status == 503, f"nothing is accepted until the restore is confirmed: {answer}"
    said = deployment.doctor(ok=(4,))
    assert "confirm-restore" in said, f"the doctor says what to do: {said}"
