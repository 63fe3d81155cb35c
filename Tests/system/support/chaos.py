"""Services, broker and PostgreSQL are killed at random while people use them."""
import collections
import random
import threading
import time

from support.api import small_video
from support.patient import PatientUser
from support.stack import StackError
from support.waiting import Deadline, wait


class Chaos:
    """`seed` decides who is killed when, what people do and in which order; not how long the machine takes."""

    def __init__(self, stack, instances, seed, users, seconds):
        self.stack = stack
        self.instances = instances
        self.seed = seed
        self.users = users
        self.seconds = seconds
        self.random = random.Random(f"{seed}/{instances}")
        self.kills = collections.Counter()
        self.ups = collections.Counter()
        self.outcomes = collections.Counter()
        self.clients = []
        self.problems = []
        self.lock = threading.Lock()
        self.calm = threading.Event()

    def play(self):
        end = time.monotonic() + self.seconds
        # Before that, only patience with everything ends it.
        deadline = Deadline(900)
        chances = [random.Random(f"{self.seed}/{number}") for number in range(self.users)]
        users = [threading.Thread(daemon=True, target=self.use, args=(chance, end, deadline)) for chance in chances]
        mending = threading.Thread(daemon=True, target=self.mend)
        for thread in users + [mending]:
            thread.start()
        try:
            while time.monotonic() < end:
                # The times between kills are part of the chaos, not a wait for something.
                time.sleep(self.random.uniform(0.5, 6))
                self.kill()
        finally:
            self.calm.set()
        mending.join()
        wait("mirrormate up succeeds", self.rise, within=300)
        # Everything runs again. What is under way has to come through now; four minutes are far more than it takes.
        deadline.set(240)
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
                self.ups["well"] += 1
            except StackError:
                # Somebody was killed while it was starting.
                self.ups["in vain"] += 1
            self.calm.wait(self.random.uniform(0, 2))

    def use(self, chance, end, deadline):
        while time.monotonic() < end:
            client = PatientUser(self.stack.url, deadline)
            with self.lock:
                self.clients.append(client)
            try:
                outcome = self.visit(client, chance)
            except Exception as error:  # noqa: BLE001 - told by the test
                outcome = "problem"
                with self.lock:
                    self.problems.append(f"{client.sessions}: {type(error).__name__}: {error}"[:400])
            with self.lock:
                self.outcomes[outcome] += 1

    def visit(self, client, chance):
        wish = chance.choices(("complete", "error", "cancel", "replace", "delete", "erase"), (8, 1, 1, 1, 2, 2))[0]
        client.begin()
        if wish == "replace":
            client.create(small_video())
        if wish == "cancel":
            session = client.create(small_video())["id"]
            # It may be cancelled already by a request whose answer was lost.
            client.insist("cancel", lambda: client.user.call("POST", f"/v1/sessions/{session}/cancel", {}), (200, 409))
        else:
            replaced = {"replaces": client.sessions[-1]} if wish == "replace" else {}
            session = client.send(small_video(b"unreadable" if wish == "error" else b""), **replaced)
        state = client.finish(session)
        expected = {"error": "error", "cancel": "cancelled"}.get(wish, "complete")
        if state["status"] != expected:
            raise AssertionError(f"wanted {expected}, came to {state}")
        if expected == "complete" and client.report(session)["sessionId"] != session:
            raise AssertionError("the report is another session's")
        if wish == "delete":
            client.delete(session)
        if wish == "erase":
            client.erase()
        return {"delete": "deleted", "erase": "erased"}.get(wish, expected)

    def deleted(self):
        return {session for client in self.clients for session in client.deleted}

    def erased(self):
        """Sessions of people who erased themselves."""
        return {session for client in self.clients if client.is_erased for session in client.sessions}

    def disagreements(self):
        """Owners whom quota tells something else than their sessions say; one whose session is deleted has used it."""
        gone = {client.user.id for client in self.clients if client.is_erased or client.deleted}
        rows = self.stack.sql("select owner_id::text o, used from quota.allowances")
        used = {row["o"]: row["used"] for row in rows}
        complete = {row["o"] for row in self.stack.sql(
            "select owner_id::text o from sessions.session_list where status = 'complete'")}
        return [owner for owner in used if owner not in gone and used[owner] != (1 if owner in complete else 0)]
