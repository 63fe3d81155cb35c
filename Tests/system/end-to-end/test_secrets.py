"""The secrets of a Compose stack, which are made once: what is there is kept, and what is lost is made anew where that mends it."""
import hashlib
import os
import re
import shutil
import subprocess
import time

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


# What a stack of release 1 (the state of 2026-11-21) had.
RELEASE_1 = {"db-admin", "db-reader", *(f"db-{service}" for service in SERVICES if service != "notifications"), "key-encryption-key", "upload-key", "s3-secret-key", "operator-key"}


def test_a_stack_of_release_1_gets_all_that_a_new_one_has_and_keeps_what_it_had(clone):
    new = set(secrets(clone))
    for name in new - RELEASE_1:
        os.unlink(clone / "secrets" / name)
    os.rmdir(clone / "secrets" / "kafka")
    os.utime(clone / "secrets" / "operator-key", (time.time() - 7_200,) * 2)
    before, settings = secrets(clone), (clone / ".env").read_text()
    assert set(before) == RELEASE_1
    said = upgrade(clone)
    after = secrets(clone)
    assert set(after) == new and {name: after[name] for name in before} == before
    assert (clone / ".env").read_text() == settings, "its own S3 server has the users' own names"
    assert "Change it" in said, "every service knew the operators' key"
    assert after["operator-key-hash"].decode().strip() == hashlib.sha256(after["operator-key"]).hexdigest()
    assert public(after["announcement-key"]) == blocks(after["announcement-keys"])
    for name in (*SERVICES, "tools", "broker"):
        subprocess.run(["openssl", "verify", "-CAfile", "secrets/kafka/authority.pem", f"secrets/kafka/{name}.pem"], cwd=clone, check=True,
                       stdout=subprocess.DEVNULL)
    assert upgrade(clone) == "" and secrets(clone) == after


def test_another_s3_server_keeps_its_one_user_until_its_operator_makes_more(clone):
    settings = (clone / ".env").read_text().replace("http://s3:7070", "https://s3.example.org")
    (clone / ".env").write_text(settings)
    having = [service for service in SERVICES if service != "notifications"]
    for service in having:
        os.unlink(clone / "secrets" / f"s3-{service}")
    upgrade(clone)
    after = secrets(clone)
    assert {after[f"s3-{service}"] for service in having} == {after["s3-secret-key"]}
    added = (clone / ".env").read_text().removeprefix(settings).split()
    assert sorted(added) == sorted(f"S3_{service.upper()}_ACCESS_KEY=mirrormate" for service in having)
    assert upgrade(clone) == "" and (clone / ".env").read_text() == settings + "".join(f"\n{line}\n" for line in added)


# MARK: the announcement key

def blocks(pem):
    """The keys of a file."""
    return re.findall(rb"-----BEGIN [A-Z ]+-----[^-]+-----END [A-Z ]+-----\n", pem)


def public(pem):
    """The public halves of a file of private keys."""
    return [subprocess.run(["openssl", "pkey", "-pubout"], input=one, check=True, stdout=subprocess.PIPE).stdout for one in blocks(pem)]


def test_the_announcement_key_is_changed_in_steps_and_in_no_other_order(clone):
    def step(*words):
        done = subprocess.run(["infra/announcement-key", *words], cwd=clone, capture_output=True, text=True, check=False)
        after = secrets(clone)
        assert {path.name for path in (clone / "secrets").iterdir() if path.name.startswith(".")} == set(), "no private key is left about"
        assert all((clone / "secrets" / name).stat().st_mode & 0o777 == 0o444 for name in ("announcement-key", "announcement-keys"))
        return done.returncode, public(after["announcement-key"]), blocks(after["announcement-keys"])

    code, signing, known = step()
    (old,) = signing
    assert (code, known) == (0, [old]), "what is there is kept"
    assert step("switch") == (3, [old], [old]), "there is no next one"
    code, signing, known = step("next")
    assert code == 0 and signing[0] == old and known == signing and len(set(known)) == 2, "all know the next one, and the old one signs"
    next_ = signing[1]
    assert step("next") == step("drop") == (3, [old, next_], [old, next_])
    assert step("switch") == (0, [next_], [old, next_]), "what the old one signed still counts"
    assert step("drop") == (0, [next_], [next_])
    assert step("drop") == (0, [next_], [next_]), "again, nothing"
    assert step("sign")[0] == step("next", "switch")[0] == 2


def test_half_of_an_announcement_key_is_not_replaced(clone):
    for lost in ("announcement-key", "announcement-keys"):
        path = clone / "secrets" / lost
        kept = path.read_bytes()
        path.unlink()
        done = subprocess.run(["infra/announcement-key"], cwd=clone, capture_output=True, text=True, check=False)
        assert done.returncode == 3 and "backup" in done.stderr and not path.exists()
        path.write_bytes(kept)
