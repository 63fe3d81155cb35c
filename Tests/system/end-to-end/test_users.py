"""Started by root, every part of a stack runs as a user of its own and sees what is its own; started by others, as they."""
import json
import os
import pwd
import shutil
import subprocess

import pytest

from support.api import FINAL, small_video
from support.places import ROOT
from support.processes import family
from support.programs import SERVICES
from support.stack import Stack
from support.users import ended, new_user

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="needs root, which alone may give others a user")

# They give others a user, and open nothing that comes from outside.
SUPERVISORS = {"gateway", "media"}


def users_of(process):
    """The real, effective, saved and file system's user of a process; nobody when it has ended."""
    try:
        with open(f"/proc/{process}/status", encoding="utf-8", errors="replace") as file:
            return {int(one) for line in file if line.startswith("Uid:") for one in line.split()[1:]}
    except OSError:
        return set()


def descendants(process):
    try:
        children = family(process)[1:]
    except OSError:
        return []
    return children + [one for child in children for one in descendants(child)]


def users(stack):
    """Of each part, the users of all processes that its first one has started, and that one's."""
    found = {}
    for name, number in [(name, stack.pid(name)) for name in stack.parts()]:
        if number:
            found[name] = (set().union(*map(users_of, descendants(number))), users_of(number))
    return found


def readable(stack, user, group, folder):
    """The files below a folder that somebody can read."""
    files = [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names]
    assert files, f"there are files in {folder}"
    done = subprocess.run(
        ["sh", "-c", 'while read -r path; do if (: <"$path") 2>/dev/null; then echo "$path"; fi; done'],
        input="\n".join(files) + "\n", cwd="/", user=user, group=group, extra_groups=[], capture_output=True, text=True, check=True)
    return {os.path.relpath(path, folder) for path in done.stdout.splitlines()}


def first_user(stack, name):
    return next(iter(users(stack)[name][1]))


@pytest.fixture
def closed(ground):
    """A stack whose folder, with its programs and the project's own files, only root gets into; with the real media helper."""
    stack = Stack()
    os.chmod(stack.folder, 0o700)
    home = os.path.join(stack.folder, "home")
    for name in ("infra", "docs"):
        shutil.copytree(os.path.join(ROOT, name), os.path.join(home, name))
    stack.home = home
    yield stack
    stack.down()


def test_no_part_runs_as_root_but_those_that_only_give_others_a_user(stack):
    found = users(stack)
    assert {*SERVICES, "kafka", "postgres", *SUPERVISORS} <= set(found), found
    assert {name for name, (rest, first) in found.items() if 0 in rest | first} == SUPERVISORS, found
    assert 0 not in found["gateway"][0], "nginx's workers are nobody"
    firsts = [first for name, (_, first) in found.items() if name not in SUPERVISORS]
    assert all(len(first) == 1 for first in firsts) and len(set.union(*firsts)) == len(firsts), "each is another"
    for name in SERVICES:
        with open(f"/proc/{stack.pid(name)}/status", encoding="utf-8") as file:
            lines = dict(line.split(":", 1) for line in file)
        assert int(lines["CapPrm"], 16) == int(lines["CapAmb"], 16) == 0, f"{name} has rights"
        assert lines["Groups"].split() in ([], lines["Gid"].split()[:1]), f"{name} has groups: {lines['Groups']}"


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_reads_its_own_secrets_and_nobody_elses(stack, service):
    number = first_user(stack, service)
    assert readable(stack, number, number, os.path.join(stack.state, "secrets")) == set()
    own = readable(stack, number, number, os.path.join(stack.state, "users"))
    assert f"{service}/DATABASE_PASSWORD_FILE" in own
    assert {path.split("/")[0] for path in own} - {"complete"} == {service}, own
    for path in own - {"complete"}:
        assert os.stat(os.path.join(stack.state, "users", path)).st_mode & 0o777 == 0o400, path


def test_a_service_reads_the_objects_that_it_declares(stack):
    user = new_user(stack)
    assert ended(user, user.send_video(small_video()))["status"] == "complete"
    wanted = {"identity": set(), "quota": set(), "sessions": {"media"}, "analysis": {"media", "documents"}, "reporting": {"documents"}}
    for service, folders in wanted.items():
        number = first_user(stack, service)
        found = readable(stack, number, number, os.path.join(stack.state, "objects"))
        assert {path.split("/")[0] for path in found} == folders, f"{service}: {found}"
    for service in set(SERVICES) - {"identity"}:
        number = first_user(stack, service)
        assert readable(stack, number, number, os.path.join(stack.state, "mail")) == set(), f"{service} reads no mail"


