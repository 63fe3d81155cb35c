"""The commands that look at history, on the session of the flow: for people, for programs, and their exit codes."""
import json
import os
import pty
import re
import select
import signal
import tempfile
import time
import uuid

from api import small_video
from checks import wait
from flow import new_user

NAMES = ("timeline", "events", "state", "diff", "explain", "replay", "capture", "rebuild", "ledger", "parked", "check")


class Looker:
    """Runs commands and checks exit code and first line; the same once more with --json."""

    def __init__(self, checks, stack):
        self.checks = checks
        self.stack = stack

    def command(self, *words):
        return self.stack.command(*words)

    def human(self, code, first, *words):
        """A command for people; gives all that it said."""
        found, out, notes = self.command(*words)
        line = (out or notes).split("\n", 1)[0]
        self.checks.expect(found == code and re.search(first, line),
                           f"`{' '.join(short(word) for word in words)}` says {first!r} and ends with {code}",
                           lambda: f"{found}: {(out + notes)[:600]}")
        return out + notes

    def program(self, code, *words):
        """A command for programs; gives its document."""
        found, out, notes = self.command(*words, "--json")
        try:
            document = json.loads(out)
        except ValueError:
            document = None
        self.checks.expect(found == code and document is not None,
                           f"`{' '.join(short(word) for word in words)} --json` is a document and ends with {code}",
                           lambda: f"{found}: {(out + notes)[:600]}")
        return document if document is not None else {}

    def both(self, code, first, *words):
        self.human(code, first, *words)
        return self.program(code, *words)


def short(word):
    return word if len(word) < 30 else word[:8] + "…"


def run(checks, stack, flow):
    look = Looker(checks, stack)
    session, user = flow.session, flow.speaker.id
    wait("the stack has come to rest", lambda: look.command("ledger")[0] == 0, within=60, every=0.5)
    timelines(look, session, user)
    states(look, session, user)
    with tempfile.TemporaryDirectory() as folder:
        replays(look, session, flow.speaker, os.path.join(folder, "case.jsonl"))
    ledgers(look)
    faults(look, session)
    rebuilds(look)
    wrong_usage(look, session)
    following(look)
    colours(look, session)


def timelines(look, session, user):
    checks = look.checks
    document = look.both(0, rf"^{session}: \d+ events in 4 services over .*, nothing is missing$", "timeline", session)
    types = [event["type"].split(".")[0] for event in document["events"]]
    wanted = ["SessionCreated", "QuotaReserved", "SessionAdmitted", "UploadStored", "UploadFinalized", "JobQueued",
              "JobCompleted", "ReportWritten", "SessionCompleted", "QuotaCommitted"]
    places = [types.index(name) if name in types else -1 for name in wanted]
    checks.expect(-1 not in places and places == sorted(places), "the timeline has all in causal order", types)
    checks.equal(document["missing"], [], "and misses nothing")
    places = {f"{event['service']}/{event['position']}": number for number, event in enumerate(document["events"])}
    checks.expect(all(places.get(event["cause"], -1) < number for number, event in enumerate(document["events"])
                      if event["cause"]), "no event comes before its cause")
    states = look.human(0, "nothing is missing", "timeline", session, "--states")
    checks.expect("→" in states, "--states shows the states")
    look.human(0, rf"^{user}: \d+ events", "timeline", user)
    look.human(0, "nothing is missing", "timeline", document["events"][3]["id"])
    look.human(3, "Nothing in any log is about", "timeline", str(uuid.uuid4()))
    document = look.both(0, r"^sessions: \d+ events? of \d+ in the log$", "events", "sessions", "--stream",
                         f"session-{session}")
    checks.expect({event["stream"] for event in document["events"]} == {f"session-{session}"}, "of the stream alone")
    document = look.program(0, "events", "sessions", "--from", "1", "--limit", "3", "--data")
    checks.expect([event["position"] for event in document["events"]] == [1, 2, 3]
                  and all("data" in event for event in document["events"]), "from a position, with data")
    document = look.program(0, "events", "sessions", "--type", "SessionCreated", "--since", "2h")
    checks.expect({event["type"] for event in document["events"]} == {"SessionCreated.v1"}, "of a type, since a time")


