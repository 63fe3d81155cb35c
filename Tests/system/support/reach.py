"""Copies for users who cannot get into this checkout: started by root, the parts of a stack are others."""
import atexit
import os
import shutil
import stat
import tempfile

_copies = {}


def _is_open(path):
    while path != "/":
        path = os.path.dirname(path)
        if not os.stat(path).st_mode & stat.S_IXOTH:
            return False
    return True


def reachable(path):
    """The path of a file or folder for every user: its own, or that of a copy that lasts as long as this run."""
    if os.geteuid() != 0 or not os.path.exists(path) or _is_open(os.path.realpath(path)):
        return path
    if path not in _copies:
        folder = tempfile.mkdtemp(prefix="mirrormate-copies-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        os.chmod(folder, 0o755)
        copy = os.path.join(folder, os.path.basename(path))
        (shutil.copytree if os.path.isdir(path) else shutil.copy2)(path, copy)
        _copies[path] = copy
    return _copies[path]
