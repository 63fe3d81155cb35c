"""The secrets of a Compose stack, which are made once: what is there is kept, and what is lost is made anew where that mends it."""
import hashlib
import os
import shutil
import subprocess

import pytest

from support.places import ROOT
from support.programs import SERVICES


@pytest.fixture
def clone(tmp_path):
    """A folder with the scripts and the secrets of a new stack."""
    shutil.copytree(os.path.join(ROOT, "infra"), tmp_path / "infra")
    subprocess.run(["infra/init"], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    return tmp_path


def secrets(clone):
    return {path.relative_to(clone / "secrets").as_posix(): path.read_bytes() for path in (clone / "secrets").rglob("*") if path.is_file()}


def upgrade(clone):
    return subprocess.run(["infra/upgrade"], cwd=clone, check=True, capture_output=True, text=True).stdout


def test_an_upgrade_changes_nothing_that_is_whole(clone):
    before = secrets(clone)
    assert upgrade(clone) == "" and secrets(clone) == before


@pytest.mark.parametrize("lost", ["gateway-quota", "gateway-hash-quota", "s3-analysis"])
def test_what_was_lost_alone_is_made_anew_and_named(clone, lost):
    before = secrets(clone)
    os.unlink(clone / "secrets" / lost)
    assert f"secrets/{lost}" in upgrade(clone)
    after = secrets(clone)
    assert set(after) == set(before)
    assert {name for name in before if after[name] != before[name]} <= {lost, lost.replace("gateway-", "gateway-hash-", 1)}
    for service in SERVICES:
        assert after[f"gateway-hash-{service}"].decode().strip() == hashlib.sha256(after[f"gateway-{service}"]).hexdigest(), service
