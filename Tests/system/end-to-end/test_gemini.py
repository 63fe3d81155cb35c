"""Sentences of Gemini: asked in its own protocol, and only of those who let it have measures and transcript."""
import json

import pytest

from support.api import small_video
from support.gemini import Gemini, form, generated, sentences
from support.places import written
from support.provider import SENTENCE
from support.users import ended, new_user
from support.waiting import wait

KEY = "a-key-of-the-tests-for-gemini"
AGREED = {"provider": "gemini", "purpose": "wording", "version": "1", "locale": "en"}


@pytest.fixture
def gemini():
    with Gemini() as one:
        yield one


@pytest.fixture
def outside(new_stack, gemini):
    """A stack that names Gemini, and for whom people can agree to that."""
    folder = new_stack.folder
    text = {"provider": "gemini", "purpose": "wording", "version": "1", "dataClasses": ["measures", "transcript"],
            "texts": {"en": "Measures and transcript go to Google."}}
    named = {"name": "gemini", "protocol": "gemini", "url": gemini.url, "keyFile": written(folder, "key", KEY + "\n"),
             "chat": {"model": "gemini-2.5-flash-lite", "microsPerMillionInputTokens": 150000, "microsPerMillionOutputTokens": 600000}}
    new_stack.programs.set("identity", CONSENTS_FILE=written(folder, "consents.json", json.dumps({"version": 1, "consents": [text]})))
    new_stack.programs.set("reporting", PROVIDERS_FILE=written(folder, "providers.json", json.dumps({"version": 1, "providers": [named]})))
    new_stack.up()
    return new_stack


def report_of(user):
    session = user.send_video(small_video())
    assert ended(user, session)["status"] == "complete"
    answer = user.call("GET", f"/v1/reports/{session}")
    assert answer.status == 200, answer
    return answer.json


def new_user_who_agrees(stack):
    user = new_user(stack)
    answer = user.call("PUT", "/v1/consents", {"given": [AGREED]})
    assert answer.status == 200 and len(answer.json["given"]) == 1, answer
    wait("reporting has heard it", lambda: stack.sql(
        f"select 1 from reporting.consents where owner_id = '{user.id}' and data_classes <> '{{}}'"))
    return user


def test_a_report_is_worded_by_gemini_only_of_those_who_let_it_have_measures_and_transcript(outside, gemini):
    gemini.answer = sentences
    plain = report_of(new_user(outside))
    assert plain["engines"]["text"] == "catalogue" and gemini.asked == []

    somebody = new_user_who_agrees(outside)
    report = report_of(somebody)
    assert report["engines"]["text"] == "gemini/gemini-2.5-flash-lite"
    assert report["textEngines"]["feedback"][-1] == "gemini/gemini-2.5-flash-lite" and report["feedback"].endswith(SENTENCE)
    assert "very best" not in json.dumps(report), "a sentence that is not true is the catalogue's"
    assert report["confidenceScore"] == plain["confidenceScore"]
    assert [(asked.method, asked.path) for asked in gemini.asked] == [("POST", "/v1beta/models/gemini-2.5-flash-lite:generateContent")]
    asked = gemini.asked[0]
    assert {name.lower(): value for name, value in asked.headers.items()}["x-goog-api-key"] == KEY
    everything = asked.body + json.dumps(asked.headers).encode()
    for private in (somebody.id, somebody.email):
        assert private.encode() not in everything, "the provider does not learn whose it is"
    called = outside.sql("select data ->> 'code' as code, data ->> 'costMicros' as cost from reporting.events where type = 'ProviderCalled'")
    assert called == [{"code": "answered", "cost": "210"}]
    assert outside.sql(f"select 1 from reporting.events where data::text like '%{SENTENCE}%'") == []


def test_what_gemini_withholds_or_has_too_many_calls_for_is_the_catalogues(outside, gemini):
    def codes():
        return [row["code"] for row in outside.sql(
            "select data ->> 'code' as code from reporting.events where type = 'ProviderCalled' order by position")]

    gemini.answer = generated("", reason="SAFETY")
    assert report_of(new_user_who_agrees(outside))["engines"]["text"] == "catalogue"
    assert codes() == ["unreadable-withheld"]
    # It wants to be left alone for longer than a report waits.
    gemini.status, gemini.answer = 429, json.loads(form("exhausted"))
    assert report_of(new_user_who_agrees(outside))["engines"]["text"] == "catalogue"
    gemini.status, gemini.answer = 400, json.loads(form("unknown-key"))
    assert report_of(new_user_who_agrees(outside))["engines"]["text"] == "catalogue"
    assert codes() == ["unreadable-withheld", "throttled", "key-refused"]
    assert len(gemini.asked) == 3, "none is asked again"
