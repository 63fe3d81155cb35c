"""The command line of `run`: names of tests and options of pytest, in any order."""
import glob
import os
import sys
import tempfile

import pytest

# Options of pytest whose value is a word of its own.
WITH_VALUE = {"-k", "-m", "-o", "-p", "-r", "-W", "--tb", "--maxfail", "--durations", "--deselect", "--ignore", "--shuffle"}


def arguments(words):
    """What pytest is called with: names become options, and paths are looked for here and where `run` was called."""
    given, names, paths, rest = [], [], [], iter(words)
    for word in rest:
        if word in WITH_VALUE:
            given += [word, next(rest, "")]
        elif word.startswith("-"):
            given.append(word)
        elif "/" in word or "::" in word:
            paths.append(located(word))
        else:
            names.append(word)
    folders = [name.replace("_", "-") for name in names]
    # Where whole folders are meant, the others are not even read: that takes seconds.
    if not paths and all(glob.glob(f"{folder}/test_*.py") for folder in folders):
        paths = folders
    return given + paths + [f"--named={name}" for name in names]


def located(word):
    path, colons, test = word.partition("::")
    if not os.path.exists(path):
        path = os.path.join(os.environ.get("SYSTEM_TEST_FROM", "."), path)
    return path + colons + test


if __name__ == "__main__":
    # What --lf and --ff go by; the tree stays clean.
    cache = os.path.abspath(os.path.join(os.getcwd(), "..", "..", ".build", "pytest"))
    # Runs beside each other would delete each other's folders below the one that pytest takes by itself.
    with tempfile.TemporaryDirectory(prefix="mirrormate-pytest-") as folder:
        code = pytest.main(["-o", f"cache_dir={cache}", f"--basetemp={folder}/run", *arguments(sys.argv[1:])])
    sys.exit(code)
