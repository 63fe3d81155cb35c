"""A process that dies at a named point: it is armed, dies, is started again, and then all must be as if nothing had been."""
import concurrent.futures
import contextlib
import os
import queue
import re
import signal
import threading
import time

from support import deaths
from support.api import small_video
from support.invariants import at_rest, broken, gapless, stray_objects
from support.patient import PatientUser
from support.places import ROOT
from support.programs import SERVICES
from support.stack import MANY_ANALYSES, MANY_PEOPLE, Stack, StackError
from support.waiting import Deadline, wait

# Copies of each service.
INSTANCES = int(os.environ.get("CRASH_INSTANCES", "1"))
# As each service is set while nothing is armed. A dead member keeps its partitions for so long that most of a test waited for it.
SETTINGS = {service: {"KAFKA_SESSION_TIMEOUT": "4s"} for service in SERVICES}
SETTINGS["identity"] |= MANY_PEOPLE
SETTINGS["sessions"] |= MANY_ANALYSES
SETTINGS["analysis"]["JOB_LEASE"] = "3s"


def points_in_sources():
    """The names of all crash points in the sources."""
    found = set()
    for part in ("Shared", "Services"):
        for folder, _, names in os.walk(os.path.join(ROOT, part)):
            for name in names:
                if name.endswith(".swift"):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        found |= set(re.findall(r'CrashPoint\.reached\(\s*"([^"]+)"', file.read()))
    return found


class Death:
    """One point in one service, on a stack that runs; afterwards it says what was seen.

    `passage` says how often the service comes by before it dies, with as many people who use the stack one after the other.
    """

    def __init__(self, stack, point, service, passage):
        self.stack = stack
        self.point = point
        self.service = service
        self.passage = passage
        self.mark = os.path.join(stack.marks, f"reached-{service}-{point}-{passage}")
        # The signal that ended it, what somebody met who used the stack meanwhile, and what was wrong afterwards.
        self.how = None
        self.clients = []
        self.outcomes = []
        self.unrest = []
        self.broken = []
        self.steps = ""

    def run(self):
        times = [time.monotonic()]
        if os.path.exists(self.mark):
            os.unlink(self.mark)
        processes = self.arm()
        times.append(time.monotonic())
        thread = threading.Thread(daemon=True, target=self.use)
        thread.start()
        try:
            wait(f"{self.point} is reached", lambda: os.path.exists(self.mark), within=60)
            self.how = wait("it has died", lambda: next(filter(None, map(deaths.of, processes)), None), within=10)
            times.append(time.monotonic())
        finally:
            # Disarmed whatever happened, so that the next one is not disturbed.
            self.stack.programs.set(self.service, **SETTINGS[self.service])
            self.stack.up()
            times.append(time.monotonic())
            thread.join()
            times.append(time.monotonic())
        self.unrest = at_rest(self.stack, within=60)
        kept = [client for client in self.clients if not client.is_erased]
        self.broken = broken(self.stack, [session for client in kept for session in client.sessions])
        self.broken += [fault for client in self.clients for fault in client.faults]
        self.broken += [left for client in self.clients if client.is_erased for left in self.left_of(client)]
        if self.point.startswith("export."):
            self.broken += stray_objects(self.stack)
        self.broken += [f"a hole or a repeat in a log: {row}" for row in gapless(self.stack)]
        times.append(time.monotonic())
        self.steps = " + ".join(f"{after - before:.0f}" for before, after in zip(times, times[1:]))
        return self

    def arm(self):
        """Starts the service with the point armed, everything else as it was; gives its processes."""
        # By some points a service comes with events of its own, of its start and of the relay's lease, before anybody's.
        own = 2 if self.point.startswith(("append.", "relay.")) else 1 if self.point.startswith("projector.") else 0
        passage = self.passage + own
        self.stack.programs.set(
            self.service, MIRRORMATE_CRASH_AT=f"{self.point}#{passage}", MIRRORMATE_CRASH_ONCE=self.mark,
            **SETTINGS[self.service])
        before = set(self.started())
        for copy in self.copies():
            self.stack.kill(copy, signal.SIGTERM)
        with self.noting() as seen:
            try:
                self.stack.up()
            except StackError:
                # It may come by the point before it is ready.
                if not os.path.exists(self.mark):
                    raise
                seen.update(self.started())
                self.stack.up()
            seen.update(self.started())
        return seen - before

    @contextlib.contextmanager
    def noting(self):
        """The service's processes while `up` runs, which itself starts anew what ends before all is there."""
        seen, over = set(), threading.Event()

        def look():
            while not over.wait(0.05):
                # A file may be missing, or about to be written.
                with contextlib.suppress(OSError, ValueError):
                    seen.update(self.started())

        thread = threading.Thread(daemon=True, target=look)
        thread.start()
        try:
            yield seen
        finally:
            over.set()
            thread.join()

    def copies(self):
        return [name for name in self.stack.services() if name.split("-")[0] == self.service]

    def started(self):
        """The service's processes, also when they have ended."""
        processes = []
        for copy in self.copies():
            with open(os.path.join(self.stack.state, "run", f"{copy}.pid"), encoding="utf-8") as file:
                number, start = file.read().split()[:2]
                processes.append((int(number), int(start)))
        return processes

    def use(self):
        """As many people as the service may come by before it dies; they erase or export themselves where that is what it dies at."""
        try:
            for number in range(self.passage + 2):
                # A start that takes long comes by once for its own events and the first person's: then others are waited for.
                if number >= self.passage and os.path.exists(self.mark):
                    break
                client = PatientUser(self.stack.url, Deadline(480))
                self.clients.append(client)
                client.begin()
                session = client.send(small_video())
                self.outcomes.append((client.finish(session), client.report(session)))
                if self.point.startswith("erasure."):
                    client.erase()
                elif self.point.startswith("export."):
                    client.export()
        except Exception as error:  # noqa: BLE001 - told with the death
            self.outcomes.append(error)

    def left_of(self, client):
        """What is left of an erased user."""
        found = [f"{service} keeps {row['n']} objects of {client.user.id}" for service in ("sessions", "analysis", "reporting")
                 for row in self.stack.sql(
                     f"select count(*) n from {service}.object_intents where not unwanted and subject = '{client.user.id}'") if row["n"]]
        for session in client.sessions:
            found += [f"the list keeps {session}" for _ in self.stack.sql(
                f"select 1 from sessions.session_list where key = '{session}'")]
            found += [f"reporting keeps {session}" for _ in self.stack.sql(
                f"select 1 from reporting.reports where session_id = '{session}'")]
        return found


