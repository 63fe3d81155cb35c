"""Every command of docs/debugging.md: what it says to people and to programs, and its exit codes."""
import os
import pty
import random
import re
import select
import signal
import time
import uuid

import pytest

from support.api import small_video
from support.notes import note
from support.programs import SERVICES
from support.stack import data_of
from support.users import Speaker, ended, new_user
from support.waiting import wait

COMMANDS = ("timeline", "events", "state", "diff", "explain", "replay", "capture", "rebuild", "ledger", "parked", "check")
LIST = "sessions/session_list"
SAME = r"^\d+ decisions made again by this build, all the same; \d+ taken as given$"


class Looker:
    """Runs commands and judges their exit code and first line."""

    def __init__(self, stack):
        self.stack = stack

    def command(self, *words, **more):
        return self.stack.command(*words, **more)

    def human(self, code, first, *words):
        """A command for people; gives all that it said."""
        found, out, notes = self.command(*words)
        line = (out or notes).split("\n", 1)[0]
        assert (found, bool(re.search(first, line))) == (code, True), f"{words}: wanted {first!r}:\n{out}{notes}"
        return out + notes

    def program(self, code, *words):
        """The same for programs; gives its document."""
        found, out, notes = self.command(*words, "--json")
        assert found == code, f"{words}:\n{out}{notes}"
        return data_of(out)

    def both(self, code, first, *words):
        self.human(code, first, *words)
        return self.program(code, *words)


@pytest.fixture
def look(stack, varied_history, visitor):
    look = Looker(stack)
    wait("the stack has come to rest", lambda: look.command("ledger")[0] == 0, within=60, every=0.5)
    return look


@pytest.fixture
def session(visitor):
    return visitor.session


@pytest.fixture
def row(session):
    """The session's row in the list."""
    return LIST, session


@pytest.fixture
def own_session(stack):
    """A session that a test may do harm to."""
    return Speaker(stack, small_video()).session


# MARK: timeline and events

def test_the_timeline_has_all_of_a_session_in_causal_order(look, session):
    document = look.both(0, rf"^{session}: \d+ events in 4 services over .*, nothing is missing$", "timeline", session)
    types = [event["type"].split(".")[0] for event in document["events"]]
    wanted = ["SessionCreated", "QuotaReserved", "SessionAdmitted", "UploadStored", "UploadFinalized", "JobQueued",
              "JobCompleted", "ReportWritten", "SessionCompleted", "QuotaCommitted"]
    places = [types.index(name) if name in types else -1 for name in wanted]
    assert -1 not in places and places == sorted(places), types
    assert document["missing"] == []
    places = {f"{event['service']}/{event['position']}": number for number, event in enumerate(document["events"])}
    assert all(places.get(event["cause"], -1) < number for number, event in enumerate(document["events"])
               if event["cause"]), "no event comes before its cause"


def test_the_timeline_can_show_states(look, session):
    assert "→" in look.human(0, "nothing is missing", "timeline", session, "--states")


def test_the_timeline_starts_from_a_user_or_an_event_too(look, session, visitor):
    look.human(0, rf"^{visitor.user.id}: \d+ events", "timeline", visitor.user.id)
    document = look.program(0, "timeline", session)
    look.human(0, "nothing is missing", "timeline", document["events"][3]["id"])
    look.human(3, "Nothing in any log is about", "timeline", str(uuid.uuid4()))


def test_events_can_be_had_of_a_stream_from_a_position_and_of_a_type(look, session):
    document = look.both(0, r"^sessions: \d+ events? of \d+ in the log$", "events", "sessions", "--stream",
                         f"session-{session}")
    assert {event["stream"] for event in document["events"]} == {f"session-{session}"}
    # As a narrow table shows it.
    few = look.program(0, "events", "sessions", "--stream", f"session-{session[:13]}…")
    assert few["events"] == document["events"]
    document = look.program(0, "events", "sessions", "--from", "1", "--limit", "3", "--data")
    assert [event["position"] for event in document["events"]] == [1, 2, 3]
    assert all("data" in event for event in document["events"])
    document = look.program(0, "events", "sessions", "--type", "SessionCreated", "--since", "2h")
    assert {event["type"] for event in document["events"]} == {"SessionCreated.v1"}


# MARK: what an operator looks for first

