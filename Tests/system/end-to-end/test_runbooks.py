"""The commands of docs/operations.md, taken out of it as they stand: each runbook's, against the trouble that it is for."""
import contextlib
import itertools
import json
import os
import re
import subprocess
import tempfile

import pytest

from support import object_server, runbooks
from support.api import User, send, small_video
from support.places import ROOT
from support.programs import SERVICES
from support.receiver import Receiver
from support.stack import data_of
from support.users import Speaker, ended, new_user
from support.waiting import wait

LIST = "sessions/session_list"
RUNBOOKS = runbooks.for_local_stack()


@pytest.fixture
def runbook(request):
    """A runbook by its heading, on a stack that has come to rest; each of its commands has to be run."""
    books = []

    def give(heading, stack=None):
        stack = stack or request.getfixturevalue("stack")
        wait("the stack has come to rest", lambda: stack.command("ledger")[0] == 0, within=60, every=0.5)
        books.append(runbooks.Runbook(RUNBOOKS[heading], stack.command))
        return books[-1]
    yield give
    for book in books:
        book.end()


@pytest.fixture
def own_session(stack):
    """A session that a test may do harm to."""
    return Speaker(stack, small_video()).session


def test_every_runbook_with_commands_of_the_tools_is_tested_here():
    with open(__file__, encoding="utf-8") as file:
        tested = set(re.findall(r'runbook\("([^"]+)"', file.read()))
    assert tested == set(RUNBOOKS)


def test_what_an_older_version_says_of_a_newer_ones_events_is_found_in_the_document():
    """Whoever looks for the line of a log finds the section that explains it."""
    with open(os.path.join(ROOT, "docs", "operations.md"), encoding="utf-8") as file:
        section = file.read().split("\n### An event that an older version does not know\n")[1].split("\n## ")[0]
    for source, line in (
            ("Shared/Events/EventSourcing/PrivateEvent.swift", "is unknown to this build; start a build that knows it, nothing is skipped."),
            ("Shared/Events/EventRelay/Relay.swift", "relay stopped"),
            ("Shared/Events/EventRelay/RelayTrouble.swift", "unreadable-event"),
            ("Shared/Events/Projections/Projector.swift", "read model stands still"),
            ("Shared/Events/EventConsumer/Retrying.swift", "partition is held"),
            ("Shared/Events/EventConsumer/Retrying.swift", "unreadable-event"),
            ("Shared/Engines/HTTPServer/HTTPServer.swift", "A request failed."),
            ("Shared/Platform/ServiceKit/RowByRow.swift", "a row cannot be worked on"),
            ("Shared/Platform/ServiceKit/RowByRow.swift", "row-unreadable")):
        with open(os.path.join(ROOT, source), encoding="utf-8") as file:
            assert line in file.read() and line in section, (source, line)
    # What every service writes by itself, and an older instance beside it cannot read.
    with open(os.path.join(ROOT, "Shared/Platform/ServiceKit/LifeEvent.swift"), encoding="utf-8") as file:
        types = re.findall(r'EventType\("(\w+)"\)', file.read())
    assert len(types) >= 7 and [name for name in types if f"`{name}`" not in section] == []


def test_a_first_start(stack, runbook):
    runbook("First start").run(0, "nothing is wrong")


def test_a_first_look(runbook, visitor):
    book = runbook("First look")
    book.run(0, "nothing is missing", SESSION=visitor.session)
    book.run(0, "nothing is lost, doubled or late")
    book.run(0, "all are what the logs say")
    book.run(0, "(is|are) the same as live")


def test_a_full_disk_would_be_named(runbook):
    # What fills one is among the tests of the deployment.
    runbook("Kafka is down or its disk is full").run(0, "nothing is wrong")


@contextlib.contextmanager
def small_disk(stack, folder, size):
    """A folder of a stack, moved to a disk of its own while nothing runs; gives what fills that disk, and what empties it."""
    folder = os.path.realpath(folder)
    assert stack.command("down")[0] == 0
    with tempfile.TemporaryDirectory() as kept:
        subprocess.run(["cp", "-a", f"{folder}/.", kept], check=True)
        # In the same tree of mounts as the services, so without one of its own.
        if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=False, capture_output=True).returncode:
            pytest.skip("a small disk is root's to make")
        subprocess.run(["cp", "-a", f"{kept}/.", folder], check=True)
    ballast = os.path.join(folder, "ballast")

    def fill():
        with open(ballast, "wb", buffering=0) as file, pytest.raises(OSError, match="No space left"):
            while True:
                file.write(bytes(1 << 16))
    try:
        stack.up()
        yield fill, lambda: os.remove(ballast)
    finally:
        stack.command("down")
        subprocess.run(["umount", "--lazy", folder], check=True)


