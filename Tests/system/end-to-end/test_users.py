"""Started by root, every part of a stack runs as a user of its own and sees what is its own; started by others, as they."""
import os
import shutil
import subprocess

import pytest

from support.api import FINAL, small_video
from support.kept import Kept
from support.places import ROOT
from support.processes import family, has_landlock
from support.programs import SERVICES
from support.stack import Stack, data_of
from support.users import ended, new_user

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="needs root, which alone may give others a user")

# They give others a user, and open nothing that comes from outside.
SUPERVISORS = {"gateway", "media", "pictures"}


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


def changeable(user, folder):
    """The files and folders below a folder that somebody can write, or whose modes they can change; by trying."""
    found = {folder}
    for place, folders, names in os.walk(folder):
        # Closed as a whole, and of a thousand files.
        folders[:] = [name for name in folders if os.path.join(place, name) != os.path.join(folder, "postgres", "data")]
        found |= {os.path.join(place, name) for name in (*folders, *names)}
    script = """
        umask 077
        while read -r path; do
            [ ! -L "$path" ] || continue
            if [ -d "$path" ]; then (: >"$path/.tried") 2>/dev/null && rm "$path/.tried" && echo "$path" && continue
            else (: >>"$path") 2>/dev/null && echo "$path" && continue
            fi
            chmod --reference="$path" "$path" 2>/dev/null && echo "$path"
        done
        exit 0"""
    done = subprocess.run(["sh", "-c", script], input="\n".join(sorted(found)) + "\n", cwd="/", user=user, group=user,
                          extra_groups=[], capture_output=True, text=True, check=True)
    return {os.path.relpath(path, folder) for path in done.stdout.splitlines()}


def used_by_somebody(stack):
    """So that there is something of every part."""
    user = new_user(stack)
    assert ended(user, user.send_video(small_video()))["status"] == "complete"
    return user


def first_user(stack, name):
    return next(iter(users(stack)[name][1]))


def closed_stack():
    """A stack whose folder, with its programs and the project's own files, only root gets into; with the real media helper."""
    stack = Stack()
    os.chmod(stack.folder, 0o700)
    home = os.path.join(stack.folder, "home")
    for name in ("infra", "docs"):
        shutil.copytree(os.path.join(ROOT, name), os.path.join(home, name))
    stack.home = home
    return stack


@pytest.fixture(scope="module")
def kept_closed(ground):
    kept = Kept(closed_stack, Stack.down)
    yield kept
    kept.end()


@pytest.fixture
def closed(kept_closed, request):
    """One that tests share; each starts it, where none before has."""
    with kept_closed.lent_in_file(request) as stack:
        yield stack


@pytest.fixture
def new_closed(ground):
    """One of a test's own."""
    stack = closed_stack()
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
        facts = os.stat(os.path.join(stack.state, "users", path))
        assert (facts.st_mode & 0o777, facts.st_uid, facts.st_gid) == (0o440, 0, number), path


def test_a_service_reads_the_objects_that_it_declares(stack):
    user = new_user(stack)
    # Otherwise it may be gone before it is looked for.
    assert user.call("PUT", "/v1/retention", {"keepMediaDays": 7}).status == 200
    assert ended(user, user.send_video(small_video()))["status"] == "complete"
    wanted = {"identity": set(), "quota": set(), "sessions": {"media"}, "analysis": {"media", "documents"}, "reporting": {"documents"}}
    for service, folders in wanted.items():
        number = first_user(stack, service)
        found = readable(stack, number, number, os.path.join(stack.state, "objects"))
        assert {path.split("/")[0] for path in found} == folders, f"{service}: {found}"
    for service in set(SERVICES) - {"identity"}:
        number = first_user(stack, service)
        assert readable(stack, number, number, os.path.join(stack.state, "mail")) == set(), f"{service} reads no mail"


OWN_FOLDERS = {"identity": {"mail", "photos", "objects/export-identity"},
               "sessions": {"objects/uploads", "objects/media", "objects/export-sessions"}, "quota": {"objects/export-quota"},
               "analysis": {"scratch", "objects/documents"}, "reporting": {"objects/export-reporting"}, "kafka": {"kafka"}}


@pytest.mark.parametrize("part", OWN_FOLDERS)
def test_a_part_writes_into_its_own_folders_and_nowhere_else(stack, part):
    stack.kept("used", lambda: used_by_somebody(stack))
    found = changeable(first_user(stack, part), stack.state)
    assert {path for path in found if not any(path == own or path.startswith(own + "/") for own in OWN_FOLDERS[part])} == set()
    assert found >= OWN_FOLDERS[part], found


def test_a_part_puts_nothing_in_the_place_of_its_folder(stack):
    """Root goes by the names of these folders."""
    for part, folders in OWN_FOLDERS.items():
        number = first_user(stack, part)
        for folder in folders:
            path = os.path.join(stack.state, folder)
            done = subprocess.run(["mv", "-T", path, path + ".away"], cwd="/", user=number, group=number, extra_groups=[],
                                  capture_output=True, text=True, check=False)
            assert done.returncode != 0 and os.path.isdir(path), f"{part}: {folder}"


def test_the_doctor_names_who_runs_as_root(stack):
    def said():
        _, out, notes = stack.command("doctor", "--json", "--bin", stack.programs.folder)
        return {(one["part"], one["code"]) for one in data_of(out)["findings"]}, notes

    found, notes = said()
    assert found <= {("analysis", "landlock-missing"), ("disk", "disk-full")}, notes
    assert (("analysis", "landlock-missing") in found) != has_landlock(), notes
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