def test_the_sessions_are_listed_with_their_owners_and_states(look, session, visitor):
    document = look.both(0, "^session ", "sessions", "list", visitor.user.id)
    listed = {one["id"]: one for one in document["sessions"]}
    assert listed[session]["status"] == "complete" and {one["owner"] for one in listed.values()} == {visitor.user.id}
    assert look.program(0, "sessions", visitor.user.id, "--status", "expired")["sessions"] == []
    assert document["more"] is False
    # The history has sessions of several people.
    assert "There are more: --limit 2 shows" in look.human(0, "^session ", "sessions", "list", "--limit", "1")
    few = look.program(0, "sessions", "list", "--limit", "1")
    assert (len(few["sessions"]), few["more"]) == (1, True), few
    assert look.command("sessions", "list", "--status", "nope")[0] == 2


def test_an_account_is_found_by_its_address(look, visitor):
    assert look.program(0, "users", "find", visitor.user.email)["id"] == visitor.user.id
    assert look.command("users", "find", "nobody@example.org")[0] == 1
    code, _, said = look.command("users", "remove-factor", visitor.user.email, "--yes")
    assert code == 1 and "second factor" in said, said


def test_the_logs_of_all_parts_are_one_in_the_order_of_time(look, session):
    lines = [data_of(line) for line in look.command("logs", "--lines", "100000", "--json")[1].splitlines()]
    times = [line["at"][:19] for line in lines]
    assert times == sorted(times) and {line["part"] for line in lines} >= {*SERVICES, "gateway"}, "the services and the gateway"
    assert all(line["line"].get("service", "gateway") == line["part"] for line in lines), "as they stand in the files"
    assert session in look.human(0, session[:8], "logs", "--trace", session)
    assert look.command("logs", "--level", "nope")[0] == 2
    assert "No line is like that" in look.human(0, "", "logs", "--trace", str(uuid.uuid4()))


# MARK: state, diff and explain

def test_the_state_of_an_aggregate_can_be_had_at_a_version(look, session):
    stream = f"sessions/session-{session}"
    now = look.both(0, rf"^{stream} at version \d+, position \d+", "state", stream)
    then = look.program(0, "state", stream, "--version", "1")
    assert then["version"] == 1 and then["state"] != now["state"]
    look.both(1, "does not exist there and then", "state", stream, "--at", "24h")


def test_the_state_of_a_row_can_be_had_at_a_position_and_a_moment(look, session, row):
    first = look.program(0, "state", f"sessions/session-{session}", "--version", "1")
    now = look.both(0, "as folded by this build", "state", *row)
    then = look.program(0, "state", *row, "--position", str(first["position"]))
    assert (then["state"]["status"], now["state"]["status"]) == ("queued", "complete")
    assert look.program(0, "state", *row, "--at", then["recordedAt"])["state"]["status"] == "queued"
    look.both(1, "does not exist there and then", "state", *row, "--at", "24h")


def test_the_difference_names_the_fields(look, session, row):
    stream = f"sessions/session-{session}"
    first = look.program(0, "state", stream, "--version", "1")
    changed = look.both(1, r"\d+ changes by \d+ events from", "diff", *row, "--from", str(first["position"]))
    fields = [(field["field"], field["after"]) for step in changed["changes"] for field in step["fields"]]
    assert ("status", "complete") in fields, changed
    last = look.program(0, "state", stream)
    look.both(0, "0 changes by 0 events", "diff", stream, "--from", str(last["version"]))


def test_a_row_and_a_quota_are_explained(look, row, visitor):
    look.both(0, r"made by \d+ events", "explain", *row)
    look.human(0, r"status is complete, set by SessionCompleted at position \d+", "explain", *row, "--field", "status")
    look.human(2, "a field nonsense", "explain", *row, "--field", "nonsense")
    user = visitor.user.id
    quota = look.both(0, rf"^{user}: \d+ decisions, the last one", "explain", "quota", user)
    assert any("QuotaCommitted" in step["type"] for step in quota["decisions"]), quota


