"""Backup, what came after it, and the way back."""
import json
import os
import shutil

from api import User, send
from checks import wait
from deployment import SERVICES
from faults import ledger
from first import report_of, whole_way


def restore(checks, stack):
    backup = f"{stack.folder}/../{os.path.basename(stack.folder)}-backup"
    kept, kept_session = whole_way(checks, stack, "before the backup")
    erased, _ = whole_way(checks, stack, "somebody who will be erased")
    deleting, deleted_session = whole_way(checks, stack, "somebody who will delete a session")
    before = report_of(kept, kept_session).body
    try:
        checks.say("  " + stack.run("./mirrormate", "backup", backup).strip().splitlines()[-1])
        checks.equal(os.stat(backup).st_mode & 0o077, 0, "the backup is closed to others")

        # After the backup.
        later, later_session = whole_way(checks, stack, "after the backup")
        wait("erased", lambda: erased.call("DELETE", "/v1/me").status in (200, 202))
        checks.equal(deleting.call("DELETE", f"/v1/sessions/{deleted_session}").status, 204, "a session is deleted")
        wait("the erasure is complete", lambda: erased.call("GET", "/v1/me/erasure").json["erasure"]["complete"])

        refused_until_confirmed(checks, stack, backup)
        reports = back(checks, stack, backup)
        checks.expect(all(not one["topicIsEmpty"] for one in reports.values()), "the topics were there", reports)
        checks.expect(
            reports["sessions"]["undone"].get("mirrormate.sessions.SessionCreated.v1", 0) >= 1,
            "what came after the backup is reported", reports["sessions"])
        checks.expect(reports["identity"]["decidedAgain"] >= 1, "the erasure is decided again", reports["identity"])
        checks.expect(reports["sessions"]["decidedAgain"] >= 1, "the deletion is decided again", reports["sessions"])
        checks.equal(report_of(kept, kept_session).body, before, "the report of before the backup is the same")
        gone = send(stack.url, "POST", "/v1/auth/sign-in", {"email": erased.email, "password": erased.password})
        checks.equal(gone.status, 401, "who was erased after the backup stays erased")
        wait("the deleted session stays deleted", lambda: deleting.call(
            "GET", f"/v1/sessions/{deleted_session}").status == 404)
        wait("its report too", lambda: report_of(deleting, deleted_session).status == 404)
        checks.expect(True, "what was deleted after the backup stays deleted, with its report")
        lost = later.call("GET", f"/v1/sessions/{later_session}")
        checks.expect(lost.status in (401, 404), "what came after the backup is not there", lost)
        whole_way(checks, stack, "after the restore")
        sound(checks, stack, "after the restore")

        # And on a machine that has nothing.
        stack.compose("down", "-v")
        os.remove(f"{stack.folder}/.env")
        shutil.rmtree(f"{stack.folder}/secrets")
        reports = back(checks, stack, backup)
        checks.expect(all(one["topicIsEmpty"] for one in reports.values()), "it is said that no topics were left")
        checks.equal(report_of(kept, kept_session).body, before, "the report is the same on a new machine")
        whole_way(checks, stack, "on a new machine")
        checks.equal(kept.quota()["used"], 1, "quota was not counted twice")
        # Who was there before goes on: the topics were published again from the beginning.
        checks.equal(kept.call("DELETE", f"/v1/sessions/{kept_session}").status, 204, "an old session is deleted")
        wait("its report is gone too", lambda: report_of(kept, kept_session).status == 404)
        kept.call("DELETE", "/v1/me")
        wait("the erasure is complete", lambda: kept.call("GET", "/v1/me/erasure").json["erasure"]["complete"])
        checks.expect(True, "an old user is erased by every service")
        ledger(checks, stack)
        sound(checks, stack, "on a new machine")
    finally:
        stack.run("rm", "-rf", backup)


def sound(checks, stack, when):
    def nothing():
        return "nothing is wrong" in stack.compose("run", "--rm", "-T", "tools", "doctor", ok=())
    wait(f"the doctor finds nothing {when}", nothing, within=60, every=2)
    checks.expect(True, f"the doctor finds nothing {when}")


def back(checks, stack, backup):
    """Restores; gives what each service said."""
    said = stack.run("./mirrormate", "restore", backup, "--yes", within=400)
    reports = [json.loads(line) for line in said.splitlines() if '"topicIsEmpty"' in line]
    by_service = {one["service"]: one for one in reports}
    checks.equal(sorted(by_service), sorted(SERVICES), "every service begins a new incarnation")
    return by_service


def refused_until_confirmed(checks, stack, backup):
    """A database put back by other means is noticed, and nothing is written to it."""
    stack.compose("stop", *SERVICES)
    stack.sql("\n".join(f"drop schema {name} cascade;" for name in SERVICES))
    stack.compose(
        "exec", "-T", "postgres", "sh", "-c",
        "PGPASSWORD=$(cat /run/secrets/db-admin) pg_restore -h 127.0.0.1 -U postgres -d mirrormate --exit-on-error",
        input=open(f"{backup}/database.dump", "rb").read())
    stack.compose("start", *SERVICES)

    def refused():
        return stack.sql("select refused from sessions.head")
    reason = wait("the relay notices", refused, within=60)
    checks.expect("went back in time" in reason, "a database put back by other means is noticed", reason)
    user = User(stack.url)
    wait("refused", lambda: stack.sql("select refused from identity.head"), within=60)
    answer = send(stack.url, "POST", "/v1/auth/sign-up", {"email": user.email, "password": user.password})
    checks.equal(answer.status, 503, "nothing is accepted until the restore is confirmed")
    found = stack.compose("run", "--rm", "-T", "tools", "doctor", ok=(4,))
    checks.expect("confirm-restore" in found, "the doctor says what to do", found)