@pytest.mark.skipif(
    bool(object_server.wanted() or os.environ.get("OBJECT_STORE")), reason="objects lie on an S3 server, which has its own tests")
def test_a_full_disk_of_the_objects_refuses_uploads_and_loses_nothing(new_stack, runbook):
    new_stack.up()
    media = small_video()
    with small_disk(new_stack, os.path.join(new_stack.state, "objects"), "64m") as (fill, empty):
        before = Speaker(new_stack, media)
        user = new_user(new_stack)
        session = user.create(media).json["id"]
        ready = wait("admitted", lambda: (now := user.session(session)).get("upload") and now)
        book = runbook("The disk is full", new_stack)
        fill()
        refused = user.upload(ready, media)
        assert (refused.status, refused.code) == (503, "temporarily-unavailable") and refused.headers["retry-after"], refused
        assert user.session(session)["status"] == "awaitingUpload", "it may be sent again"
        book.run(4, r"objects has 0 MiB free \(0 %\)")
        assert before.user.call("GET", "/v1/sessions").status == 200
        empty()
        wait("uploaded", lambda: user.upload(ready, media).status == 200, within=60)
        assert user.finalize(session).status in (200, 202)
        assert ended(user, session)["status"] == "complete"
        book.run(0, "services ready", "--no-restart", "--bin", new_stack.programs.folder)
        book.run(0, "nothing is lost, doubled or late")
        assert before.user.call("GET", f"/v1/reports/{before.session}").body == before.report_answer.body


def test_a_full_disk_of_the_database_refuses_what_changes_something_and_loses_nothing(new_stack, runbook):
    new_stack.up()
    with open(os.path.join(new_stack.state, "run", "stack.json"), encoding="utf-8") as file:
        data = json.load(file)["postgres"]["data"]
    with small_disk(new_stack, data, "512m") as (fill, empty):
        book = runbook("The disk is full", new_stack)
        taken = []

        def sign_up(user):
            return send(user.url, "POST", "/v1/auth/sign-up", {"email": user.email, "password": user.password})

        def refused():
            # Until what PostgreSQL has room for in its files is used up.
            user = User(new_stack.url)
            answer = sign_up(user)
            if answer.status == 201:
                taken.append(user)
            return (user, answer) if answer.status == 503 else None
        fill()
        user, answer = wait("it is full", refused, within=120, every=0.05)
        assert answer.code == "temporarily-unavailable" and answer.headers["retry-after"], answer
        book.run(4, r"has 0 MiB free \(0 %\)")
        empty()
        book.run(0, "services ready", "--no-restart", "--bin", new_stack.programs.folder)
        # Whether it was taken the first time, nobody could say.
        wait("it is taken", lambda: sign_up(user).status in (201, 409), within=60, every=0.5)
        user.sign_in()
        book.run(0, "nothing is lost, doubled or late")
        for one in taken[-3:]:
            one.sign_in()


@pytest.mark.skipif(
    bool(object_server.wanted() or os.environ.get("OBJECT_STORE")),
    reason="mirrormate backup refuses where objects lie on an S3 server; run it without SYSTEM_TEST_S3")
def test_a_backup_and_the_way_back(new_stack, runbook):
    new_stack.up()
    bins, folder = ("--bin", new_stack.programs.folder), os.path.join(new_stack.folder, "backup")
    owner = Speaker(new_stack, small_video())
    runbook("Backup", new_stack).run(0, f"{folder} holds everything, verified", ___2026_11_21=folder)
    later = new_user(new_stack)
    book = runbook("Restore", new_stack)
    book.run(0, "identity: gone with the restore", "--yes", *bins, ___2026_11_21=folder)
    assert new_stack.command("status")[0] == 0, "everything runs afterwards"
    answer = send(new_stack.url, "POST", "/v1/auth/sign-in", {"email": later.email, "password": later.password})
    assert answer.status == 401, "who came after the backup is gone"
    refresh = {"refreshToken": owner.signed_up.json["refreshToken"]}
    book.run(0, "refresh-tokens", "--yes", *bins)
    wait("what earlier keys made is refused",
         lambda: send(new_stack.url, "POST", "/v1/auth/refresh", refresh).status == 401, within=60, every=1)
    owner.user.sign_in()
    assert owner.user.call("GET", f"/v1/reports/{owner.session}").body == owner.report_answer.body


@pytest.mark.skipif(
    bool(object_server.wanted() or os.environ.get("OBJECT_STORE")),
    reason="mirrormate backup refuses where objects lie on an S3 server; run it without SYSTEM_TEST_S3")
