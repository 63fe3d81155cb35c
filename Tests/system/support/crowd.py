"""Twenty users who submit videos while something breaks, and what must be so afterwards."""
import os
import threading
import time
import uuid

from support.api import FINAL, Refused, Unreachable, User
from support.deployed import ledger_agrees
from support.deployment import SERVICES
from support.notes import note
from support.waiting import NotInTime, wait

USERS = int(os.environ.get("COMPOSE_TEST_USERS", "20"))


class Crowd:
    """Users who each want one report, come one after another, and try again like an app does until they have it."""

    def __init__(self, deployment, count, over):
        self.deployment = deployment
        self.pause = over / count
        self.sessions = {}
        self.troubles = []
        self.latest = 0.0
        self.threads = [threading.Thread(target=self.one, args=(number,), daemon=True) for number in range(count)]

    def start(self):
        for thread in self.threads:
            thread.start()

    def join(self, within):
        deadline = time.monotonic() + within
        for thread in self.threads:
            thread.join(max(1, deadline - time.monotonic()))
        return not any(thread.is_alive() for thread in self.threads)

    def patiently(self, what, ask, within=400):
        def asked():
            answer = ask()
            return answer if answer.status < 500 and answer.status != 429 else None
        return wait(what, asked, within=within, every=1)

    def one(self, number):
        try:
            time.sleep(number * self.pause)
            begin = time.monotonic()
            user = User(self.deployment.url)
            wait("signed up", lambda: self.sign_in(user), within=300, every=1)
            key = str(uuid.uuid4())
            created = self.patiently("created", lambda: user.create(self.deployment.short, key))
            if created.status not in (201, 202):
                raise Refused("creation", created)
            identity = created.json["id"]
            self.sessions[identity] = user

            def uploaded():
                session = user.session(identity)
                if session["status"] == "awaitingUpload" and session.get("upload"):
                    if user.upload(session, self.deployment.short).status == 200:
                        user.finalize(identity)
                return user.session(identity)["status"] not in ("queued", "awaitingUpload")
            wait("uploaded", uploaded, within=400, every=1)
            wait("ended", lambda: user.session(identity)["status"] in FINAL, within=900, every=2)
            self.latest = max(self.latest, time.monotonic() - begin)
        except (NotInTime, Refused, Unreachable, KeyError, TypeError) as error:
            self.troubles.append(f"user {number}: {error}")

    def sign_in(self, user):
        if user.token:
            return True
        try:
            user.sign_up()
        except Refused as refused:
            # The answer of an earlier try was lost.
            if refused.answer.status != 409:
                raise
            user.sign_in()
        return True


def agreed(deployment, crowd):
    """Nothing is lost, doubled or charged twice."""
    assert crowd.join(900), f"every user comes to an end: {crowd.troubles}"
    note(f"the slowest of {USERS} reports took {crowd.latest:.0f} s from sign-up to end")
    assert crowd.troubles == [], "no user met more than passing trouble"
    assert len(crowd.sessions) == USERS, "every user has a session"
    statuses = {session: wait("its status", lambda u=user, s=session: u.session(s))["status"]
                for session, user in crowd.sessions.items()}
    assert list(statuses.values()) == ["complete"] * USERS, "every session was completed"
    for session, user in crowd.sessions.items():
        def exact(user=user):
            quota = user.quota()
            return (quota["used"], quota["reserved"]) == (1, 0)
        wait(f"quota of {session} is exact", exact, within=60, every=1)

    def settled():
        return all(deployment.sql(
            f"select (select cursor from {name}.relay) = (select max(position) from {name}.events)") == "t"
            for name in SERVICES)
    wait("all is published", settled, within=120, every=2)
    for name in SERVICES:
        state = deployment.sql(
            f"select (select count(*) from {name}.parked_messages), "
            f"(select count(*) from {name}.consumer_partitions where alarm is not null), "
            f"(select count(*) from {name}.events) = (select max(position) from {name}.events), "
            f"(select refused is null from {name}.head)")
        assert state == "0|0|t|t", f"{name}: nothing parked, nothing missing, no gap, not refused"
    for schema, kind, what in [
        ("sessions", "SessionCompleted", "a session ends once"), ("analysis", "JobCompleted", "a job has one outcome"),
        ("reporting", "ReportWritten", "a session has one report"),
    ]:
        often = deployment.sql(
            f"select count(*), count(distinct stream) from {schema}.events where type = '{kind}'").split("|")
        assert often[0] == often[1] and int(often[0]) >= USERS, f"{what}: {often}"
    ledger_agrees(deployment)