def test_a_trend_is_explained_by_its_reports_and_its_rule(look, session, visitor):
    user = visitor.user.id
    said = look.both(0, r"^confidenceScore: not-enough-yet over \d reports", "explain", "progress", user, "confidenceScore")
    assert session in {line["sessionId"] for line in said["taken"] + said["left"]}, said
    assert "takes 5 comparable reports" in said["rule"]
    look.human(2, "Progress is not told of charisma", "explain", "progress", user, "charisma")
    look.human(2, "Name the owner and a measure", "explain", "progress", user)
    look.both(1, "", "explain", "progress", str(uuid.uuid4()), "confidenceScore")


def test_a_goal_is_explained_by_its_reports_and_its_rule(look, visitor):
    wanted = {"measure": "fillersPerMin", "atMost": 3, "recordings": 1}
    goal = visitor.user.call("POST", "/v1/goals", wanted).json["goalId"]
    wait("the goal is folded", lambda: look.command("explain", "goal", goal)[0] == 0)
    said = look.both(0, r"^fillersPerMin at most 3\.0 per minute in 1 recording within 7 days: open, 0 of 1$", "explain", "goal", goal)
    assert (said["owner"], said["goal"]["standing"], said["goal"]["reports"]) == (visitor.user.id, "open", []), said
    # As a narrow table shows it.
    assert look.program(0, "explain", "goal", f"{goal[:13]}…") == said
    assert visitor.user.call("DELETE", f"/v1/goals/{goal}").status == 204
    wait("it is gone", lambda: look.command("explain", "goal", goal)[0] == 1)
    look.human(2, "Name the goal's id", "explain", "goal", "nonsense")
    look.human(1, "There is no goal that begins so", "explain", "goal", goal[:13])
    look.both(1, "There is no goal", "explain", "goal", str(uuid.uuid4()))


def test_a_goal_that_was_met_names_the_report_that_counted_and_its_rules(look):
    user = new_user(look.stack)
    goal = user.call("POST", "/v1/goals", {"measure": "eyeContactPct", "atLeast": 0.5, "recordings": 1}).json["goalId"]
    session = user.send_video(small_video())
    assert ended(user, session)["status"] == "complete"
    report = user.call("GET", f"/v1/reports/{session}").json
    wait("the goal is met", lambda: "met, 1 of 1" in look.command("explain", "goal", goal)[1])
    said = look.both(0, r"^eyeContactPct at least 0\.5 0-1 in 1 recording within 7 days: met, 1 of 1$", "explain", "goal", goal)
    line, = said["goal"]["reports"]
    assert (line["sessionId"], line["counts"], line["rulesVersion"]) == (session, True, report["rulesVersion"])
    assert line["value"] == report["measures"]["eyeContactPct"]["value"]
    shown = look.human(0, "met", "explain", "goal", goal)
    assert re.search(rf"\+1 +{session} +rules {report['rulesVersion']} +{line['value']}$", shown, re.M), shown


# MARK: replay and capture

def test_a_replay_makes_the_same_decisions_again(look, session):
    look.both(0, SAME, "replay", session)
    steps = look.human(0, "1/", "replay", session, "--step")
    assert re.search(SAME, steps, re.M) and "→" in steps, steps
    few = look.program(0, "replay", session, "--until", "SessionAdmitted")
    assert few[-1]["events"] == ["SessionAdmitted.v1"]


def test_a_capture_can_be_replayed_and_has_no_personal_content(look, session, visitor, tmp_path):
    file = tmp_path / "case.jsonl"
    look.human(0, rf"{file}: \d+ events; no personal content is in it", "capture", session, "-o", str(file))
    look.both(0, SAME, "replay", "--file", str(file))
    case = file.read_text()
    assert visitor.user.name not in case and visitor.user.email not in case
    file.write_text(case.replace("SessionAdmitted", "ReservationDeclined"))
    look.both(1, "would be others today", "replay", "--file", str(file))
    look.human(3, "cannot be read", "replay", "--file", f"{file}.none")


def test_a_capture_with_content_says_so_loudly(look, session, visitor, tmp_path):
    file = tmp_path / "case.jsonl"
    said = look.human(0, "WITH PERSONAL CONTENT", "capture", session, "-o", str(file), "--with-content")
    assert "!!! PERSONAL CONTENT: 1 profile" in said and "1 report" in said, said
    case = file.read_text()
    assert visitor.user.name in case and '"personalContent":true' in case.split("\n", 1)[0]
    assert os.stat(file).st_mode & 0o777 == 0o600, "it is in a file for its owner alone"
    look.both(0, SAME, "replay", "--file", str(file))


