"""The checks before each commit, in a repository of its own: what is released stays, and what is staged can be read."""
import os
import pathlib
import shutil
import subprocess

import pytest

from support import places

ROOT = pathlib.Path(places.ROOT)
GOLDEN = "Services/sessions/Contracts/published/SessionExpired.v1.json"
PRIVATE = "Shared/Platform/ServiceKit/Contracts/events/Old.v1.json"
MIGRATION = "Services/sessions/Schema/session_list.sql"
FORMATTED = "let one = 1\n"


class Repository:
    """Files of which the hook has something to say, and the hook."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        for name in ("infra/hooks/pre-commit", "infra/find-swift", ".swift-format"):
            self.path(name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.path(name))
        self.git("init", "--quiet")
        self.git("config", "core.hooksPath", "infra/hooks")
        for name, text in ((GOLDEN, "{}\n"), (PRIVATE, "{}\n"), (MIGRATION, "select 1;\n"), ("notes.txt", "a\n")):
            self.write(name, text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--no-verify", "--message", "before")

    def path(self, name):
        return self.folder / name

    def git(self, *words, check=True):
        # Of a run within another hook nothing is inherited.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        return subprocess.run(["git", "-c", "user.name=Test", "-c", "user.email=test@example.org", *words], cwd=self.folder,
                              env=environment, capture_output=True, text=True, check=check)

    def write(self, name, text):
        self.path(name).parent.mkdir(parents=True, exist_ok=True)
        self.path(name).write_text(text)

    def stage(self, name, text):
        self.write(name, text)
        self.git("add", name)

    def commit(self, *words):
        """Whether it came to a commit, and what was said."""
        done = self.git("commit", "--quiet", "--message", "a change", *words, check=False)
        return done.returncode == 0, done.stderr


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path)


@pytest.mark.parametrize("name", [GOLDEN, PRIVATE, MIGRATION])
@pytest.mark.parametrize("change", ["another content", "gone", "another name"])
def test_what_is_released_or_applied_is_changed_by_no_commit(repository, name, change):
    if change == "another content":
        repository.stage(name, "{\"other\": 1}\n")
    elif change == "gone":
        repository.git("rm", "--quiet", name)
    else:
        # Renamed and changed a little, which git would call a rename.
        repository.write(name, repository.path(name).read_text() + "\n")
        repository.git("mv", name, name.replace("session_list", "other_list").replace(".v1.", ".v2."))
        repository.git("add", "--all")
    is_made, said = repository.commit()
    assert not is_made and f"pre-commit: {name}" in said and "never changes" in said, said
    assert repository.commit("--no-verify")[0]


def test_new_versions_and_migrations_beside_them_are_committed(repository):
    repository.stage(GOLDEN.replace(".v1.", ".v2."), "{}\n")
    repository.stage(MIGRATION.replace("session_list", "session_list_more"), "select 2;\n")
    is_made, said = repository.commit()
    # No build is there that could judge them.
    assert is_made and "SKIPPED the contracts" in said, said


@pytest.mark.parametrize("name, text, why", [
    ("tool.py", "def broken(:\n", "not valid Python"),
    ("tool", "#!/usr/bin/env python3\ndef broken(:\n", "not valid Python"),
    ("script", "#!/bin/bash\nif true; then\n", "not a valid shell script"),
    ("plain", "#!/bin/sh\nif true; then\n", "not a valid shell script"),
    ("settings.json", "{\"a\": }\n", "not valid JSON"),
])
def test_what_cannot_be_read_is_named(repository, name, text, why):
    repository.stage(name, text)
    is_made, said = repository.commit()
    assert not is_made and f"pre-commit: {name} is {why}" in said, said


def test_what_is_staged_counts_and_not_the_working_copy(repository):
    repository.stage("tool.py", "def broken(:\n")
    repository.write("tool.py", "whole = True\n")
    assert not repository.commit()[0]
    repository.git("add", "tool.py")
    repository.write("tool.py", "def broken(:\n")
    is_made, said = repository.commit()
    assert is_made, said


def test_swift_that_is_not_in_the_format_is_named(repository):
    if subprocess.run([ROOT / "infra/find-swift"], capture_output=True).returncode != 0:
        pytest.skip("there is no Swift here")
    repository.stage("Sources/One.swift", FORMATTED)
    is_made, said = repository.commit()
    assert is_made, said
    repository.stage("Sources/One.swift", FORMATTED.replace(" = ", "="))
    is_made, said = repository.commit()
    assert not is_made and "Sources/One.swift" in said and "make format" in said, said
