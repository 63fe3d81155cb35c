"""Part 6: at each named crash point a process dies by kill -9; started again, all ends as if nothing had been."""
import os
import queue
import re
import signal
import threading
import time

import deaths
from api import small_video
from checks import wait
from invariants import at_rest, broken, gapless
from patient import PatientUser
from stack import HOME, Stack, StackError

# In which services each point is tried: those of the flow that come by it in different ways.
POINTS = {
    "append.before-commit": ("identity", "sessions", "quota", "analysis", "reporting"),
    "append.after-commit": ("identity", "sessions", "quota", "analysis", "reporting"),
    "consumer.before-handle": ("sessions", "quota", "analysis", "reporting"),
    "consumer.after-handle": ("sessions", "quota", "analysis", "reporting"),
    "relay.after-send": ("identity", "sessions", "quota", "analysis", "reporting"),
    "relay.after-advance": ("identity", "sessions", "quota", "analysis", "reporting"),
    "analysis.after-claim": ("analysis",),
    "analysis.after-child": ("analysis",),
    "analysis.after-document": ("analysis",),
    "analysis.after-complete-append": ("analysis",),
}
# Most of the time is waiting for the dead member of a consumer group, so several stacks run beside each other.
STACKS = int(os.environ.get("CRASH_STACKS") or (3 if os.environ.get("KAFKA_HOME") else 6))


def points_in_sources():
    """The names of all crash points in the sources."""
    found = set()
    for part in ("Shared", "Services"):
        for folder, _, names in os.walk(os.path.join(HOME, part)):
            for name in names:
                if name.endswith(".swift"):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        found |= set(re.findall(r'CrashPoint\.reached\(\s*"([^"]+)"', file.read()))
    return found


def fresh_stack():
    """A stack with a recorded media helper and short leases: a dead worker's job is taken up soon."""
    stack = Stack()
    stack.programs.use_recorded_media(True)
    stack.programs.set("analysis", JOB_LEASE="3s")
    return stack


class Case:
    """One point in one service."""

    def __init__(self, checks, stack, point, service):
        self.checks = checks
        self.stack = stack
        self.point = point
        self.service = service
        self.mark = os.path.join(stack.folder, f"reached-{service}-{point}")
        self.client = None
        self.outcome = None

    def run(self):
        times = [time.monotonic()]
        name = f"{self.point} in {self.service}"
        number = self.arm()
        times.append(time.monotonic())
        thread = threading.Thread(daemon=True, target=self.use)
        thread.start()
        try:
            wait(f"{self.point} is reached", lambda: os.path.exists(self.mark), within=60)
            how = wait("it has died", lambda: deaths.of(number), within=10)
            times.append(time.monotonic())
        finally:
            # Disarmed whatever happened, so that the next case is not disturbed.
            self.stack.programs.set(self.service, **self.settings())
            self.stack.up()
            times.append(time.monotonic())
            thread.join()
            times.append(time.monotonic())
        state, report = self.outcome if isinstance(self.outcome, tuple) else (self.outcome, None)
        fine = isinstance(state, dict) and state["status"] == "complete" and report is not None
        left = at_rest(self.stack, within=60)
        wrong = broken(self.stack, self.client.sessions) + self.client.faults if self.client else ["no client"]
        times.append(time.monotonic())
        steps = " + ".join(f"{after - before:.0f}" for before, after in zip(times, times[1:]))
        self.checks.expect(
            how == signal.SIGKILL and fine and not left and not wrong,
            f"{name}: died by kill -9, then one report, one charge, nothing stuck ({steps} s)",
            lambda: {"death": how, "outcome": str(self.outcome)[:300], "unrest": left, "broken": wrong})

    def settings(self):
        return {"JOB_LEASE": "3s"} if self.service == "analysis" else {"LIMIT_SIGN_UP": "100000/1h", "LIMIT_EMAIL_TAKEN": "100000/1h"}

    def arm(self):
        """Starts the service with the point armed, everything else as it was; gives its process's number."""
        self.stack.programs.set(
            self.service, MIRRORMATE_CRASH_AT=self.point, MIRRORMATE_CRASH_ONCE=self.mark, **self.settings())
        self.stack.kill(self.service, signal.SIGTERM)
        try:
            self.stack.up()
            return self.started()
        except StackError:
            # It may come by the point before it is ready.
            if not os.path.exists(self.mark):
                raise
            number = self.started()
        self.stack.up()
        return number

    def started(self):
        """The number of the service's process, also when it has ended."""
        with open(os.path.join(self.stack.state, "run", f"{self.service}.pid"), encoding="utf-8") as file:
            return int(file.read().split()[0])

    def use(self):
        try:
            self.client = PatientUser(self.stack.url, time.monotonic() + 120)
            self.client.begin()
            identity = self.client.send(small_video())
            self.outcome = self.client.finish(identity), self.client.report(identity)
        except Exception as error:  # noqa: BLE001 - told with the check
            self.outcome = error


def run(checks):
    found = points_in_sources()
    checks.expect(found and found == set(POINTS), "every crash point of the sources has its cases, and none is gone",
                  {"missing": sorted(found - set(POINTS)), "gone": sorted(set(POINTS) - found)})
    wanted = os.environ.get("CRASH_POINT", "")
    cases = [(point, service) for point, services in POINTS.items() for service in services
             if point in found and wanted in point]
    todo = queue.SimpleQueue()
    for case in cases:
        todo.put(case)
    workers = [threading.Thread(daemon=True, target=work, args=(checks, todo)) for _ in range(min(STACKS, len(cases)))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def work(checks, todo):
    """Works off cases on a stack of its own; a case that fails badly gets the next one a new stack."""
    stack = None
    try:
        while True:
            try:
                point, service = todo.get_nowait()
            except queue.Empty:
                break
            try:
                if stack is None:
                    stack = fresh_stack()
                    # What a service learns at its very first start would come by the points, too.
                    stack.up()
                    at_rest(stack)
                Case(checks, stack, point, service).run()
            except Exception as error:  # noqa: BLE001 - one failed check
                if Stack.is_over:
                    return
                words = stack.last_words(service) if stack else ""
                checks.expect(False, f"{point} in {service}", f"{type(error).__name__}: {error}\n{words}")
                if stack:
                    stack.down()
                stack = None
        if stack:
            checks.equal(gapless(stack), [], "and the logs have neither a hole nor a repeat")
    finally:
        if stack:
            stack.down()