def test_the_doctor_names_who_runs_as_root(stack):
    def said():
        _, out, notes = stack.command("doctor", "--json", "--bin", stack.programs.folder)
        return {(one["part"], one["code"]) for one in json.loads(out)["findings"]}, notes

    found, notes = said()
    assert found <= {("analysis", "landlock-missing"), ("disk", "disk-full")}, notes
    file = os.path.join(stack.state, "run", "quota.pid")
    with open(file, encoding="ascii") as known:
        before = known.read()
    sleeping = subprocess.Popen(["sleep", "600"])
    try:
        with open(f"/proc/{sleeping.pid}/stat", encoding="ascii") as status:
            ticks = status.read().rpartition(")")[2].split()[19]
        with open(file, "w", encoding="ascii") as known:
            known.write(f"{sleeping.pid} {ticks} {before.split()[2]} {before.split()[3]}\n")
        assert ("quota", "runs-as-root") in said()[0]
    finally:
        sleeping.kill()
        sleeping.wait()
        with open(file, "w", encoding="ascii") as known:
            known.write(before)


def test_what_an_older_version_left_is_taken_over(new_stack):
    stack = new_stack
    stack.up()
    user = new_user(stack)
    session = user.send_video(small_video())
    assert ended(user, session)["status"] == "complete"
    code, _, notes = stack.command("down")
    assert code == 0, notes
    # As a version that ran everything as root would have left it.
    shutil.rmtree(os.path.join(stack.state, "users"))
    for place, folders, names in os.walk(stack.state):
        folders[:] = [name for name in folders if os.path.join(place, name) != os.path.join(stack.state, "postgres")]
        for name in (*folders, *names):
            os.lchown(os.path.join(place, name), 0, 0)
    objects = os.path.join(stack.state, "objects")
    for place, _, names in os.walk(objects):
        os.chmod(place, 0o700)
        for name in names:
            os.chmod(os.path.join(place, name), 0o600)
    stack.up()
    user.url = stack.url
    assert user.call("GET", f"/v1/reports/{session}").status == 200
    # The plan allows one a day.
    another = new_user(stack)
    assert ended(another, another.send_video(small_video()))["status"] == "complete", "analysis reads what sessions wrote"
    user.call("DELETE", f"/v1/sessions/{session}")
    assert 0 not in {os.stat(place).st_uid for place, _, _ in os.walk(objects) if place != objects}


def test_below_a_closed_folder_it_works(closed):
    """What other users need is copied once, and a copy that was interrupted is made again."""
    stack = closed
    stack.up()
    assert {name for name, (rest, first) in users(stack).items() if 0 in rest | first} == SUPERVISORS
    user = new_user(stack)
    first = ended(user, user.send_video(small_video()), within=120)
    assert first["status"] in FINAL and first.get("error", {}).get("retryable") is not True, first
    parts = os.path.dirname(os.path.realpath(os.path.join(stack.state, "objects")))
    assert not parts.startswith(stack.folder), parts
    place = os.path.join(parts, "copies", "quota")
    copy, = [name for name in os.listdir(place) if not name.startswith(".")]
    before = os.stat(os.path.join(place, copy, "quota")).st_ino
    code, _, notes = stack.command("down")
    assert code == 0, notes
    sessions = os.path.join(parts, "copies", "sessions")
    shutil.rmtree(sessions)
    os.makedirs(os.path.join(sessions, ".new"))
    with open(os.path.join(sessions, ".new", "sessions"), "w", encoding="ascii") as file:
        file.write("#!/bin/sh\n")
    stack.up()
    assert os.stat(os.path.join(place, copy, "quota")).st_ino == before, "what is there is not copied again"
    user.url = stack.url
    assert user.call("GET", "/v1/sessions").status == 200, "nothing is lost"
    code, _, notes = stack.command("down", "--erase")
    assert code == 0, notes
    assert not os.path.exists(parts), "nothing is left of it elsewhere"


def test_started_by_another_user_everything_is_theirs(ground):
    """Nothing changes for them: no other user, no server for media, nothing copied."""
    stack = Stack.recorded()
    nobody = pwd.getpwnam("nobody")
    try:
        os.chown(stack.state, nobody.pw_uid, nobody.pw_gid)
        code, out, notes = stack.command(
            "up", "--json", "--bin", stack.programs.folder, user=nobody.pw_uid, group=nobody.pw_gid, extra_groups=[])
        assert code == 0, notes
        stack.document = json.loads(out)
        found = users(stack)
        assert set(SERVICES) <= set(found) and "media" not in found, found
        assert set.union(*(rest | first for rest, first in found.values())) == {nobody.pw_uid}
        assert not os.path.exists(os.path.join(stack.state, "users"))
        user = new_user(stack)
        assert ended(user, user.send_video(small_video()))["status"] == "complete"
    finally:
        stack.down()
