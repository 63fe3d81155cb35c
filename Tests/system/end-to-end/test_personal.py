"""Planted strings are searched for wherever something is kept, and found only in rows that can be deleted."""
import pytest

from support.notes import note
from support.personal import ALLOWED, found_in, logs_with, objects_with, planted, records_with, table_names, tables_with
from support.programs import SERVICES


@pytest.fixture
def stack(measuring_stack):
    return measuring_stack


@pytest.fixture
def speaker(stack, speaker):
    """One who has left traces wherever something may be kept."""
    stack.kept("traces", lambda: speaker.leave_traces() or True)
    return speaker


@pytest.fixture
def strings(speaker):
    return planted(speaker)


@pytest.fixture
def everything(strings):
    return [string for kind in strings.values() for string in kind]


def test_the_transcript_has_words_to_search_for(strings):
    note(f"searched for: {', '.join(strings['name'] + strings['email'] + strings['speech'])}")
    assert len(strings["speech"]) >= 3, strings


def test_no_table_has_personal_content_but_those_whose_rows_go_with_their_owner(stack, strings):
    names = table_names(stack)
    assert {f"{service}.events" for service in SERVICES} <= set(names), "the logs are searched"
    assert [name for name in ALLOWED if name not in names] == []
    allowed = {(name, kind) for name, kinds in ALLOWED.items() for kind in kinds}
    found = tables_with(stack, strings)
    assert {place: hits for place, hits in found.items() if place not in allowed} == {}
    assert allowed - set(found) == set(), "the search finds what lies in the allowed ones"


def test_no_record_of_a_topic_has_personal_content(stack, speaker, everything):
    records = stack.topics()
    assert {record[0] for record in records} == {f"mirrormate.{service}.v1" for service in SERVICES}, len(records)
    assert any(speaker.user.id in "".join(record) for record in records), "they tell of the speaker's id"
    assert records_with(records, everything) == []


def test_no_log_file_has_personal_content(stack, everything):
    logs = stack.logs()
    wanted = [f"logs/{name}.log" for name in (*SERVICES, "gateway", "postgres")]
    assert [name for name in wanted if not logs.get(name)] == [], "all log files are read"
    assert logs_with(logs, everything) == {}


def test_stored_objects_have_personal_content_under_their_subject_only(stack, speaker, everything):
    found = objects_with(stack, everything)
    assert [path for path in found if speaker.user.id not in path] == []
    assert [path for path in found if found_in(path, everything)] == [], "no object's name has personal content"
