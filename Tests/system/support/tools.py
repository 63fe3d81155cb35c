"""Python tools in folders of their own, pinned with hashes."""
import os
import subprocess

import pytest

from support import once
from support.places import ROOT


def python_with(requirements, what, *options):
    """The Python that has the packages of a file; skips the test where they cannot be fetched."""
    with once.at_a_time("python-tools"):
        told = subprocess.run([os.path.join(ROOT, "infra", "python-tools"), os.path.join(ROOT, requirements), *options], cwd=ROOT,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if told.returncode != 0:
        pytest.skip(f"{what} needs Python's package registry once")
    return told.stdout.strip()
