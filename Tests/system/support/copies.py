"""Copies of the sources in which the scaffolds are used."""
import os
import pathlib
import shutil
import subprocess

from support import places

ROOT = pathlib.Path(places.ROOT)
# What is built stays from run to run: only what has changed since is built again.
KEPT = ROOT / ".build" / "scaffold"
TREE = KEPT / "tree"
BUILT = KEPT / "build"


def sources():
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True,
                            check=True)
    return [line for line in listed.stdout.splitlines() if (ROOT / line).is_file()]


def fresh(folder):
    """The sources as they are, in an empty folder."""
    folder = pathlib.Path(folder)
    for name in sources():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    return folder


def contents(folder):
    """Every file of a folder with its bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in pathlib.Path(folder).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts}


def keep(folder):
    """Makes the kept copy the same as a folder; files that are the same keep their times."""
    wanted = contents(folder)
    for name in contents(TREE).keys() - wanted.keys() if TREE.exists() else ():
        (TREE / name).unlink()
    for name, content in wanted.items():
        path = TREE / name
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        shutil.copymode(pathlib.Path(folder) / name, path)


def scaffold(folder, *words):
    return subprocess.run(["python3", "-B", "infra/scaffold", *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False)


def build(**variables):
    """Builds the kept copy with its tests; gives the exit code and what was said."""
    found = subprocess.run([ROOT / "infra/find-swift"], capture_output=True, text=True, check=True).stdout.strip()
    # Nobody debugs the copy: without debug information it is compiled in less time, and half as large. The index has to be: the
    # tests are found by it.
    return within([found, "build", "--build-tests", "-Xswiftc", "-gnone", "--scratch-path", str(BUILT)], variables)


def tested(words, **variables):
    """Runs tests of the copy as it is built; gives the exit code and what was said."""
    # Not by `swift test`, which reads and plans the package once more.
    return within([BUILT / "debug/MirrorMatePackageTests.xctest", "--testing-library", "swift-testing", *words], variables)


def within(words, variables):
    done = subprocess.run(words, cwd=TREE, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, env={**os.environ, **variables})
    return done.returncode, done.stdout
