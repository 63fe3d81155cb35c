"""Whose a stack is: nobody else starts, stops or deletes it, root neither, and what a part leaves lying about leads root nowhere."""
import json
import os
import pwd
import shutil
import signal
import subprocess
import sys

import pytest

from support.kept import Kept
from support.processes import is_running
from support.stack import Stack, data_of
from support.users import new_user
from support.waiting import wait

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="needs root, which alone may give others a user")

ROOT = {"user": 0, "group": 0, "extra_groups": []}
NOBODY = pwd.getpwnam("nobody")
SOMEBODY = {"user": NOBODY.pw_uid, "group": NOBODY.pw_gid, "extra_groups": []}
CHANGING = [("up",), ("up", "--instances", "2"), ("restart",), ("demo",), ("down",), ("down", "--erase"), ("backup", "{new}"), ("keys", "rotate"),
            ("submit", "any.mp4"), ("doctor",)]


def belongings(stack):
    """Everything in the state folder but what running parts write, with its owner and mode."""
    busy = {os.path.join(stack.state, name) for name in ("postgres", "kafka", "objects", "scratch", "mail", "photos", "gateway")}
    found = {}
    for place, folders, names in os.walk(stack.state):
        folders[:] = [name for name in folders if os.path.join(place, name) not in busy]
        for name in (*folders, *names):
            facts = os.lstat(os.path.join(place, name))
            found[os.path.join(place, name)] = (facts.st_uid, facts.st_gid, facts.st_mode)
    return found


def words(stack, command):
    bins = ["--bin", stack.programs.folder] if command[0] in ("up", "restart", "demo", "doctor") else []
    return [word.format(new=os.path.join(stack.folder, "new")) for word in command] + bins


def of_nobody():
    stack = Stack.recorded()
    try:
        stack.belong_to("nobody")
        stack.up()
    except BaseException:
        stack.down()
        raise
    return stack


@pytest.fixture(scope="module")
def kept_somebodys(ground):
    kept = Kept(of_nobody, Stack.down)
    yield kept
    kept.end()


@pytest.fixture
def somebodys(kept_somebodys, request):
    """A running stack of the user `nobody`."""
    with kept_somebodys.lent_in_file(request) as stack:
        yield stack


@pytest.mark.parametrize("command", CHANGING, ids=" ".join)
def test_root_leaves_a_users_stack_alone(somebodys, command):
    stack = somebodys
    before, processes = belongings(stack), {name: stack.pid(name) for name in stack.parts()}
    code, _, notes = stack.command(*words(stack, command), **ROOT)
    assert code == 3 and "sudo -u nobody" in notes, notes
    assert belongings(stack) == before and {name: stack.pid(name) for name in stack.parts()} == processes
    assert not os.path.exists(os.path.join(stack.folder, "new"))


def test_root_may_look_at_a_users_stack(somebodys):
    before = belongings(somebodys)
    code, out, notes = somebodys.command("status", "--json", **ROOT)
    assert code == 0 and data_of(out) == somebodys.document, notes
    assert somebodys.command("events", "identity", **ROOT)[0] == 0
    assert belongings(somebodys) == before


@pytest.mark.parametrize("place", ["secrets", "secrets/operator-key", "run/stack.json"])
def test_root_that_looks_is_shown_nothing_but_the_users_own_files(somebodys, place, tmp_path):
    """Root would read it, and send it to a port that the user names."""
    stack = somebodys
    path = os.path.join(stack.state, place)
    roots = tmp_path / "roots"
    if place == "secrets":
        shutil.copytree(path, roots)
    else:
        shutil.copyfile(path, roots)
    os.rename(path, path + ".away")
    os.symlink(roots, path)
    try:
        code, _, notes = stack.command("quota", "grant", "nobody@example.org", **ROOT)
        assert code == (4 if place == "run/stack.json" else 3), notes
        assert ("No local stack" if place == "run/stack.json" else "behind a link") in notes, notes
    finally:
        os.unlink(path)
        os.rename(path + ".away", path)
    assert "account-unknown" in stack.command("quota", "grant", "nobody@example.org", **ROOT)[2], "and then it asks"


