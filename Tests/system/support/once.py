"""What is fetched or made once and kept, although runs go on beside each other: one makes it, the others find it."""
import contextlib
import fcntl
import os

from support.places import ROOT


@contextlib.contextmanager
def at_a_time(name):
    """One run at a time is inside; the lock of one that was killed is free."""
    folder = os.path.join(ROOT, ".build", "once")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "w", encoding="ascii") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
