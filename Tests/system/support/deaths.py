"""How the processes of stacks end.

This process is made their reaper (prctl(2)): when `mirrormate up` has ended, what it started belongs to us. So a test
sees by which signal a service died, and nobody lingers as a zombie, which PostgreSQL would take for a running server.
Whatever the tests start themselves is waited for by whoever started it: it is in our session, or in `waited_for`.
"""
import contextlib
import ctypes
import os
import threading
import time

PR_SET_CHILD_SUBREAPER = 36
# As the kernel has them, which keeps fifteen characters; what a browser leaves are its helpers.
NAMES = {"identity", "sessions", "quota", "analysis", "reporting", "notifications", "postgres", "java", "nginx", "mirrormate", "mirrormate-medi",
         "recorded-media", "chromium", "chrome_crashpad", "exe"}

_ended = {}
_lock = threading.Lock()
# Numbers of command line tools that somebody waits for.
waited_for = set()


def adopt_orphans():
    """To be called once, before the first stack."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    threading.Thread(daemon=True, target=_reap).start()


def of(process):
    """How a process has ended, which is its number and when it began, in the kernel's ticks, because numbers come back: the
    signal's number, or the exit code as a negative one; None while it runs."""
    with _lock:
        return _ended.get(process)


def _reap():
    before = set()
    while True:
        # One call says when nobody has ended; whoever is never waited for has for ever.
        dead = set(_dead_children()) if _somebody_has_ended() else set()
        # One that has just been started and ended at once may not stand in `waited_for` yet.
        dead, before = dead & before, dead
        for process in dead:
            number = process[0]
            if number in waited_for:
                continue
            try:
                done, status = os.waitpid(number, os.WNOHANG)
            except ChildProcessError:
                continue
            if done:
                with _lock:
                    _ended[process] = os.WTERMSIG(status) if os.WIFSIGNALED(status) else -os.WEXITSTATUS(status)
        time.sleep(0.02)


def _somebody_has_ended():
    """Whether a child has ended, whoever waits for it; it stays to be waited for."""
    try:
        return os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return False


def _dead_children():
    own, session = str(os.getpid()), str(os.getsid(0))
    for entry in _children():
        try:
            with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as file:
                head, _, rest = file.read().rpartition(")")
        except OSError:
            continue
        fields = rest.split()
        if fields[0] == "Z" and fields[1] == own and fields[3] != session and head.partition("(")[2] in NAMES:
            yield int(entry), int(fields[19])


def _children():
    """The numbers of our children. The kernel lists them thread by thread; where it does not, they are among all processes, and to
    read of each fifty times a second takes a tenth of a processor."""
    if not os.path.exists(f"/proc/self/task/{os.getpid()}/children"):
        yield from filter(str.isdigit, os.listdir("/proc"))
        return
    for thread in os.listdir("/proc/self/task"):
        # One that has ended meanwhile has left its children to another, who is read of the next time.
        with contextlib.suppress(OSError), open(f"/proc/self/task/{thread}/children", encoding="ascii") as file:
            yield from file.read().split()