def test_root_starts_nothing_inside_a_users_stack(somebodys):
    inside = os.path.join(somebodys.state, "inside", "deep")
    code, _, notes = somebodys.command("up", "--no-restart", "--bin", somebodys.programs.folder, state=inside, **ROOT)
    assert code == 3 and "nobody" in notes and "--state" in notes, notes
    assert not os.path.exists(os.path.dirname(inside))


def test_what_was_mixed_before_is_told_apart(somebodys):
    """Older versions let root start parts of a user's stack."""
    stack = somebodys
    file = os.path.join(stack.state, "run", "quota.pid")
    try:
        os.chown(file, 0, 0)
        for command in (("up",), ("restart",), ("down",)):
            code, _, notes = stack.command(*words(stack, command))
            assert code == 3 and "quota" in notes and "sudo ./mirrormate down" in notes, notes
        os.chown(file, NOBODY.pw_uid, NOBODY.pw_gid)
        os.chown(os.path.join(stack.state, "secrets"), 0, 0)
        code, _, notes = stack.command(*words(stack, ("up",)))
        assert code == 3 and f"sudo chown -R nobody {stack.state}" in notes, notes
    finally:
        for path in (file, os.path.join(stack.state, "secrets")):
            os.chown(path, NOBODY.pw_uid, NOBODY.pw_gid)
    assert stack.command(*words(stack, ("up",)))[0] == 0, "and then it is theirs again"


def test_a_stopped_stack_is_still_its_owners(somebodys):
    stack = somebodys
    # Whoever comes next gets another one, which runs.
    stack.is_used_up = True
    assert stack.command("down")[0] == 0
    before = belongings(stack)
    for command in (("up",), ("down",), ("down", "--erase")):
        code, _, notes = stack.command(*words(stack, command), **ROOT)
        assert code == 3 and "sudo -u nobody" in notes, notes
    assert belongings(stack) == before


@pytest.mark.parametrize("command", [*CHANGING, ("status",), ("events", "identity")], ids=" ".join)
def test_a_user_leaves_roots_stack_alone(stack, command):
    before, processes = belongings(stack), {name: stack.pid(name) for name in stack.parts()}
    code, _, notes = stack.command(*words(stack, command), **SOMEBODY)
    assert code == 3 and "belongs to root" in notes, notes
    assert belongings(stack) == before and {name: stack.pid(name) for name in stack.parts()} == processes


# MARK: what a part leaves lying about