# MARK: ledger, parked and check

def test_the_ledger_says_that_nothing_is_lost_doubled_or_late(look):
    document = look.both(0, r"^\d+ events, \d+ messages in topics: nothing is lost, doubled or late$", "ledger")
    assert (document["faults"], len(document["services"])) == ([], len(SERVICES))


def test_nothing_is_parked(look):
    look.both(0, "Nothing is parked", "parked")
    look.human(1, "is not parked", "parked", "show", "quota/999999")


def test_read_models_are_what_the_logs_say(look):
    look.both(0, r"\d+ rows in 8 read models: all are what the logs say", "check")
    look.human(0, "all are what the logs say", "check", LIST, "--sample", "2")


def test_a_row_changed_by_hand_is_named_and_mended_from_its_events(look, own_session):
    look.stack.psql(f"update sessions.session_list set progress = 7 where key = '{own_session}'")
    assert f"{own_session}: progress is 7" in look.human(1, "1 row of", "check", LIST)
    found = look.program(1, "check", LIST)
    assert [drift["key"] for drift in found[0]["different"]] == [own_session]
    said = look.human(1, "rows? from", "rebuild", LIST, "--compare", "--switch")
    assert "first event at which they part" in said and "not switched" in said, said
    look.both(0, "the row is again what the log says", "check", LIST, "--repair", own_session)
    look.human(0, "all are what the logs say", "check", LIST)


def test_a_deleted_row_is_named_and_mended_from_its_events(look, own_session):
    look.stack.psql(f"delete from sessions.session_list where key = '{own_session}'")
    assert f"{own_session}: the row is missing" in look.human(1, "1 row of", "check", LIST)
    # No row begins so: the log knows the key.
    look.human(0, f"{own_session}: the row is again what the log says", "check", LIST, "--repair", own_session[:13])
    look.human(0, "all are what the logs say", "check", LIST)


# MARK: rebuild

def test_a_rebuilt_table_is_the_live_one(look):
    document = look.both(0, r"\d+ rows from \d+ events in .* events/s", "rebuild", LIST, "--compare")
    assert document["differences"] == 0


def test_a_rebuilt_table_takes_the_live_ones_place_and_gives_it_back(look):
    document = look.program(0, "rebuild", LIST, "--compare", "--switch")
    assert document.get("switchedAt", 0) > 0, document
    user = new_user(look.stack)
    created = user.create(small_video())
    wait("the service folds on in it", lambda: created.json["id"] in [
        item["id"] for item in user.call("GET", "/v1/sessions").json["items"]])
    look.human(0, "the table before is live again", "rebuild", LIST, "--rollback")
    wait("the table before has caught up", lambda: look.command("check", LIST)[0] == 0)
    look.human(0, r"\d+ old tables? removed", "rebuild", LIST, "--drop-old")
    look.human(3, "nothing to go back to", "rebuild", LIST, "--rollback")


def test_a_rebuild_is_an_event_of_the_service_and_stands_in_the_timeline_between_the_steps(look):
    user = new_user(look.stack)
    created = user.create(small_video()).json["id"]
    look.program(0, "rebuild", LIST, "--compare")
    user.call("POST", f"/v1/sessions/{created}/cancel", {})
    wait("the end is told", lambda: "SessionCancelled" in look.command("timeline", created)[1])
    document = look.program(0, "timeline", created)
    assert [(one["service"], one["kind"]) for one in document["upkeep"]] == [("sessions", "rebuild")], document["upkeep"]
    assert re.search(r"sessions +\(rebuild\).*session_list was made anew", look.human(0, "nothing is missing", "timeline", created))
    wait("the service tells it", lambda: look.command("events", "sessions", "--type", "ReadModelRebuilt")[0] == 0, within=60, every=0.5)
    told = look.program(0, "events", "sessions", "--type", "ReadModelRebuilt", "--data")["events"]
    assert {event["data"]["model"] for event in told} == {"session_list"}, told


# MARK: wrong usage