def test_another_machine(new_stack, runbook):
    new_stack.up()
    folder = os.path.join(new_stack.folder, "backup")
    owner = Speaker(new_stack, small_video())
    book = runbook("Another machine", new_stack)
    assert new_stack.command("backup", folder)[0] == 0
    # What is left of the first machine is the backup.
    assert new_stack.command("down", "--erase", "--yes")[0] == 0
    book.run(0, "no topic is left", "--yes", "--bin", new_stack.programs.folder, ___2026_11_21=folder)
    book.run(0, "nothing is wrong")
    new_stack.up()
    owner.user.url = new_stack.url
    owner.user.sign_in()
    assert owner.user.call("GET", f"/v1/reports/{owner.session}").body == owner.report_answer.body


def test_an_upgrade(new_stack, runbook):
    new_stack.up()
    owner = Speaker(new_stack, small_video())
    book = runbook("Upgrades", new_stack)
    # That of the stack of Compose, which is the same here.
    book.run(0, "nothing is wrong")
    before = {service: new_stack.pid(service) for service in SERVICES}
    for service in SERVICES:
        # As a build leaves them: other files at the same place.
        new_stack.programs.release(service)
    book.run(0, "services ready", "--no-restart", "--bin", new_stack.programs.folder)
    after = {service: new_stack.pid(service) for service in SERVICES}
    assert not set(before.values()) & set(after.values()) and None not in after.values(), (before, after)
    book.run(0, "nothing is wrong")
    owner.user.sign_in()
    assert owner.user.call("GET", f"/v1/reports/{owner.session}").body == owner.report_answer.body


def test_another_log_level(stack, runbook):
    book = runbook("Log level while running")
    book.run(0, "debug")
    stack.command("timeline", "nobody")
    book.run(0, "info")


def test_analyses_that_fail_are_listed(stack, runbook):
    user = new_user(stack)
    session = user.send_video(small_video(b"unreadable"))
    ended(user, session)
    runbook("Analyses fail").run(0, f'JobFailed(.|\\n)*{session}(.|\\n)*"unreadable"')


def test_a_poison_message_is_let_go_on_and_dropped(new_stack, runbook):
    # The ledger names such a record as long as the topic is there.
    stack = new_stack
    stack.up()
    book = runbook("A poison message", stack)
    put_in(stack, "mirrormate.identity.v1", "somebody", "no event at all")

    def parked():
        return [item["reason"] for item in data_of(stack.command("parked", "list", "--json")[1])]
    # Identity's topic is read by all others.
    readers = len(SERVICES) - 1
    wait("everybody who reads the topic has parked it", lambda: parked() == ["foreign-record"] * readers)
    said = book.run(1, f"{readers} parked messages, 0 waiting behind them")
    first = re.search(r"^(\w+/\d+) ", said, re.MULTILINE).group(1)
    book.run(0, f"{first} and, in order, what waits behind it will be handled", sessions_1=first)

    def found():
        return re.findall(r"^(\w+/\d+) (?!.*released)", stack.command("parked", "list")[1], re.MULTILINE)
    # It is what it was, so it is parked again.
    wait("it was tried again", lambda: len(found()) == readers)
    one, *others = found()
    book.run(0, "will be dropped", sessions_1=one)
    for other in others:
        assert stack.command("parked", "drop", other, "--yes")[0] == 0
    wait("nothing is parked", lambda: stack.command("parked", "list")[0] == 0)


def test_what_is_missing_is_published_again(stack, runbook, own_session):
    book = runbook("Messages are missing")
    before = len(stack.topics())
    cursor = stack.sql("select cursor from identity.relay")[0]["cursor"]
    start = str(max(cursor - 1, 0))
    book.run(0, rf"identity publishes again what lies behind position {start}, up to {cursor}", **{"120": start})
    wait("it is done", lambda: stack.sql("select rewind_to from identity.relay")[0]["rewind_to"] is None)
    wait("the topic has more than before", lambda: len(stack.topics()) > before)
    wait("nobody minds", lambda: stack.command("ledger")[0] == 0, within=60, every=0.5)
    code, _, said = stack.command("relay", "rewind", "identity", "999999999")
    assert code == 1 and f"up to position {cursor}" in said, said


def test_a_read_model_that_is_wrong_is_repaired_or_made_anew(stack, runbook, own_session):
    def harm():
        stack.psql(f"update sessions.session_list set progress = 7 where key = '{own_session}'")

    def progress():
        return stack.sql(f"select progress from sessions.session_list where key = '{own_session}'")[0]["progress"]
    book = runbook("A read model is wrong")
    right = progress()
    harm()
    book.run(1, f"{own_session}: progress is 7")
    book.run(0, "the row is again what the log says", KEY=own_session)
    assert progress() == right
    harm()
    book.run(0, "switched at position")
    assert progress() == right
    book.run(0, "the table before is live again")
    assert progress() == 7
    assert stack.command("rebuild", LIST, "--compare", "--switch", "--accept-differences")[0] == 0
    book.run(0, "1 old tables removed")
    assert progress() == right
    assert stack.command("rebuild", LIST, "--accept-differences")[0] == 2


