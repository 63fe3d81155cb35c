"""What a check is: one line of output each, counted."""
import sys
import threading
import time
import traceback


class Checks:
    """Prints and counts; safe to use from several threads."""

    def __init__(self):
        self.passed = 0
        self.failures = []
        self._lock = threading.Lock()

    def expect(self, holds, what, detail=None):
        """One check. `detail` is printed only when it does not hold; a function is asked then."""
        if not holds and callable(detail):
            detail = detail()
        with self._lock:
            if holds:
                self.passed += 1
                print(f"  ok    {what}", flush=True)
            else:
                self.failures.append(what)
                print(f"  FAIL  {what}" + (f": {detail}" if detail is not None else ""), flush=True)
        return bool(holds)

    def equal(self, found, wanted, what):
        return self.expect(found == wanted, what, f"found {found!r}, wanted {wanted!r}")

    def say(self, text):
        with self._lock:
            print(text, flush=True)

    def part(self, name, body):
        """Runs a part; an exception is one failed check, and the other parts still run."""
        self.say(f"\n{name}")
        begin = time.monotonic()
        try:
            body()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a failure of this part
            self.expect(False, f"{name} runs to its end", f"{type(error).__name__}: {error}")
            traceback.print_exc(file=sys.stdout)
        self.say(f"  ({name}: {time.monotonic() - begin:.0f} s)")


class NotInTime(Exception):
    """Something that was waited for did not come."""


def wait(what, ask, within=30.0, every=0.05):
    """Asks again and again until the answer is true, and gives it.

    An error counts as "not yet": what is asked may just be starting again.
    """
    deadline = time.monotonic() + within
    last = None
    while True:
        try:
            last = ask()
            if last:
                return last
        except Exception as error:  # noqa: BLE001
            last = f"{type(error).__name__}: {error}"
        if time.monotonic() > deadline:
            raise NotInTime(f"not within {within:.0f} s: {what}; last: {str(last)[:600]}")
        time.sleep(every)
