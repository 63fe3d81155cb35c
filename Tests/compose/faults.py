"""What breaks while twenty users submit videos, and that nothing is lost, doubled or charged twice by it."""
import itertools
import os
import signal
import threading
import time
import uuid

from api import FINAL, Refused, Unreachable, User
from checks import NotInTime, wait
from deployment import SERVICES

USERS = int(os.environ.get("COMPOSE_TEST_USERS", "20"))
PAUSE = float(os.environ.get("COMPOSE_TEST_PAUSE", "30"))
AWAY = float(os.environ.get("COMPOSE_TEST_AWAY", "60"))


class Crowd:
    """Users who each want one report, and try again like an app does until they have it."""

    def __init__(self, stack, count):
        self.stack = stack
        self.sessions = {}
        self.troubles = []
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
            time.sleep(number)
            user = User(self.stack.url)
            wait("signed up", lambda: self.sign_in(user), within=300, every=1)
            key = str(uuid.uuid4())
            created = self.patiently("created", lambda: user.create(self.stack.demo, key))
            if created.status not in (201, 202):
                raise Refused("creation", created)
            identity = created.json["id"]
            self.sessions[identity] = user

            def uploaded():
                session = user.session(identity)
                if session["status"] == "awaitingUpload" and session.get("upload"):
                    if user.upload(session, self.stack.demo).status == 200:
                        user.finalize(identity)
                return user.session(identity)["status"] not in ("queued", "awaitingUpload")
            wait("uploaded", uploaded, within=400, every=1)
            wait("ended", lambda: user.session(identity)["status"] in FINAL, within=900, every=2)
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


def stand_still(stack, name, seconds):
    """Pauses a container; where the engine cannot, each of its processes is stopped from outside."""
    container = stack.name(name)
    if "unable" not in stack.docker("pause", container, ok=()):
        time.sleep(seconds)
        stack.docker("unpause", container)
        return
    processes = [int(line) for line in stack.docker("top", container, "-eo", "pid").split()[1:]]
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    time.sleep(seconds)
    for process in processes:
        try:
            os.kill(process, signal.SIGCONT)
        except ProcessLookupError:
            pass


def faults(checks, stack):
    crowd = Crowd(stack, USERS)
    crowd.start()
    engines = ["kafka", "postgres"]
    for name in SERVICES + ["gateway"] + engines:
        stack.docker("kill", stack.name(name))
        stack.docker("start", stack.name(name))
        checks.say(f"  {name} was killed and started")
    for name in SERVICES + ["gateway"] + engines:
        stand_still(stack, name, PAUSE)
        checks.say(f"  {name} stood still for {PAUSE:.0f} s")
    stack.compose("stop", "kafka")
    time.sleep(AWAY)
    stack.compose("start", "kafka")
    stack.compose("restart", "postgres")
    network = f"{stack.project}_inside"
    for name in ("quota", "postgres", "kafka"):
        stack.docker("network", "disconnect", network, stack.name(name))
        time.sleep(10)
        stack.docker("network", "connect", "--alias", name, network, stack.name(name))
        checks.say(f"  {name} was cut off for 10 s")
    agreed(checks, stack, crowd)


def scale(checks, stack):
    seconds = stack.up("--profile", "scale")
    checks.say(f"  two instances of each service, ready in {seconds:.0f} s")
    crowd = Crowd(stack, USERS)
    crowd.start()
    for name in itertools.chain(SERVICES, (f"{name}-2" for name in SERVICES)):
        time.sleep(5)
        stack.docker("kill", stack.name(name))
        stack.docker("start", stack.name(name))
    agreed(checks, stack, crowd)
    workers = stack.sql("select count(distinct data->>'worker') from analysis.events where type = 'AttemptStarted'")
    checks.say(f"  {workers} lives of workers took jobs")


def agreed(checks, stack, crowd):
    checks.expect(crowd.join(1500), "every user came to an end", crowd.troubles)
    checks.equal(crowd.troubles, [], "no user met more than passing trouble")
    checks.equal(len(crowd.sessions), USERS, "every user has a session")
    completed = 0
    for identity, user in crowd.sessions.items():
        status = wait("its status", lambda u=user, i=identity: u.session(i))["status"]
        completed += status == "complete"

        def exact(user=user, status=status):
            quota = user.quota()
            return (quota["used"], quota["reserved"]) == (1 if status == "complete" else 0, 0)
        try:
            wait("exact quota", exact, within=60, every=1)
        except NotInTime as error:
            checks.expect(False, f"quota of {identity} ({status}) is exact", error)
    checks.equal(completed, USERS, "every session was completed")

    def settled():
        return all(stack.sql(
            f"select (select cursor from {name}.relay) = (select max(position) from {name}.events)") == "t"
            for name in SERVICES)
    wait("all is published", settled, within=120, every=2)
    for name in SERVICES:
        state = stack.sql(
            f"select (select count(*) from {name}.parked_messages), "
            f"(select count(*) from {name}.consumer_partitions where alarm is not null), "
            f"(select count(*) from {name}.events) = (select max(position) from {name}.events), "
            f"(select refused is null from {name}.head)")
        checks.equal(state, "0|0|t|t", f"{name}: nothing parked, nothing missing, no gap, not refused")
    for schema, kind, what in [
        ("sessions", "SessionCompleted", "a session ends once"), ("analysis", "JobCompleted", "a job has one outcome"),
        ("reporting", "ReportReady", "a session has one report"),
    ]:
        twice = stack.sql(
            f"select count(*) from (select stream from {schema}.events where type = '{kind}' group by 1"
            " having count(*) > 1) d")
        checks.equal(twice, "0", what)
    ledger(checks, stack)


def ledger(checks, stack):
    """What was published of each service has been seen by everyone who reads it."""
    sources = {"identity": ["sessions", "quota", "analysis", "reporting"], "sessions": ["quota", "analysis", "reporting"],
               "quota": ["sessions"], "analysis": ["sessions", "reporting"], "reporting": ["sessions"]}
    for source, readers in sources.items():
        for reader in readers:
            def behind(source=source, reader=reader):
                return stack.sql(
                    f"select count(*) from {source}.relay_partitions r left join {reader}.consumer_partitions c"
                    f" on c.topic = 'mirrormate.{source}.v1' and c.partition = r.partition"
                    " where r.last_position > coalesce(c.seen, 0)") == "0"
            wait(f"{reader} has seen all of {source}", behind, within=60, every=2)
            checks.expect(True, f"{reader} has seen all that {source} published")
