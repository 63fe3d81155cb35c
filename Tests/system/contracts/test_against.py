"""The contracts are compared with those of older revisions, in a git repository of its own: can a service be deployed alone?"""
import json
import os
import pathlib
import shutil
import subprocess

import pytest

from support import places

ROOT = pathlib.Path(places.ROOT)
QUOTA = "Services/quota/Contracts/sessions.contract.json"
EXPIRED = "Services/sessions/Contracts/published/SessionExpired.v1.json"


class Repository:
    """A copy of the contract files, with revisions."""

    def __init__(self, folder, tool):
        self.folder = pathlib.Path(folder)
        self.tool = pathlib.Path(tool).resolve()
        for path in [*ROOT.glob("Services/*/Contracts"), ROOT / "Shared/Platform/ServiceKit/Contracts"]:
            shutil.copytree(path, self.folder / path.relative_to(ROOT))
        for name in ("Package.swift", "Tests/Services/ContractPathTests/released.sha256"):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.folder / name)
        self.git("init", "--quiet")

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=Test", "-c", "user.email=test@example.org", *words], cwd=self.folder, check=True)

    def release(self, tag):
        """Makes a revision of the files as they are, and puts the files back as they are today."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", tag)
        self.git("tag", tag)

    def change(self, path, edit):
        """Changes a document for the next revision; without an edit it is removed."""
        file = self.folder / path
        if edit is None:
            file.unlink()
        else:
            document = json.loads(file.read_text())
            edit(document)
            file.write_text(json.dumps(document))

    def check(self, reference, service=None):
        words = [self.tool, "contracts", "check", "--against", reference, *(["--service", service] if service else [])]
        done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def repository(build, tmp_path_factory):
    repository = Repository(tmp_path_factory.mktemp("contracts"), os.path.join(build, "mirrormate"))
    repository.release("today")

    # A revision whose quota reads what sessions does not publish today.
    wanted = {"type": "text", "meaning": "Words."}
    repository.change(QUOTA, lambda contract: contract["messages"]["mirrormate.sessions.SessionCreated.v1"]["fields"]
                      .update(locale=wanted))
    repository.release("reads-more")
    repository.git("checkout", "--quiet", "today", "--", ".")

    # A revision whose sessions did not publish yet what quota reads today.
    repository.change(EXPIRED, None)
    repository.release("publishes-less")
    repository.git("checkout", "--quiet", "today", "--", ".")

    # A revision that released what is not here.
    shutil.copy(repository.folder / EXPIRED, repository.folder / EXPIRED.replace("v1", "v2"))
    repository.release("released-more")
    repository.git("rm", "--quiet", "-r", "--cached", ".")
    repository.git("commit", "--quiet", "--allow-empty", "--message", "nothing")
    repository.git("tag", "empty")
    shutil.rmtree(repository.folder / "Services")
    repository.git("checkout", "--quiet", "today", "--", ".")
    return repository


def says(answer, code, *words):
    assert answer[0] == code, answer[1]
    assert [word for word in words if word not in answer[1]] == [], answer[1]


def test_the_same_revision_fits(repository):
    says(repository.check("today"), 0, "hold")


def test_a_consumer_that_is_in_use_and_reads_more_is_named(repository):
    says(repository.check("reads-more", "sessions"), 1, "sessions -> quota: SessionCreated.v1, field locale",
         "Do not deploy this beside reads-more.")


def test_what_another_service_reads_does_not_concern_the_rest(repository):
    says(repository.check("reads-more", "reporting"), 0, "hold")


def test_a_provider_that_is_in_use_and_publishes_less_is_named(repository):
    says(repository.check("publishes-less", "quota"), 1, "sessions -> quota: SessionExpired.v1",
         "Do not deploy this beside publishes-less.")


def test_what_was_released_and_is_gone_is_named(repository):
    says(repository.check("released-more"), 1, "SessionExpired.v2.json", "is gone")


def test_a_revision_without_contracts_is_told(repository):
    says(repository.check("empty"), 1, "has no contract files")


def test_a_revision_that_is_none_is_told(repository):
    says(repository.check("nowhere"), 2, "git knows no revision nowhere")