class Deaths:
    """Deaths on several stacks beside each other, because most of the time is waiting; each is asked for by a test.

    One that fails badly gets the next one a new stack.
    """

    def __init__(self, cases, stacks):
        self._found = {case: concurrent.futures.Future() for case in cases}
        self._todo = queue.SimpleQueue()
        for case in cases:
            self._todo.put(case)
        self._over = threading.Event()
        self._stacks = []
        self._workers = [threading.Thread(daemon=True, target=self._work) for _ in range(min(stacks, len(cases)))]
        for worker in self._workers:
            worker.start()

    def of(self, *case):
        """The death, as soon as it has happened; an error when it did not come about."""
        return self._found[case].result()

    def end(self):
        """Stops whatever still goes on; nobody waits for it any more."""
        self._over.set()
        for stack in list(self._stacks):
            stack.down()
        for worker in self._workers:
            worker.join()

    def _work(self):
        stack = None
        try:
            while not self._over.is_set():
                try:
                    case = self._todo.get_nowait()
                except queue.Empty:
                    return
                try:
                    if stack is None:
                        stack = Stack.recorded()
                        self._stacks.append(stack)
                        for service, settings in SETTINGS.items():
                            stack.programs.set(service, **settings)
                        stack.up(INSTANCES)
                        # What a service learns at its very first start would come by the points, too.
                        at_rest(stack)
                    self._found[case].set_result(Death(stack, *case).run())
                except Exception as error:  # noqa: BLE001 - told by the test that asks
                    if self._over.is_set():
                        return
                    words = stack.last_words(case[1]) if stack else ""
                    self._found[case].set_exception(AssertionError(f"{type(error).__name__}: {error}\n{words}"))
                    if stack:
                        stack.down()
                    stack = None
        finally:
            if stack:
                stack.down()