def states(look, session, user):
    checks = look.checks
    stream, row = f"sessions/session-{session}", ("sessions/session_list", session)
    now = look.both(0, rf"^{stream} at version \d+, position \d+", "state", stream)
    then = look.program(0, "state", stream, "--version", "1")
    checks.expect(then["version"] == 1 and then["state"] != now["state"], "an aggregate as it was at a version")
    now = look.both(0, "as folded by this build", "state", *row)
    then = look.program(0, "state", *row, "--position", str(then["position"]))
    checks.equal((then["state"]["status"], now["state"]["status"]), ("queued", "complete"), "a row as it was")
    past = look.program(0, "state", *row, "--at", then["recordedAt"])
    checks.equal(past["state"]["status"], "queued", "and at a moment")
    look.both(1, "does not exist there and then", "state", *row, "--at", "24h")
    changed = look.both(1, r"\d+ changes by \d+ events from", "diff", *row, "--from", str(then["position"]))
    checks.expect(any(field["field"] == "status" and field["after"] == "complete" for step in changed["changes"]
                      for field in step["fields"]), "the difference names the field", changed)
    look.both(0, "0 changes by 0 events", "diff", stream, "--from", "1000")
    look.both(0, r"made by \d+ events", "explain", *row)
    look.human(0, r"status is complete, set by SessionCompleted at position \d+", "explain", *row, "--field", "status")
    look.both(1, "no event has to do with it", "explain", *row, "--field", "nonsense")
    quota = look.both(0, rf"^{user}: \d+ decisions, the last one", "explain", "quota", user)
    checks.expect(any("QuotaCommitted" in step["type"] for step in quota["decisions"]), "and quota's decisions", quota)


def replays(look, session, user, file):
    checks = look.checks
    same = r"^\d+ decisions made again by this build, all the same; \d+ taken as given$"
    look.both(0, same, "replay", session)
    steps = look.human(0, "1/", "replay", session, "--step")
    checks.expect(re.search(same, steps, re.M) and "→" in steps, "--step shows the states")
    few = look.program(0, "replay", session, "--until", "SessionAdmitted")
    checks.equal(few[-1]["events"], ["SessionAdmitted.v1"], "--until ends there")
    look.human(0, rf"{file}: \d+ events; no personal content is in it", "capture", session, "-o", file)
    look.both(0, same, "replay", "--file", file)
    with open(file, encoding="utf-8") as text:
        case = text.read()
    checks.expect(user.name not in case and user.email not in case, "a capture has no personal content")
    with open(file, "w", encoding="utf-8") as text:
        text.write(case.replace("SessionAdmitted", "ReservationDeclined"))
    look.both(1, "would be others today", "replay", "--file", file)
    said = look.human(0, "WITH PERSONAL CONTENT", "capture", session, "-o", file, "--with-content")
    checks.expect("!!! PERSONAL CONTENT: 1 profile" in said and "1 report" in said, "--with-content says so loudly",
                  said)
    with open(file, encoding="utf-8") as text:
        case = text.read()
    checks.expect(user.name in case and '"personalContent":true' in case.split("\n", 1)[0], "and has the content")
    checks.equal(os.stat(file).st_mode & 0o777, 0o600, "in a file for its owner alone")
    look.both(0, same, "replay", "--file", file)
    look.human(3, "cannot be read", "replay", "--file", file + ".none")


def ledgers(look):
    document = look.both(0, r"^\d+ events, \d+ messages in topics: nothing is lost, doubled or late$", "ledger")
    look.checks.equal([document["faults"], len(document["services"])], [[], 5], "the ledger has five services")
    look.both(0, "Nothing is parked", "parked")
    look.human(1, "is not parked", "parked", "show", "quota/999999")
    look.both(0, r"\d+ rows in 4 read models: all are what the logs say", "check")
    look.human(0, "all are what the logs say", "check", "sessions/session_list", "--sample", "2")


def faults(look, session):
    """A row changed by hand: `check` and `rebuild` name it; it is mended from its events."""
    checks, row = look.checks, "sessions/session_list"
    look.stack.psql(f"update sessions.session_list set progress = 7 where key = '{session}'")
    said = look.human(1, "1 row of", "check", row)
    checks.expect(f"{session}: progress is 7" in said, "with row and field", said)
    found = look.program(1, "check", row)
    checks.equal([drift["key"] for drift in found[0]["different"]], [session], "also for programs")
    said = look.human(1, "rows? from", "rebuild", row, "--compare", "--switch")
    checks.expect("first event at which they part" in said and "not switched" in said, "a comparison finds it too",
                  said)
    look.both(0, "the row is again what the log says", "check", row, "--repair", session)
    look.human(0, "all are what the logs say", "check", row)
    look.stack.psql(f"delete from sessions.session_list where key = '{session}'")
    said = look.human(1, "1 row of", "check", row)
    checks.expect(f"{session}: the row is missing" in said, "a deleted row too", said)
    look.human(0, "the row is again what the log says", "check", row, "--repair", session)