def test_a_row_that_cannot_be_worked_on_is_named_until_it_can(stack, runbook):
    # Somebody without goals: the watch finds nothing to do there as soon as it tries.
    row = "f0000000-0000-7000-8000-000000000001"
    book = runbook("A row that cannot be worked on")
    # Tried so much later that nobody takes it away while it is looked at.
    stack.psql(
        "insert into reporting.stuck_rows (work, key, code, tried_at) "
        f"values ('goals', '{row}', 'row-unreadable', now() + interval '1 hour')")
    book.run(4, f"fails for 1 row: goals {row} \\(row-unreadable\\)")
    with open(os.path.join(stack.state, "run", "stack.json"), encoding="utf-8") as file:
        port = json.load(file)["ports"]["reporting-admin"]
    assert b"\nbackground_stuck_rows 1" in send(f"http://127.0.0.1:{port}", "GET", "/metrics").body
    stack.psql("update reporting.stuck_rows set tried_at = now() - interval '1 hour'")
    wait("it succeeds and is forgotten", lambda: not stack.sql("select 1 from reporting.stuck_rows"))


def test_webhooks_that_do_not_arrive_are_found(stack, runbook, visitor):
    with Receiver() as receiver:
        wanted = {"url": f"{receiver.url}/in", "kinds": ["report.ready"]}
        identity = visitor.user.call("POST", "/v1/webhooks/endpoints", wanted).json["endpointId"]
        assert visitor.user.call("POST", f"/v1/webhooks/endpoints/{identity}/test", {}).status < 300
        wait("it arrives", lambda: receiver.received)
        wait("that is noted", lambda: "delivered" in stack.command("explain", "webhooks", visitor.user.id)[1])
        book = runbook("Webhooks do not arrive")
        book.run(0, "nothing is wrong")
        assert identity in book.run(0, "endpoint.test  delivered, tried 1 time", ada_example_org=visitor.user.email)
        assert visitor.user.call("DELETE", f"/v1/webhooks/endpoints/{identity}").status == 204


def test_what_doctor_finds_of_webhooks_stands_in_the_runbook():
    with open(os.path.join(ROOT, "Services/notifications/Webhooks/WebhookFindings.swift"), encoding="utf-8") as file:
        codes = set(re.findall(r'"(webhooks-\w+)"', file.read()))
    with open(os.path.join(ROOT, "docs", "operations.md"), encoding="utf-8") as file:
        section = file.read().split("\n## Webhooks do not arrive\n")[1].split("\n## ")[0]
    assert codes and codes == set(re.findall(r"^\| `(webhooks-\w+)`", section, re.MULTILINE))


def test_commands_in_sentences_name_what_there_is():
    """Nobody runs these; that they name services, commands and scripts that are there can be seen."""
    with open(os.path.join(ROOT, "docker-compose.yml"), encoding="utf-8") as file:
        parts = set(re.findall(r"^  ([a-z][a-z0-9-]*):$", file.read(), re.MULTILINE))
    known = set(re.findall(r'(?:case|ServiceCommand\()\s*"([a-z-]+)"', runbooks.sources("Shared/Platform/ServiceKit", "Services")))
    found = runbooks.in_sentences()
    assert len(found) > 25, found
    for document, words in found:
        if words[0].startswith("./infra/"):
            assert os.access(os.path.join(ROOT, words[0]), os.X_OK), (document, words)
            continue
        assert words[:2] == ["docker", "compose"], (document, words)
        if "exec" in words and "service" in words:
            place, command = words[words.index("service") - 1:words.index("service") + 2:2]
            assert place in {*SERVICES, "SERVICE"} and command in known, (document, words)
        verbs = [word for word in ("up", "restart", "stop", "logs") if word in words]
        behind = itertools.takewhile(lambda word: word not in ("|", "&&"), words[words.index(verbs[0]) + 1:] if verbs else [])
        named = [word for word in behind if word[0].isalpha()]
        assert set(named) - {"SERVICE", "mirrormate"} <= parts, (document, words)
        # Who restarts more than three of them means all that there are, and identity may be apart.
        services = {word.removesuffix("-2") for word in named} & set(SERVICES)
        assert len(services) <= 3 or services >= set(SERVICES) - {"identity"}, (document, words)


def test_what_an_account_may_still_do(runbook, visitor):
    runbook("Operators' commands").run(0, "^plan free", ada_example_org=visitor.user.email)


def put_in(stack, topic, key, value):
    """A record that no service has written."""
    subprocess.run(
        ["kcat", "-P", "-b", stack.document["kafka"]["bootstrap"], "-t", topic, "-k", key], input=value, text=True, check=True,
        timeout=60)
