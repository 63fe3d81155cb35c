"""Part 7: services, broker and PostgreSQL are killed at random while people use them."""
import collections
import os
import random
import threading
import time

import parallel
from api import small_video
from checks import wait
from crash import fresh_stack
from invariants import at_rest, broken, gapless
from patient import PatientUser
from stack import StackError

USERS = int(os.environ.get("CHAOS_USERS", "20"))
SECONDS = float(os.environ.get("CHAOS_SECONDS", "60"))


class Chaos:
    """`seed` decides who is killed when, what people do and in which order; not how long the machine takes."""

    def __init__(self, checks, instances):
        self.checks = checks
        self.instances = instances
        self.seed = int(os.environ.get("CHAOS_SEED") or random.SystemRandom().randrange(1 << 32))
        self.random = random.Random(f"{self.seed}/{instances}")
        self.kills = collections.Counter()
        self.ups = [0, 0]
        self.outcomes = collections.Counter()
        self.clients = []
        self.problems = []
        self.lock = threading.Lock()
        self.calm = threading.Event()
        self.stack = None

    def run(self):
        self.checks.say(f"        CHAOS_SEED={self.seed}, {self.instances} of each service, {USERS} users, "
                        f"{SECONDS:.0f} s of kills")
        self.stack = fresh_stack()
        try:
            self.stack.up(self.instances)
            self.checks.say(f"        Kafka: {self.stack.document['kafka']['kind']}")
            if self.instances == 2:
                parallel.devices(self.checks, self.stack)
            self.play()
            self.judge()
        finally:
            self.calm.set()
            self.stack.down()

    def play(self):
        end = time.monotonic() + SECONDS
        # What is running at the end of the kills has to come through; two minutes are far more than it takes.
        deadline = end + 120
        chances = [random.Random(f"{self.seed}/{number}") for number in range(USERS)]
        users = [threading.Thread(daemon=True, target=self.use, args=(chance, end, deadline)) for chance in chances]
        mending = threading.Thread(daemon=True, target=self.mend)
        for thread in users + [mending]:
            thread.start()
        while time.monotonic() < end:
            # The times between kills are part of the chaos, not a wait for something.
            time.sleep(self.random.uniform(0.5, 6))
            self.kill()
        self.calm.set()
        mending.join()
        wait("mirrormate up succeeds", self.rise, within=120)
        for thread in users:
            thread.join()

    def kill(self):
        """Ends somebody, sometimes several."""
        # As likely as any service, however many copies there are.
        parts = self.stack.services() + ["kafka", "postgres"] * self.instances
        for victim in dict.fromkeys(self.random.sample(parts, self.random.choice((1, 1, 1, 2, 3)))):
            if self.stack.kill(victim):
                self.kills[victim] += 1

    def rise(self):
        self.stack.up()
        return True

    def mend(self):
        """Does what an operator would: `mirrormate up`, again and again."""
        while not self.calm.is_set():
            try:
                self.stack.up()
                self.ups[0] += 1
            except StackError:
                # Somebody was killed while it was starting.
                self.ups[1] += 1
            self.calm.wait(self.random.uniform(0, 2))

    # MARK: users

    def use(self, chance, end, deadline):
        while time.monotonic() < end:
            client = PatientUser(self.stack.url, deadline)
            with self.lock:
                self.clients.append(client)
            try:
                outcome = self.visit(client, chance)
            except Exception as error:  # noqa: BLE001 - told with the check
                outcome = "problem"
                with self.lock:
                    self.problems.append(f"{client.sessions}: {type(error).__name__}: {error}"[:400])
            with self.lock:
                self.outcomes[outcome] += 1

    def visit(self, client, chance):
        wish = chance.choices(("complete", "error", "cancel"), (8, 1, 1))[0]
        client.begin()
        if wish == "cancel":
            session = client.create(small_video())["id"]
            # It may be cancelled already by a request whose answer was lost.
            client.insist("cancel", lambda: client.user.call("POST", f"/v1/sessions/{session}/cancel", {}), (200, 409))
        else:
            session = client.send(small_video(b"unreadable" if wish == "error" else b""))
        state = client.finish(session)
        expected = {"complete": "complete", "error": "error", "cancel": "cancelled"}[wish]
        if state["status"] != expected:
            raise AssertionError(f"wanted {expected}, came to {state}")
        if expected == "complete" and client.report(session)["sessionId"] != session:
            raise AssertionError("the report is another session's")
        return expected

    # MARK: afterwards

    def judge(self):
        checks = self.checks
        checks.say(f"        killed {dict(self.kills)}; up {self.ups[0]} times, in vain {self.ups[1]} times; "
                   f"sessions {dict(self.outcomes)}")
        checks.expect(sum(self.kills.values()) >= 5, "there was chaos", dict(self.kills))
        checks.equal(self.problems[:5], [], "everybody came to the end they wanted")
        checks.expect(self.outcomes["complete"] >= USERS // 2, "many sessions were completed", dict(self.outcomes))
        checks.equal([fault for client in self.clients for fault in client.faults][:5], [],
                     "nobody saw an answer 500 or progress that goes back")
        left = at_rest(self.stack, within=90)
        # Causes before their consequences.
        left.sort(key=lambda what: what.startswith(("session ", "job ", "allowance ")))
        if not checks.equal(left[:10], [], "nothing is stuck"):
            for name in self.stack.services():
                checks.say(f"{name}:\n{self.stack.last_words(name, 6)}")
        checks.equal(broken(self.stack, None)[:5], [],
                     "every session ended once, was charged or given back once, and has one report when complete")
        known = {session for client in self.clients for session in client.sessions}
        reports = {row["s"] for row in self.stack.sql("select session_id::text s from reporting.reports")}
        checks.expect(len(reports) == self.outcomes["complete"] and reports <= known,
                      "reports are as many as completed sessions", len(reports))
        checks.equal(gapless(self.stack), [], "the logs have neither a hole nor a repeat")
        wait("quota agrees with every user", lambda: not self.disagreements(), within=30)
        checks.equal(self.disagreements()[:5], [], "quota tells each user the same")

    def disagreements(self):
        rows = self.stack.sql("select owner_id::text o, used from quota.allowances")
        used = {row["o"]: row["used"] for row in rows}
        complete = {row["o"] for row in self.stack.sql(
            "select owner_id::text o from sessions.session_list where status = 'complete'")}
        return [owner for owner in used if used[owner] != (1 if owner in complete else 0)]
