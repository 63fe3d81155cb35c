"""What starts anew what dies: there is one of it, it knows when to leave everything alone, and the tools say when it is gone."""
import contextlib
import glob
import os
import shutil
import signal

import pytest

from support import object_server
from support.places import BINARIES
from support.stack import data_of
from support.waiting import wait

SERVES_OBJECTS_ELSEWHERE = bool(object_server.wanted() or os.environ.get("OBJECT_STORE"))


@pytest.fixture
def watched(new_stack):
    """A stack with a supervisor."""
    new_stack.up()
    up(new_stack)
    return new_stack


def up(stack, *words):
    code, out, notes = stack.command("up", "--restart", "--bin", stack.programs.folder, *words)
    assert code == 0 and stack.pid("supervisor"), out + notes


def supervisors(stack):
    """The numbers of all processes that watch over a stack."""
    found = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as file:
                words = file.read().decode("utf-8", "replace").split("\0")
        except OSError:
            continue
        if "supervise" in words and os.path.realpath(stack.state) in map(os.path.realpath, words):
            found.append(int(path.split("/")[2]))
    return found


def findings(stack):
    return {(one["part"], one["code"]): one for one in data_of(stack.command("doctor", "--json")[1])["findings"]}


def test_the_doctor_says_when_it_is_gone_and_up_starts_it(watched):
    watched.kill("supervisor")
    found = findings(watched)
    assert "mirrormate up" in found["supervisor", "gone"]["advice"], found
    code, out, notes = watched.command("status")
    assert code == 0 and out.startswith("… everything runs, and nobody starts anew what dies: supervisor does not run"), out
    assert f"`mirrormate up --state {watched.state}` starts it" in notes, notes
    up(watched)
    assert watched.command("status")[1].startswith("✓ everything runs")
    assert "supervisor" not in {part for part, _ in findings(watched)}
    assert watched.command("up", "--no-restart", "--bin", watched.programs.folder)[0] == 0
    assert "supervisor" not in {part for part, _ in findings(watched)}, "nobody wants one"


def test_there_is_one_however_many_start_it(watched):
    for _ in range(3):
        with contextlib.ExitStack() as held:
            running = [held.enter_context(watched.running_command("up", "--restart", "--bin", watched.programs.folder))
                       for _ in range(3)]
            said = [one.communicate(timeout=600) for one in running]
        assert [one.returncode for one in running] == [0, 0, 0], said
        assert supervisors(watched) == [watched.pid("supervisor")]
    # Nor does one go on that was started and not noted, as when its starter was killed in between.
    first = watched.pid("supervisor")
    os.remove(os.path.join(watched.state, "run", "supervisor.pid"))
    up(watched)
    wait("the first one has ended", lambda: supervisors(watched) == [watched.pid("supervisor")], within=60)
    assert watched.pid("supervisor") != first


def test_a_build_beneath_it_keeps_nobody_from_starting_it_or_from_starting_anew(new_stack):
    new_stack.up()
    place = os.path.join(new_stack.folder, "built", "mirrormate")
    os.makedirs(os.path.dirname(place))
    os.chmod(os.path.dirname(place), 0o755)
    shutil.copy(os.path.join(BINARIES, "mirrormate"), place)

    def build():
        shutil.copy(os.path.join(BINARIES, "mirrormate"), place + ".new")
        os.replace(place + ".new", place)
    # What does not run keeps the command busy for a while, and its program is another one by then.
    new_stack.kill("quota")
    with new_stack.running_command("up", "--restart", "--bin", new_stack.programs.folder, program=place) as running:
        wait("it runs", lambda: os.path.realpath(f"/proc/{running.pid}/exe") == os.path.realpath(place), every=0.01)
        build()
        said = running.communicate(timeout=600)
    assert running.returncode == 0 and new_stack.pid("supervisor"), said
    build()
    before = new_stack.pid("kafka"), new_stack.pid("quota")
    for name in ("kafka", "quota"):
        new_stack.kill(name)
    wait("both run again", lambda: None not in (new_stack.pid("kafka"), new_stack.pid("quota"))
         and (new_stack.pid("kafka"), new_stack.pid("quota")) != before, within=120)
    wait("all is well", lambda: new_stack.command("status")[0] == 0, within=120, every=0.5)


@pytest.mark.skipif(SERVES_OBJECTS_ELSEWHERE, reason="mirrormate backup refuses where objects lie on an S3 server")
def test_after_a_restore_that_was_broken_off_nothing_starts_until_it_is_repeated(watched):
    backup = os.path.join(watched.folder, "backup")
    assert watched.command("backup", backup)[0] == 0
    with watched.running_command("restore", backup, "--yes", "--bin", watched.programs.folder) as restoring:
        wait("it has begun to replace", lambda: is_restoring(watched), within=120, every=0.01)
        restoring.send_signal(signal.SIGKILL)
    assert supervisors(watched) == []
    code, _, said = watched.command("up", "--restart", "--bin", watched.programs.folder)
    assert code == 3 and "A restore of this stack was broken off" in said and "mirrormate restore" in said, said
    assert [name for name in watched.services() if watched.pid(name)] == []
    assert ("stack", "restore-broken-off") in findings(watched)
    code, _, said = watched.command("backup", backup + "-2")
    assert code == 3 and "broken off" in said, said
    code, _, said = watched.command("restore", backup, "--yes", "--bin", watched.programs.folder)
    assert code == 0 and watched.pid("supervisor"), said
    assert watched.command("status")[0] == 0


def is_restoring(stack):
    try:
        with open(os.path.join(stack.state, "run", "stack.json"), encoding="utf-8") as file:
            return '"restoring": true' in file.read()
    except OSError:
        return False