def rebuilds(look):
    checks, row = look.checks, "sessions/session_list"
    document = look.both(0, r"\d+ rows from \d+ events in .* events/s", "rebuild", row, "--compare")
    checks.equal(document["differences"], 0, "the rebuilt table is the live one")
    document = look.program(0, "rebuild", row, "--compare", "--switch")
    checks.expect(document.get("switchedAt", 0) > 0, "and takes its place", document)
    user = new_user(look.stack)
    created = user.create(small_video())
    wait("the service folds on in it", lambda: created.json["id"] in [
        item["id"] for item in user.call("GET", "/v1/sessions").json["items"]])
    look.human(0, "the table before is live again", "rebuild", row, "--rollback")
    wait("the table before has caught up", lambda: look.command("check", row)[0] == 0, within=30)
    look.human(0, r"\d+ old tables? removed", "rebuild", row, "--drop-old")
    look.human(3, "nothing to go back to", "rebuild", row, "--rollback")


def wrong_usage(look, session):
    for name in NAMES:
        # `parked` alone takes a word of its own list.
        words = (name,) if name == "parked" else (name, session)
        look.human(2, "There is no option --nonsense", *words, "--nonsense")
        out = look.human(0, f"^mirrormate {name}", name, "--help")
        look.checks.expect("Exit codes: 0 as expected" in out, f"`{name} --help` says the exit codes")
    look.human(2, "There is no service nobody", "events", "nobody")
    look.human(2, "There is no read model sessions/nothing", "check", "sessions/nothing")
    look.human(2, "must be a UUID", "timeline", "nonsense")
    with tempfile.TemporaryDirectory() as empty:
        for words in (("events", "sessions"), ("ledger",), ("check",), ("timeline", session)):
            code, _, notes = look.stack.command(*words, state=empty)
            look.checks.expect(code == 3 and "There is no stack" in notes, f"`{words[0]}` without a stack ends with 3",
                               (code, notes))


def following(look):
    """`--follow` tells of what comes, `--watch` of what is; both go on until Ctrl-C."""
    checks, stack = look.checks, look.stack
    user = new_user(stack)
    created = user.create(small_video()).json["id"]
    with stack.running_command("timeline", created, "--follow") as running:
        read_until(running, "SessionAdmitted")
        user.call("POST", f"/v1/sessions/{created}/cancel", {})
        said = read_until(running, "SessionCancelled")
        checks.expect("SessionCancelled" in said, "`timeline --follow` tells of what is added", said)
        running.send_signal(signal.SIGINT)
        checks.equal(running.wait(timeout=10), -signal.SIGINT, "until Ctrl-C")
    with stack.running_command("ledger", "--watch") as running:
        said = read_until(running, "messages in topics", times=2)
        checks.equal(said.count("messages in topics"), 2, "`ledger --watch` looks again")
        running.send_signal(signal.SIGINT)
        checks.equal(running.wait(timeout=10), -signal.SIGINT, "until Ctrl-C")


def read_until(running, text, times=1, within=60):
    """What a command has printed until a text came so many times, or it was too late."""
    said, deadline = "", time.monotonic() + within
    while said.count(text) < times and time.monotonic() < deadline:
        if select.select([running.stdout], [], [], 0.5)[0]:
            part = os.read(running.stdout.fileno(), 65536).decode("utf-8", "replace")
            if not part:
                break
            said += part
    return said


def colours(look, session):
    """Colours on a terminal, and only there."""
    def on_terminal(**variables):
        leader, follower = pty.openpty()
        try:
            with look.stack.running_command(
                    "timeline", session, stdout=follower,
                    variables={"TERM": "xterm", **variables}) as running:
                os.close(follower)
                said = b""
                while True:
                    try:
                        part = os.read(leader, 65536)
                    except OSError:
                        break
                    if not part:
                        break
                    said += part
                running.wait(timeout=60)
            return said.decode()
        finally:
            os.close(leader)

    checks = look.checks
    checks.expect("\x1b[" in on_terminal(NO_COLOR=""), "a terminal gets colours")
    checks.expect("\x1b[" not in on_terminal(NO_COLOR="1"), "but not with NO_COLOR")
    checks.expect("\x1b[" not in on_terminal(NO_COLOR="", TERM="dumb"), "nor a dumb one")
    with look.stack.running_command("timeline", session, variables={"TERM": "xterm"}) as running:
        checks.expect("\x1b[" not in running.communicate(timeout=60)[0], "nor a pipe")
