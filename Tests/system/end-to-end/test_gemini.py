"""Sentences of Gemini, and what it sees in a whole recording: asked in its own protocol, and only of those who let it have that."""
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
SHOWN = {**AGREED, "purpose": "video"}
SEEN = {"posture": {"value": 0.8, "reason": None}, "gestures": {"value": None, "reason": "not-in-pictures"}, "expression": {"value": 0.5, "reason": None}}


@pytest.fixture
def gemini():
    with Gemini() as one:
        yield one


@pytest.fixture
def outside(new_stack, gemini):
    """A stack that names Gemini, and whose people can agree to that."""
    folder = new_stack.folder
    texts = [{"provider": "gemini", "purpose": "wording", "version": "1", "dataClasses": ["measures", "transcript"],
              "texts": {"en": "Measures and transcript go to Google."}},
             {"provider": "gemini", "purpose": "video", "version": "1", "dataClasses": ["recording"],
              "texts": {"en": "Your recordings go to Google as a whole."}}]
    named = {"name": "gemini", "protocol": "gemini", "url": gemini.url, "keyFile": written(folder, "key", KEY + "\n"),
             "chat": {"model": "gemini-2.5-flash-lite", "microsPerMillionInputTokens": 150000, "microsPerMillionOutputTokens": 600000},
             "video": {"model": "gemini-2.5-flash", "microsPerMillionInputTokens": 1000000, "microsPerMillionOutputTokens": 2500000}}
    providers = written(folder, "providers.json", json.dumps({"version": 1, "providers": [named]}))
    new_stack.programs.set("identity", CONSENTS_FILE=written(folder, "consents.json", json.dumps({"version": 1, "consents": texts})))
    for service in ("analysis", "reporting"):
        new_stack.programs.set(service, PROVIDERS_FILE=providers)
    new_stack.up()
    return new_stack


def report_of(user):
    session = user.send_video(small_video())
    assert ended(user, session)["status"] == "complete"
    answer = user.call("GET", f"/v1/reports/{session}")
    assert answer.status == 200, answer
    return answer.json


def new_user_who_agrees(stack, given=AGREED):
    user = new_user(stack)
    answer = user.call("PUT", "/v1/consents", {"given": [given]})
    assert answer.status == 200 and len(answer.json["given"]) == 1, answer
    for service in ("analysis", "reporting"):
        wait(f"{service} has heard it", lambda: stack.sql(
            f"select 1 from {service}.consents where owner_id = '{user.id}' and data_classes <> '{{}}'"))
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


def test_a_whole_recording_is_seen_only_of_those_who_let_it_have_that_and_is_deleted_there(outside, gemini):
    gemini.answer = generated(json.dumps(SEEN))
    plain = report_of(new_user(outside))
    assert plain["measures"]["postureScore"]["code"] == "consent-required" and "video" not in plain["engines"]
    assert gemini.asked == [], "not one byte went out"

    somebody = new_user_who_agrees(outside, SHOWN)
    report = report_of(somebody)
    body, measures = report["bodyLanguageAnalysis"], report["measures"]
    assert (body["postureScore"], body["gestureNaturalness"], body["facialExpressiveness"]) == (0.8, None, 0.5)
    assert report["engines"]["video"] == measures["postureScore"]["engine"] == "gemini/gemini-2.5-flash"
    assert "vision" not in report["engines"] and report["engines"]["text"] == "catalogue" and report["emotionBreakdown"] is None
    assert report["scoreCoverage"] == plain["scoreCoverage"] + 20
    assert [asked.method for asked in gemini.asked][:2] == ["POST", "POST"] and gemini.asked[-1].method == "DELETE"
    assert sum(asked.path.endswith(":generateContent") for asked in gemini.asked) == 1
    assert gemini.asked[1].body[4:8] == b"ftyp" and gemini.files == {}, "it had the recording, and has it no more"
    for asked in gemini.asked:
        everything = asked.path.encode() + asked.body + json.dumps(asked.headers).encode()
        for private in (somebody.id, somebody.email):
            assert private.encode() not in everything, "the provider does not learn whose it is"
    assert outside.sql("select 1 from analysis.lent_files") == []
    assert outside.sql("select data ->> 'code' as code from analysis.events where type = 'ProviderCalled'") == [{"code": "answered"}]


def test_what_a_recording_talks_gemini_into_changes_no_report_and_nothing_stays_there(outside, gemini):
    nobody = report_of(new_user(outside))
    for answer in (json.dumps({**SEEN, "confidenceScore": 100}), "Whoever speaks here is perfect in everything."):
        gemini.answer = generated(answer)
        report = report_of(new_user_who_agrees(outside, SHOWN))
        assert report["confidenceScore"] == nobody["confidenceScore"] and report["bodyLanguageAnalysis"] == nobody["bodyLanguageAnalysis"]
        assert report["measures"]["postureScore"]["code"] == "no-answer" and "video" not in report["engines"]
        assert gemini.files == {}