@pytest.mark.parametrize("name", COMMANDS)
def test_help_and_unknown_options_of_a_command_are_told(look, session, name):
    # `parked` alone takes a word of its own list.
    words = (name,) if name == "parked" else (name, session)
    look.human(2, "There is no option --nonsense", *words, "--nonsense")
    out = look.human(0, f"^mirrormate {name}", name, "--help")
    assert "Exit codes: 0 as expected" in out, out


def test_unknown_names_are_told(look):
    look.human(2, "There is no service nobody", "events", "nobody")
    look.human(2, "There is no read model sessions/nothing", "check", "sessions/nothing")
    look.human(2, "must be an id", "timeline", "nonsense")


def test_what_names_nothing_in_a_history_is_told_with_what_there_is(look, session):
    stream = f"sessions/session-{session}"
    assert "SessionCreated" in look.human(2, "no events of type SessionCraeted", "events", "sessions", "--type", "SessionCraeted")
    look.human(2, "no stream nope", "events", "sessions", "--stream", "nope")
    look.human(2, "has [0-9]+ versions", "state", stream, "--version", "99")
    look.human(2, "ends at position", "state", LIST, session, "--position", "999999")
    look.human(2, "5 comes after 2", "diff", stream, "--from", "5", "--to", "2")
    look.human(2, "has [0-9]+ versions", "diff", stream, "--from", "99")
    assert "status" in look.human(2, "a field statsu", "explain", LIST, session, "--field", "statsu")
    look.human(2, "has no row nope", "check", LIST, "--repair", "nope")
    assert "SessionCreated" in look.human(2, "is nope", "replay", session, "--until", "nope")


@pytest.mark.parametrize("name", ["events", "ledger", "check", "timeline"])
def test_a_command_without_a_stack_ends_with_3(look, session, tmp_path, name):
    words = {"events": ["sessions"], "timeline": [session]}.get(name, [])
    code, _, notes = look.command(name, *words, state=str(tmp_path))
    assert code == 3 and "There is no stack" in notes, (code, notes)


# MARK: parts that die or stand still

# What the doctor finds of some machines, whatever runs on them.
OF_THE_MACHINE = ("landlock-missing", "disk-full")


def first_line(look, *words):
    """What a command says first, to people; nothing while it finds nothing wrong."""
    code, out, notes = look.command(*words)
    return (out or notes).split("\n", 1)[0] if code else ""


def told(look, says):
    """Waits until each of the tools says it in its first line."""
    for words in (("status",), ("doctor",), ("ledger",)):
        wait(f"{words[0]} says it first", lambda words=words: re.search(says, first_line(look, *words)), within=15, every=0.1)


def test_a_death_is_the_first_thing_that_the_tools_say_and_their_history_keeps_it(new_stack):
    new_stack.up()
    look, user = Looker(new_stack), new_user(new_stack)
    new_stack.kill("quota")
    told(look, r"(quota does not run|quota: quota does not run|down at quota)")
    created = user.create(small_video()).json["id"]
    faults = look.program(1, "ledger", "--late", "0")["faults"]
    assert (faults[0]["kind"], faults[0]["place"]) == ("down", "quota") and "was killed" in faults[0]["detail"], faults
    assert not [fault for fault in faults[1:] if "quota" in fault["place"]], "what follows from it is not told besides"
    assert "(did not run)" in look.human(1, "missing link", "timeline", created)
    new_stack.up()
    wait("nothing is late", lambda: look.command("ledger")[0] == 0, within=60, every=0.5)
    assert look.command("status")[1].startswith("✓ everything runs")
    # The ledger has patience with what has just been produced.
    wait("it has reached everybody", lambda: look.command("timeline", created)[0] == 0, within=60, every=0.5)
    assert re.search(r"quota +\(did not run\).*until .*killed", look.human(0, "nothing is missing", "timeline", created))
    # On a busy machine another one may have stood still.
    assert re.search(r"quota.*killed", look.human(0, r"times? a service did not run", "ledger", "--history"))
    ended = look.program(0, "events", "quota", "--type", "ServiceEnded", "--data")["events"]
    assert "killed" in [event["data"]["ending"] for event in ended]

    def publishers():
        return {event["data"]["instance"] for event in look.program(0, "events", "quota", "--type", "LeaseTaken", "--data")["events"]}
    wait("the second one publishes", lambda: len(publishers()) == 2, within=60, every=0.5)
    assert re.search(r"quota at .*publishes from then on", look.human(0, "", "ledger", "--history"))


