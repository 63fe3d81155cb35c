"""What a test has found out and nobody judges, such as how long something took: told at the end of the run."""
import threading

_notes = []
_lock = threading.Lock()


def note(text):
    """Keeps a line for the end; with a failure it is shown at once."""
    with _lock:
        _notes.append(text)
        print(text)


def all_notes():
    with _lock:
        return list(_notes)
