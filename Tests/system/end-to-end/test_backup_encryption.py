"""What infra/backup and infra/restore make of BACKUP_ENCRYPT and BACKUP_DECRYPT, with a program in Docker's place that has a database
and an object of a few bytes. `compose/test_restore.py` does the same with a deployment."""
import os
import shutil
import subprocess

import pytest

from support import places

DOCKER = """#!/bin/sh
case "$*" in
*"--entrypoint tar tools"*) exec tar -C "$MADE_UP/objects" -cf - . ;;
*"cat /tmp/backup.objects.list"*) echo uploads/one ;;
*"cat /tmp/backup.facts"*) echo "incarnation made-up" ;;
*"pg_restore --file=/dev/null"*) cat >/dev/null ;;
*"-f -"*) cat >/dev/null; echo "a made-up dump" ;;
*"pg_restore -h"*) cat >"$MADE_UP/restored.dump" ;;
*"cd /var/lib/mirrormate/objects"*) mkdir "$MADE_UP/restored" && exec tar -C "$MADE_UP/restored" -xf - ;;
*confirm-restore*) echo '{"topicIsEmpty":true}' ;;
esac
"""


class Place:
    """A folder with the two scripts, and what they find there."""

    def __init__(self, folder):
        self.folder = folder
        self.backup = folder / "backup"
        for name in ("infra", "bin", "secrets", "objects/mirrormate/uploads"):
            (folder / name).mkdir(parents=True)
        for name in ("backup", "restore"):
            shutil.copy(os.path.join(places.ROOT, "infra", name), folder / "infra" / name)
        self._program("infra/upgrade", "#!/bin/sh\n")
        self._program("bin/docker", DOCKER)
        (folder / ".env").write_text("OBJECT_STORE=s3://mirrormate\n")
        (folder / "secrets/key-encryption-key").write_text("a made-up key\n")
        (folder / "objects/mirrormate/uploads/one").write_text("a made-up recording")
        (folder / "key").write_text(os.urandom(32).hex())
        (folder / "another-key").write_text(os.urandom(32).hex())

    def _program(self, name, text):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)

    def encryption(self, *more, key="key"):
        return " ".join(["openssl", "enc", "-aes-256-ctr", "-pbkdf2", "-pass", f"file:{self.folder / key}", *more])

    def run(self, *words, **variables):
        environment = {"PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "MADE_UP": str(self.folder), **variables}
        return subprocess.run(words, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)

    def back_up(self, **variables):
        return self.run("infra/backup", str(self.backup), **variables)

    def restore(self, **variables):
        return self.run("infra/restore", str(self.backup), "--yes", **variables)

    def restored(self):
        return (self.folder / "restored.dump").read_text(), (self.folder / "restored/mirrormate/uploads/one").read_text()


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


WHOLE = ("a made-up dump\n", "a made-up recording")


def test_an_encrypted_backup_shows_nothing_and_is_put_back_with_its_key(place):
    done = place.back_up(BACKUP_ENCRYPT=place.encryption())
    assert done.returncode == 0 and "encrypted" in done.stdout, done.stdout
    for name in sorted(os.listdir(place.backup)):
        assert "made-up" not in (place.backup / name).read_bytes().decode("latin-1") or name == "facts", name
    shutil.rmtree(place.folder / "secrets")
    (place.folder / ".env").unlink()
    done = place.restore(BACKUP_DECRYPT=place.encryption("-d"))
    assert done.returncode == 0, done.stdout
    assert place.restored() == WHOLE
    assert (place.folder / "secrets/key-encryption-key").read_text() == "a made-up key\n"


def test_without_a_command_a_backup_is_what_it_was(place):
    assert place.back_up().returncode == 0
    assert sorted(os.listdir(place.backup)) == ["SHA256SUMS", "configuration.tar", "database.dump", "facts", "objects.list", "objects.tar"]
    done = place.restore()
    assert done.returncode == 0 and place.restored() == WHOLE, done.stdout


@pytest.mark.parametrize("command", ["cat", "false"])
def test_a_command_that_does_not_encrypt_leaves_no_backup(place, command):
    done = place.back_up(BACKUP_ENCRYPT=command)
    assert done.returncode == 1 and "BACKUP_ENCRYPT" in done.stdout, done.stdout
    assert not [name for name in os.listdir(place.folder) if name.startswith("backup")]


@pytest.mark.parametrize("key", [None, "another-key"])
def test_without_the_key_nothing_is_changed(place, key):
    assert place.back_up(BACKUP_ENCRYPT=place.encryption()).returncode == 0
    variables = {"BACKUP_DECRYPT": place.encryption("-d", key=key)} if key else {}
    done = place.restore(**variables)
    assert done.returncode == 3 and "BACKUP_DECRYPT" in done.stdout, done.stdout
    assert not (place.folder / "restored.dump").exists() and not (place.folder / "restored").exists()


def test_a_changed_file_of_an_encrypted_backup_is_noticed(place):
    assert place.back_up(BACKUP_ENCRYPT=place.encryption()).returncode == 0
    path = place.backup / "database.dump.encrypted"
    path.write_bytes(path.read_bytes() + b"x")
    done = place.restore(BACKUP_DECRYPT=place.encryption("-d"))
    assert done.returncode == 3 and not (place.folder / "restored.dump").exists(), done.stdout
