"""What breaks while twenty users submit videos, and that nothing is lost, doubled or charged twice by it."""
import contextlib
import functools
import os
import signal
import subprocess
import threading
import time
import uuid

from api import FINAL, Refused, Unreachable, User
from checks import NotInTime, wait
from deployment import SERVICES

# Smaller numbers make a quick run; in seconds but for the users.
USERS = int(os.environ.get("COMPOSE_TEST_USERS", "20"))
PAUSE = float(os.environ.get("COMPOSE_TEST_PAUSE", "30"))
AWAY = float(os.environ.get("COMPOSE_TEST_AWAY", "60"))
CUT = float(os.environ.get("COMPOSE_TEST_CUT", "10"))

CONTAINERS = SERVICES + ["gateway", "s3", "kafka", "postgres"]
# Who cannot reach whom for a while.
CUTS = [("quota", "kafka"), ("sessions", "postgres"), ("analysis", "s3"), ("gateway", "reporting")]


class Crowd:
    """Users who each want one report, come one after another, and try again like an app does until they have it."""

    def __init__(self, stack, count, over):
        self.stack = stack
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
            user = User(self.stack.url)
            wait("signed up", lambda: self.sign_in(user), within=300, every=1)
            key = str(uuid.uuid4())
            created = self.patiently("created", lambda: user.create(self.stack.short, key))
            if created.status not in (201, 202):
                raise Refused("creation", created)
            identity = created.json["id"]
            self.sessions[identity] = user

            def uploaded():
                session = user.session(identity)
                if session["status"] == "awaitingUpload" and session.get("upload"):
                    if user.upload(session, self.stack.short).status == 200:
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


@contextlib.contextmanager
def cut_off(stack, one, other):
    """Two containers that cannot reach each other, while each still reaches the rest.

    Where the engine runs on another machine or for another user, the first one is cut off from all.
    """
    def routes(what):
        for here, there in ((one, other), (other, one)):
            facts = stack.inspect(here)
            address = stack.inspect(there)["NetworkSettings"]["Networks"][f"{stack.project}_inside"]["IPAddress"]
            subprocess.run(
                ["nsenter", "-t", str(facts["State"]["Pid"]), "-n", "ip", "route", what, "blackhole", f"{address}/32"],
                check=True, capture_output=True)
    network = (f"{stack.project}_inside", stack.name(one))
    try:
        routes("add")
        mend = functools.partial(routes, "del")
    except (OSError, subprocess.CalledProcessError):
        stack.docker("network", "disconnect", *network)
        mend = functools.partial(stack.docker, "network", "connect", "--alias", one, *network)
    try:
        yield
    finally:
        mend()


def faults(checks, stack):
    crowd = Crowd(stack, USERS, over=len(CONTAINERS) * PAUSE + AWAY)
    begin = time.monotonic()
    crowd.start()
    for name in CONTAINERS:
        stack.docker("kill", stack.name(name))
        stack.docker("start", stack.name(name))
    checks.say(f"  {', '.join(CONTAINERS)} were killed and started")
    for name in CONTAINERS:
        stand_still(stack, name, PAUSE)
        checks.say(f"  {name} stood still for {PAUSE:.0f} s")
    stack.compose("stop", "kafka")
    time.sleep(AWAY)
    stack.compose("start", "kafka")
    checks.say(f"  kafka was away for {AWAY:.0f} s")
    stack.compose("restart", "postgres")
    for one, other in CUTS:
        with cut_off(stack, one, other):
            time.sleep(CUT)
        checks.say(f"  {one} and {other} were cut off from each other for {CUT:.0f} s")
    checks.say(f"  all faults took {time.monotonic() - begin:.0f} s")
    agreed(checks, stack, crowd)


def scale(checks, stack):
    seconds = stack.up("--profile", "scale")
    checks.say(f"  two instances of each service, ready in {seconds:.0f} s")
    crowd = Crowd(stack, USERS, over=USERS)
    crowd.start()
    for name in SERVICES + [f"{name}-2" for name in SERVICES]:
        time.sleep(5)
        stack.docker("kill", stack.name(name))
        stack.docker("start", stack.name(name))
    checks.say("  under load: " + stack.memory())
    agreed(checks, stack, crowd)
    for name in SERVICES[1:]:
        shared = stack.sql(
            f"select count(*) from pg_stat_activity where usename = '{name}' and application_name <> ''"
            " group by client_addr")
        checks.equal(len(shared.splitlines()), 2, f"both instances of {name} are at work")


def agreed(checks, stack, crowd):
    checks.expect(crowd.join(900), "every user came to an end", crowd.troubles)
    checks.say(f"  the slowest of {USERS} reports took {crowd.latest:.0f} s from sign-up to end")
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
    """Logs, topics, watermarks and read models agree, in the words of `mirrormate ledger`."""
    def agree():
        return "nothing is lost, doubled or late" in stack.tool("ledger", "--late", "5", ok=())
    wait("the ledger agrees", agree, within=90, every=2)
    checks.expect(True, "logs, topics, watermarks and read models agree")