def test_what_stands_still_is_named_at_once_and_the_history_keeps_it(new_stack):
    new_stack.up()
    look = Looker(new_stack)
    wait("the stack has come to rest", lambda: look.command("ledger")[0] == 0, within=60, every=0.5)
    number = new_stack.pid("sessions")
    os.kill(number, signal.SIGSTOP)
    try:
        told(look, rf"(sessions stands still|down at sessions: sessions stands still): its process {number} is stopped")
        assert f"kill -CONT {number}" in look.command("doctor")[1]
        # The event is for what lasts longer than a few late heartbeats.
        wait("it has been silent for long enough", lambda: look.program(1, "ledger")["faults"][0]["kind"] == "down" and
             float(new_stack.sql("select extract(epoch from clock_timestamp() - max(beat_at)) s from sessions.service_instances")[0]["s"]) > 6,
             within=30)
    finally:
        os.kill(number, signal.SIGCONT)
    wait("it goes on", lambda: look.command("ledger")[0] == 0, within=60, every=0.5)
    wait("and tells of it", lambda: "stood still" in look.human(0, "times? a service did not run|Every", "ledger", "--history"))
    ended = look.program(0, "events", "sessions", "--type", "ServiceEnded", "--data")["events"]
    assert {event["data"]["ending"] for event in ended} == {"silent"}
    assert KEPT["kafka"] not in look.command("ledger", "--history")[1], "who stands still has not looked at Kafka"


@pytest.mark.by_name
def test_whichever_service_stands_still_or_dies_is_named_first(new_stack):
    new_stack.up()
    look, seed = Looker(new_stack), os.environ.get("CHAOS_SEED") or uuid.uuid4().hex[:8]
    order = random.Random(seed).sample(list(SERVICES), len(SERVICES))
    note(f"CHAOS_SEED={seed}: {', '.join(order)}")

    def named(what, says):
        begin = time.monotonic()
        told(look, says)
        note(f"{what}: named first by all three tools after {time.monotonic() - begin:.1f} s")

    def well_again():
        wait("all is well", lambda: look.command("ledger")[0] == 0, within=60, every=0.5)
    for service in order:
        well_again()
        number = new_stack.pid(service)
        os.kill(number, signal.SIGSTOP)
        try:
            named(f"{service} stopped", rf"({service} stands still|down at {service}: .*stands still)")
        finally:
            os.kill(number, signal.SIGCONT)
        well_again()
        new_stack.kill(service)
        named(f"{service} killed", rf"({service} does not run|down at {service}: no instance)")
        new_stack.up()
    well_again()
    kept = look.human(0, r"times? a service did not run", "ledger", "--history")
    assert [service for service in order if not re.search(rf"{service} did not run from .* \(killed\)", kept)] == [], kept


def test_a_database_that_makes_a_service_wait_is_told_and_not_as_kafkas_absence(new_stack):
    new_stack.up()
    look = Looker(new_stack)
    wait("the stack has come to rest", lambda: look.command("ledger")[0] == 0, within=60, every=0.5)
    # The heartbeat waits here, and what measures how far the service is behind, for less than their patience.
    new_stack.psql("begin; lock table sessions.service_instances, sessions.consumer_partitions in access exclusive mode; "
                   "select pg_sleep(12); commit")
    wait("it tells of the time", lambda: re.search(r"sessions.*stood still, or cut off", look.command("ledger", "--history")[1]),
         within=60, every=0.5)
    wait("it goes on", lambda: look.command("ledger")[0] == 0, within=60, every=0.5)
    assert KEPT["kafka"] not in look.command("ledger", "--history")[1]


# What the history says afterwards, of a broker that stood still and of a database that was gone: a PostgreSQL that takes no new
# connections goes on for those who have one.
KEPT = {"kafka": "Kafka could not be reached", "postgres": "stood still, or cut off from the database"}


