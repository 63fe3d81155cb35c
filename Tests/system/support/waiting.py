"""Waiting for something with a deadline, and never otherwise."""
import time

# What is waited for comes soon on a free machine. A deadline here only ends what would never come, so on a busy one it may be far
# off; how fast something comes is for `make bench`.
PATIENCE = 4


class NotInTime(AssertionError):
    """Something that was waited for did not come."""


class Deadline:
    """The time after which nobody goes on trying; it may be set anew while somebody does."""

    def __init__(self, within):
        self.set(within)

    def set(self, within):
        """`within` seconds from now."""
        self._end = time.monotonic() + within

    @property
    def is_over(self):
        return time.monotonic() > self._end


def wait(what, ask, within=30.0, every=None):
    """Asks again and again until the answer is true, and gives it; for `within` seconds of a free machine.

    An error counts as "not yet": what is asked may just be starting again. Unless `every` says how often, a question that is
    dear, such as one that starts a program, is asked less often, for what is waited for needs the processor, too.
    """
    within *= PATIENCE
    deadline = time.monotonic() + within
    last = None
    while True:
        asked = time.monotonic()
        try:
            last = ask()
            if last:
                return last
        except Exception as error:  # noqa: BLE001
            last = f"{type(error).__name__}: {error}"
        if time.monotonic() > deadline:
            raise NotInTime(f"not within {within:.0f} s: {what}; last: {str(last)[:600]}")
        time.sleep(every or min(max(0.05, 3 * (time.monotonic() - asked)), 0.5))