def test_a_copy_of_a_state_folder_ends_nothing_of_the_original(stack, tmp_path):
    """Its pid files name the original's processes."""
    copy = str(tmp_path / "copy")
    subprocess.run(["cp", "-a", "--", stack.state, copy], check=True)
    before = {name: stack.pid(name) for name in stack.parts()}
    assert all(before.values())
    for command in (("status",), ("down",), ("down", "--erase", "--yes")):
        code, out, notes = stack.command(*command, state=copy)
        assert code == (4 if command == ("status",) else 0) and "running" not in out, (command, code, out, notes)
    assert {name: stack.pid(name) for name in stack.parts()} == before
    assert not os.path.exists(copy) and stack.command("status")[0] == 0


def test_what_an_older_version_left_is_taken_over(stack):
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


def listing(*folders):
    """What lies below folders, with what tells whether it was changed."""
    found = {}
    for top in folders:
        for place, inside, names in os.walk(top):
            for path in (place, *(os.path.join(place, name) for name in (*inside, *names))):
                facts = os.lstat(path)
                found[path] = (facts.st_ino, facts.st_mode, facts.st_uid, facts.st_gid, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns)
    return found


def test_the_doctor_changes_nothing(closed):
    stack = closed
    nowhere = os.path.join(stack.folder, "never")
    code, out, _ = stack.command("doctor", "--json", state=nowhere)
    assert code == 4 and "never-started" in {one["code"] for one in data_of(out)["findings"]}
    assert not os.path.exists(nowhere), "looking makes no stack"
    stack.up()
    parts = os.path.dirname(os.path.realpath(os.path.join(stack.state, "objects")))
    # As after a build: the copy that runs is not one of this program.
    os.utime(os.path.join(stack.programs.folder, "quota"))
    places = [os.path.join(parts, "copies"), os.path.join(parts, "users"),
              *(os.path.join(stack.state, name) for name in ("secrets", "run", "models"))]
    before = listing(*places)
    code, out, notes = stack.command("doctor", "--json", "--bin", stack.programs.folder)
    assert {one["code"] for one in data_of(out)["findings"]} <= {"landlock-missing", "disk-full"}, notes
    assert listing(*places) == before
    running = os.path.join(parts, "copies", "quota")
    old, = [name for name in os.listdir(running) if not name.startswith(".")]
    stack.up()
    new, = [name for name in os.listdir(running) if not name.startswith(".")]
    assert new != old, "up copies what was built anew, and then removes the old copy"


def test_a_closed_stack_that_was_moved_finds_its_data(closed):
    """Its data lie elsewhere, under a name that it keeps; a copy of it is refused them."""
    stack = closed
    stack.up()
    user = new_user(stack)
    assert stack.command("down")[0] == 0
    before, elsewhere = stack.state, os.path.realpath(os.path.join(stack.state, "objects"))
    stack.state = os.path.join(stack.folder, "moved")
    os.rename(before, stack.state)
    code, out, notes = stack.command("up", "--no-restart", "--json", "--bin", stack.programs.folder)
    assert code == 0 and before in notes, notes
    stack.document = data_of(out)
    user.url = stack.url
    user.sign_in()
    assert os.path.realpath(os.path.join(stack.state, "objects")) == elsewhere
    copy = os.path.join(stack.folder, "copied")
    shutil.copytree(stack.state, copy, symlinks=True, ignore=shutil.ignore_patterns("run"))
    os.makedirs(os.path.join(copy, "run"))
    code, _, notes = stack.command("up", "--no-restart", "--bin", stack.programs.folder, state=copy)
    assert code == 3 and stack.state in notes and "copy" in notes, notes
    assert user.call("GET", "/v1/sessions").status == 200
    assert stack.command("down", "--erase", "--yes", state=copy)[0] == 0
    assert not os.path.exists(copy) and os.path.exists(elsewhere), "the data are the other one's"
    assert user.call("GET", "/v1/sessions").status == 200


def test_below_a_closed_folder_it_works(closed):
    """What other users need is copied once, and a copy that was interrupted is made again."""
    stack = closed
    stack.up()
    # In the end nothing is left of it.
    stack.is_used_up = True
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
    code, _, notes = stack.command("down", "--erase", "--yes")
    assert code == 0, notes
    assert not os.path.exists(parts), "nothing is left of it elsewhere"


def test_java_may_lie_below_a_closed_folder(new_closed):
    if not os.environ.get("KAFKA_HOME"):
        pytest.skip("needs an Apache Kafka: set KAFKA_HOME")
    stack = new_closed
    java = os.path.join(stack.folder, "java", "bin", "java")
    os.makedirs(os.path.dirname(java))
    with open(java, "w", encoding="ascii") as file:
        file.write(f'#!/bin/sh\nexec {os.path.realpath(shutil.which("java"))} "$@"\n')
    os.chmod(java, 0o755)
    code, out, notes = stack.command("up", "--no-restart", "--json", "--bin", stack.programs.folder,
                                     variables={"JAVA_HOME": os.path.join(stack.folder, "java")})
    assert code == 0, notes
    stack.document = data_of(out)
    assert stack.document["kafka"]["kind"] == "apache"


def test_started_by_another_user_everything_is_theirs(ground):
    """Nothing changes for them: no other user, no server for media, nothing copied."""
    stack = Stack.recorded()
    stack.belong_to("nobody")
    try:
        stack.up()
        found = users(stack)
        assert set(SERVICES) <= set(found) and not {"media", "pictures"} & set(found), found
        assert set.union(*(rest | first for rest, first in found.values())) == {stack.user.pw_uid}
        assert not os.path.exists(os.path.join(stack.state, "users"))
        user = new_user(stack)
        assert ended(user, user.send_video(small_video()))["status"] == "complete"
    finally:
        stack.down()