@pytest.mark.parametrize("part", KEPT)
def test_a_database_or_broker_that_stands_still_or_is_gone_is_named_before_what_follows(new_stack, part):
    new_stack.up()
    look = Looker(new_stack)

    def away(begin):
        wait("it is away for longer than a moment", lambda: time.monotonic() - begin > 12, within=60)

    def well_again(is_told):
        wait("it goes on", lambda: look.command("ledger")[0] == 0, within=60, every=0.5)
        if is_told:
            wait("the history says it", lambda: KEPT[part] in look.command("ledger", "--history")[1], within=30, every=0.5)
    number, begin = new_stack.pid(part), time.monotonic()
    os.kill(number, signal.SIGSTOP)
    try:
        told(look, rf"{part} stands still: its process {number} is stopped")
        found = [one["part"] for one in look.program(4, "doctor")["findings"] if one["code"] not in OF_THE_MACHINE]
        assert found == [part], "one cause, and not eleven consequences"
        assert "stands still" in look.command("up", "--bin", new_stack.programs.folder)[2], "it is not waited for"
        away(begin)
    finally:
        os.kill(number, signal.SIGCONT)
    well_again(part == "kafka")
    begin = time.monotonic()
    new_stack.kill(part)
    told(look, rf"{part} does not run: its process {number} has ended")
    away(begin)
    new_stack.up()
    well_again(part == "postgres")
    if new_stack.document["kafka"]["kind"] == "development" and part == "kafka":
        wait("the history says what was lost with it",
             lambda: "the topic lacked what had been published" in look.command("ledger", "--history")[1], within=60, every=0.5)
    if part == "postgres":
        assert KEPT["kafka"] not in look.command("ledger", "--history")[1], "Kafka was there all the time"


def test_what_dies_is_started_anew_and_a_log_says_so(new_stack):
    new_stack.up()
    code, out, notes = new_stack.command("up", "--restart", "--bin", new_stack.programs.folder)
    assert code == 0 and new_stack.pid("supervisor"), out + notes
    before = new_stack.pid("quota")
    new_stack.kill("quota")
    wait("quota runs again", lambda: new_stack.pid("quota") not in (None, before), within=60)
    look = Looker(new_stack)
    wait("all is well", lambda: look.command("status")[0] == 0, within=60, every=0.5)
    said = look.human(0, r"quota does not run: .*; it is started anew", "logs", "supervisor")
    # The announcement has these words too; this is what came of it.
    assert re.search(r"\bquota\b[^:\n]*: started anew", said), said
    assert new_stack.command("up", "--no-restart", "--bin", new_stack.programs.folder)[0] == 0
    assert new_stack.pid("supervisor") is None, "and for tests that kill it is not there"


# MARK: following, until Ctrl-C

def test_a_followed_timeline_tells_of_what_is_added(look):
    user = new_user(look.stack)
    created = user.create(small_video()).json["id"]
    with look.stack.running_command("timeline", created, "--follow") as running:
        read_until(running, "SessionAdmitted")
        user.call("POST", f"/v1/sessions/{created}/cancel", {})
        assert "SessionCancelled" in read_until(running, "SessionCancelled")
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=60) == -signal.SIGINT


def test_a_watched_ledger_looks_again(look):
    with look.stack.running_command("ledger", "--watch") as running:
        assert read_until(running, "messages in topics", times=2).count("messages in topics") == 2
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=60) == -signal.SIGINT


def read_until(running, text, times=1, within=60):
    """What a command has printed until a text came so many times, or it was too late."""
    said = ""

    def enough():
        nonlocal said
        if select.select([running.stdout], [], [], 0.5)[0]:
            part = os.read(running.stdout.fileno(), 65536).decode("utf-8", "replace")
            said += part
            if not part:
                return True
        return said.count(text) >= times

    wait(f"{text} in what is said", enough, within=within)
    return said


# MARK: colours

def test_colours_are_for_terminals_that_want_them(look, session):
    def on_terminal(**variables):
        leader, follower = pty.openpty()
        try:
            with look.stack.running_command("timeline", session, stdout=follower,
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
                running.wait(timeout=240)
            return said.decode()
        finally:
            os.close(leader)

    assert "\x1b[" in on_terminal(NO_COLOR=""), "a terminal gets colours"
    assert "\x1b[" not in on_terminal(NO_COLOR="1"), "but not with NO_COLOR"
    assert "\x1b[" not in on_terminal(NO_COLOR="", TERM="dumb"), "nor a dumb one"
    with look.stack.running_command("timeline", session, variables={"TERM": "xterm"}) as running:
        assert "\x1b[" not in running.communicate(timeout=240)[0], "nor a pipe"
