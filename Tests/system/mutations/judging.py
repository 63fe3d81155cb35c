"""Runs tests over a change and keeps what came of it."""
import collections
import contextlib
import json
import os
import pathlib
import re
import subprocess
import tempfile
import threading
import time

from support import mutants

# What a run says of a test that has failed, once the colours are taken off.
ISSUE = re.compile(r'Test (?:"(?P<title>.*?)"|(?P<function>\w+)\(.*?\)) recorded an issue')
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
RAN = re.compile(r"Test run with [1-9]")
# How long a run may take that takes no time without a change, and one at all.
LEAST, MOST = 60, 600
SLOWER = 5


class Stopped(Exception):
    """Whoever runs this wants no more."""


class NoBaseline(Exception):
    """A part of the tests fails without a change, so it can notice none."""


Said = collections.namedtuple("Said", "passed text test seconds")
# What a part came to: whether all passed, what was said of the first that failed, its name, and how long it took.


def literal(words):
    """Words in a regular expression of Swift."""
    return re.sub(r"([][(){}.*+?|^$\\])", r"\\\1", words)


class Program:
    """The test program of the copy."""

    def __init__(self, path, folder, environment=None):
        self.path = path
        self.folder = folder
        self.environment = environment or (lambda part: {})
        self.running = set()
        self.stopped = threading.Event()

    def run(self, part, change=None, test=None, seconds=MOST):
        """Runs a part of the tests, or one test of it, until the first of them fails.

        A change that makes tests wait for ever is noticed too, after so many seconds.
        """
        target, _, words = part.partition("/")
        words = test or words
        pattern = rf"^{target}\..*{literal(words)}" if words else rf"^{target}\."
        env = {**os.environ, "TESTS_STRESS": "1", **self.environment(part), **(mutants.environment(change) if change else {})}
        start = time.monotonic()
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(
                [self.path, "--testing-library", "swift-testing",
                 # As in Tests/run: more services at a time keep each other waiting.
                 "--experimental-maximum-parallelization-width", "4", "--filter", pattern],
                cwd=self.folder, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, env=env)
            self.running.add(process)
            try:
                lines, ended = self._watch(process, output, start + seconds)
            finally:
                self.running.discard(process)
                if process.poll() is None:
                    process.kill()
                    process.wait()
        took = time.monotonic() - start
        for line in lines:
            if issue := ISSUE.search(line):
                return Said(False, line.strip(), issue["title"] or issue["function"], took)
        if not ended:
            return Said(False, f"{part} did not end within {seconds:.0f} s", None, took)
        if process.returncode != 0:
            last = next((line.strip() for line in reversed(lines) if line.strip()), "")
            return Said(False, f"{part} ended with {process.returncode}: {last}", None, took)
        if not any(map(RAN.search, lines)):
            return None
        return Said(True, "", None, took)

    def _watch(self, process, output, end):
        """The last lines up to the first failure or the end, and whether it came to either."""
        lines, rest, place = collections.deque(maxlen=1000), b"", 0
        while True:
            if self.stopped.is_set():
                raise Stopped
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=0.1)
            over = process.returncode is not None
            # At a place of its own: the program's is the end.
            more = os.pread(output.fileno(), 1 << 20, place)
            place += len(more)
            *whole, rest = (rest + more).split(b"\n")
            if over and not more:
                whole.append(rest)
            for line in whole:
                lines.append(COLOURS.sub("", line.decode(errors="replace")))
                if ISSUE.search(lines[-1]):
                    return lines, True
            if over and not more:
                return lines, True
            if time.monotonic() > end:
                return lines, False

    def stop(self):
        self.stopped.set()
        for process in list(self.running):
            process.kill()


class Results:
    """What changes came to. What was judged under another key says only which test to ask first."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.lock = threading.Lock()
        try:
            self.known = json.loads(self.path.read_text())
        except (OSError, ValueError):
            self.known = {}
        # As earlier versions of this file had it.
        if "of" in self.known:
            self.known = {}

    def get(self, name, key):
        """What was noted under the same key."""
        found = self.known.get(name)
        return found if found and found["of"] == key else None

    def hint(self, name):
        """The test that noticed the change last, with its part."""
        found = self.known.get(name) or {}
        return (found["by"], found["test"]) if found.get("by") and found.get("test") else None

    def note(self, name, key, result):
        with self.lock:
            self.known[name] = {"of": key, **result}
            self.path.parent.mkdir(parents=True, exist_ok=True)
            fresh = self.path.with_suffix(".new")
            fresh.write_text(json.dumps(self.known, indent=1, ensure_ascii=False))
            fresh.replace(self.path)


class Judge:
    """Decides what notices a change; several may be judged at a time.

    A failure counts when it comes twice: with the change now and when it was last judged, or now and now again. One that does not come
    back may be another load's, so the whole part is run once more, and that run decides.
    """

    def __init__(self, program, keys, results):
        self.program = program
        self.keys = keys
        self.results = results
        self.locks = collections.defaultdict(threading.Lock)
        self.failing = {}

    def baseline(self, part):
        """How long the part takes without a change."""
        with self.locks[part]:
            key = self.keys.of_target(part.split("/")[0])
            if found := self.results.get(f"without a change: {part}", key):
                return found["seconds"]
            if part in self.failing:
                raise NoBaseline(self.failing[part])
            for _ in range(2):
                said = self.program.run(part)
                if said is None:
                    self.failing[part] = f"There is no test {part!r}."
                    break
                if said.passed:
                    self.results.note(f"without a change: {part}", key, {"seconds": round(said.seconds, 1)})
                    return said.seconds
                self.failing[part] = f"Without a change {part} should pass, and does not: {said.text}"
            raise NoBaseline(self.failing[part])

    def judge(self, change):
        """What notices a change, noted."""
        name, *_, by = change
        start = time.monotonic()
        for part, test in self._asked(name, by):
            said = self._caught(change, part, test)
            if said:
                return self._note(change, start, {"by": part, "said": said.text, "test": said.test or test})
        return self._note(change, start, {"by": None, "said": "", "test": None})

    def _asked(self, name, by):
        hint = self.results.hint(name)
        return ([hint] if hint and hint[0] in by else []) + [(part, None) for part in by]

    def _caught(self, change, part, test):
        """What was said of the change by the part or by one test of it; None if that passes or is not there."""
        seconds = min(MOST, LEAST + SLOWER * self.baseline(part))
        said = self.program.run(part, change, test, seconds)
        if said is None:
            if test:
                return None
            raise NoBaseline(f"There is no test {part!r}.")
        if said.passed:
            return None
        # It failed before, too, or did not end in many times its time.
        if test or not said.test and said.seconds >= seconds:
            return said
        if said.test:
            again = self.program.run(part, change, said.test, seconds)
            if again and not again.passed:
                return said
        again = self.program.run(part, change, None, seconds)
        return None if again is None or again.passed else again

    def _note(self, change, start, result):
        result["seconds"] = round(time.monotonic() - start)
        self.results.note(change[0], self.keys.of_change(change), result)
        return result