def as_part(number, script):
    """A shell script of somebody who has taken a part over."""
    done = subprocess.run(["sh", "-c", script], cwd="/", user=number, group=number, extra_groups=[], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


KAFKA, SESSIONS, ANALYSIS, QUOTA = 60600, 60611, 60613, 60612


def test_what_an_older_version_gave_a_part_is_taken_back(stack):
    """Its folder of secrets was its own, so anything may be there."""
    assert stack.command("down")[0] == 0
    home = os.path.join(stack.state, "users", "quota")
    shutil.rmtree(home)
    os.makedirs(home)
    os.chown(home, QUOTA, QUOTA)
    as_part(QUOTA, f"cd {home} && mkdir DATABASE_PASSWORD_FILE OPERATOR_KEY_FILE && mkfifo OPERATOR_KEY_FILE/pipe && ln -s /etc more")
    stack.up()
    assert os.stat(home).st_uid == 0 and "more" not in os.listdir(home)


def test_what_parts_leave_lying_about_leads_root_nowhere(new_stack, tmp_path):
    stack = new_stack
    stack.real_kafka = False
    stack.up()
    user = new_user(stack)
    secret = tmp_path / "secret"
    secret.write_text("127.0.0.1:1 do not tell\n")
    secret.chmod(0o600)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    state = stack.state
    as_part(KAFKA, f"cd {state}/kafka && rm -f dev-broker && ln -s {secret} dev-broker && mkfifo kafka.pid && ln -s {secret} kafka.address && chmod 777 .")
    as_part(ANALYSIS, f"cd {state}/scratch && ln -s {closed} link && mkdir -p $(printf 'deep/%.0s' $(seq 300)) && mkfifo pipe && chmod 777 . ")
    as_part(SESSIONS, f"cd {state}/objects/media && ln -s {closed} link && mkfifo pipe && chmod 777 .")
    postgres = pwd.getpwnam("postgres").pw_uid
    assert stack.command("down")[0] == 0
    stack.up()
    for name, owner, mode in (("kafka", KAFKA, 0o700), ("scratch", ANALYSIS, 0o700), ("objects/media", SESSIONS, 0o2750)):
        facts = os.stat(os.path.join(state, name))
        assert (facts.st_uid, facts.st_mode & 0o7777) == (owner, mode), name
    assert "do not tell" not in json.dumps(stack.document)
    facts = os.stat(closed)
    assert (facts.st_uid, facts.st_mode & 0o7777) == (0, 0o700) and (os.stat(secret).st_uid, os.stat(secret).st_mode & 0o7777) == (0, 0o600)
    user.url = stack.url
    assert user.call("GET", "/v1/sessions").status == 200
    # What the broker writes for `up` counts as a plain file of its own.
    secret.write_text(f"{stack.pid('kafka')} do-not-tell:1\n")
    as_part(KAFKA, f"cd {state}/kafka && mv dev-broker kept && ln -s {secret} dev-broker")
    code, out, notes = stack.command("up", "--no-restart", "--json", "--bin", stack.programs.folder)
    assert code == 4 and "do-not-tell" not in out + notes, notes
    as_part(KAFKA, f"cd {state}/kafka && mv -f kept dev-broker")
    stack.up()
    # PostgreSQL's own folder: the server can keep itself from starting, but not give away what is root's.
    assert stack.command("down")[0] == 0
    socket = os.path.join(state, "postgres", "socket")
    as_part(postgres, f"mv {socket} {socket}.away && ln -s {closed} {socket}")
    code, _, notes = stack.command("up", "--no-restart", "--bin", stack.programs.folder)
    assert code == 3 and socket in notes, notes
    facts = os.stat(closed)
    assert (facts.st_uid, facts.st_mode & 0o7777) == (0, 0o700)
    as_part(postgres, f"rm {socket} && mv {socket}.away {socket}")
    stack.up()


def test_root_ends_no_process_because_kafka_names_it(new_stack, tmp_path):
    """A Java that is none: it writes the number of another process into the file that holds Kafka's."""
    if not os.environ.get("KAFKA_HOME"):
        pytest.skip("needs an Apache Kafka: set KAFKA_HOME")
    stack = new_stack
    java = os.path.join(stack.folder, "java", "bin", "java")
    os.makedirs(os.path.dirname(java))
    with open(java, "w", encoding="ascii") as file:
        file.write(FALSE_JAVA)
    os.chmod(java, 0o755)
    # By its last word kafka-local knows the broker.
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", os.path.join(stack.state, "kafka", "server.properties")]) as victim:
        try:
            with open(os.path.join(stack.folder, "java", "victim"), "w", encoding="ascii") as file:
                file.write(str(victim.pid))
            code, _, notes = stack.command("up", "--no-restart", "--bin", stack.programs.folder, variables={"JAVA_HOME": os.path.join(stack.folder, "java")})
            assert code == 4 and f"named process {victim.pid}" in notes, notes
            assert stack.command("down")[0] == 0
            assert victim.poll() is None
        finally:
            victim.kill()
            with open(os.path.join(stack.state, "kafka", "java.pid"), encoding="ascii") as file:
                java = int(file.read())
            os.kill(java, signal.SIGKILL)
            # It writes into the folder that the fixture deletes, until it is gone.
            wait("the end of the false Java", lambda: not is_running(java))


FALSE_JAVA = """#!/usr/bin/env python3
import os, socket, sys, time
folder = os.path.dirname(sys.argv[-1])
with open(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(sys.argv[0]))), "victim"), encoding="ascii") as file:
    victim = file.read()
with open(os.path.join(folder, "java.pid"), "w", encoding="ascii") as file:
    file.write(str(os.getpid()))
lines = dict(line.split("=", 1) for line in open(sys.argv[-1], encoding="ascii").read().splitlines() if "=" in line)
listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.bind(("127.0.0.1", int(lines["listeners"].split(",")[0].rsplit(":", 1)[1])))
for count in range(20):
    # The script that starts us writes our number at the same time.
    with open(os.path.join(folder, "kafka.pid"), "w", encoding="ascii") as file:
        file.write(victim)
    if count == 10:
        listener.listen()
    time.sleep(0.1)
time.sleep(600)
"""
