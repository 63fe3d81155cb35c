"""Contracts from files alone, the changes of files that they must catch, and the generated documents before public validators.

`make contracts-mutations` tries the changes of code too.
"""
import os
import subprocess

import pytest

import changes
import mutate
from support import places, tools
from support.stack import data_of

FILES_ALONE = [mutation for mutation in changes.ALL if mutation["level"] == "data"]


@pytest.fixture(scope="module")
def tool(build):
    return os.path.join(build, "mirrormate")


@pytest.fixture(scope="module")
def copy():
    """A copy of the sources, in which one thing at a time is changed."""
    mutate.copy_tree()


def test_all_contracts_hold(tool):
    done = subprocess.run([tool, "contracts", "check"], cwd=places.ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_programs_are_told_the_same(tool):
    done = subprocess.run([tool, "contracts", "check", "--json"], cwd=places.ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False)
    found = data_of(done.stdout)
    assert (done.returncode, found["findings"]) == (0, []) and found["contracts"] > 5 and found["messages"] > 20, done.stdout


@pytest.mark.parametrize("mutation", [pytest.param(one, id=one["name"]) for one in FILES_ALONE if one["says"] is not None])
def test_a_change_that_breaks_somebody_is_caught(tool, copy, mutation):
    _, wrong = mutate.tried(mutation, tool)
    assert wrong is None, wrong


@pytest.mark.parametrize("mutation", [pytest.param(one, id=one["name"]) for one in FILES_ALONE if one["says"] is None])
def test_a_change_that_harms_nobody_may_be_made(tool, copy, mutation):
    _, wrong = mutate.tried(mutation, tool)
    assert wrong is None, wrong


def test_the_generated_documents_are_valid():
    python = tools.python_with("Tests/system/contracts/validators.txt", "validating the documents")
    done = subprocess.run([python, "-B", "-W", "ignore", "Tests/system/contracts/validate.py"], cwd=places.ROOT,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
