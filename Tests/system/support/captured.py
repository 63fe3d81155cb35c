"""Programs in place of ffmpeg and ffprobe, in C: the helper lets nothing be executed but these two, so no script either."""
import os
import shutil
import subprocess

from support import places


def compiler():
    """The C compiler of the system, or else the one that comes with Swift."""
    return shutil.which("cc") or swifts_clang()


def swifts_clang():
    """The C compiler that comes with Swift; with "++" behind it, that of C++."""
    swift = subprocess.run([os.path.join(places.ROOT, "infra", "find-swift")], capture_output=True, text=True, check=True)
    return os.path.join(os.path.dirname(os.path.realpath(swift.stdout.strip())), "clang")


def program(path, *defines, source="captured.c"):
    """Builds a program of this folder. `captured.c`: PROBE is an ffprobe that believes everything (SOUND: also that it sounds), DEED=... an ffmpeg, with so many PICTURES
    once it has done what it should not."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), source)
    subprocess.run([compiler(), "-Wall", "-Werror", *(f"-D{define}" for define in defines), "-o", path, source], check=True)
