"""What the kernel says of processes."""
import ctypes
import os


def family(process):
    """A process and its children, of all its threads."""
    children = []
    for thread in os.listdir(f"/proc/{process}/task"):
        with open(f"/proc/{process}/task/{thread}/children", encoding="utf-8") as file:
            children += map(int, file.read().split())
    return [process, *children]


def is_running(process):
    """Whether a process is there and not only waits to be reaped, which a machine's first process may leave undone."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] not in ("Z", "X")
    except (FileNotFoundError, ProcessLookupError):
        return False


def has_landlock():
    """Whether the kernel has Landlock, by which a process gives up access to files: system call 444 tells its version."""
    return ctypes.CDLL(None, use_errno=True).syscall(444, None, 0, 1) > 0
