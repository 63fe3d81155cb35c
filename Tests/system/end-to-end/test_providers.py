"""Words, sentences, and what pictures show, by a provider outside: only of those who let it have what it needs, and the report says whose they are."""
import json

import pytest

from support.api import small_video
from support.places import written
from support.provider import RARE, SENTENCE, Provider, completion, seen, sentences
from support.stack import data_of
from support.users import ended, new_user
from support.waiting import wait

KEY = "sk-a-key-of-the-tests"
AGREED = {"provider": "openai", "purpose": "transcription", "version": "1", "locale": "en"}
WORDED = {**AGREED, "purpose": "wording"}
SEEN = {**AGREED, "purpose": "vision"}
FELT = {**AGREED, "purpose": "emotions"}
SHARES = {"joy": 0.5, "neutral": 0.3, "anxious": 0, "engaged": 0.2, "surprise": 0}


@pytest.fixture
def provider():
    with Provider() as one:
        yield one


@pytest.fixture
def outside(new_stack, provider):
    """A stack that names the provider, and for whom people can agree to something."""
    folder = new_stack.folder
    texts = [{**AGREED, "dataClasses": ["audio"], "texts": {"en": "Sound goes to OpenAI."}},
             {**WORDED, "dataClasses": ["measures", "transcript"], "texts": {"en": "Measures and transcript go to OpenAI."}},
             {**SEEN, "dataClasses": ["pictures"], "texts": {"en": "Some pictures go to OpenAI."}},
             {**FELT, "dataClasses": ["pictures"], "texts": {"en": "Some pictures go to OpenAI, which says what you seem to feel."}}]
    for text in texts:
        del text["locale"]
    consents = written(folder, "consents.json", json.dumps({"version": 1, "consents": texts}))
    named = {"name": "openai", "protocol": "openai", "url": provider.url, "keyFile": written(folder, "key", KEY + "\n"),
             "transcription": {"model": "whisper-1", "microsPerMinute": 6000},
             "chat": {"model": "gpt-4o-mini", "microsPerMillionInputTokens": 150000, "microsPerMillionOutputTokens": 600000},
             "vision": {"model": "gpt-4o", "microsPerMillionInputTokens": 2500000, "microsPerMillionOutputTokens": 10000000}}
    # Without what one of the tests is about.
    written(folder, "providers-without.json", json.dumps({"version": 1, "providers": [named]}))
    named["emotions"] = {**named["vision"], "region": "US", "purpose": "self-coaching"}
    providers = written(folder, "providers.json", json.dumps({"version": 1, "providers": [named]}))
    new_stack.programs.set("identity", CONSENTS_FILE=consents)
    new_stack.programs.set("analysis", PROVIDERS_FILE=providers)
    new_stack.programs.set("reporting", PROVIDERS_FILE=providers)
    new_stack.up()
    return new_stack


def report_of(user):
    session = user.send_video(small_video())
    assert ended(user, session)["status"] == "complete"
    answer = user.call("GET", f"/v1/reports/{session}")
    assert answer.status == 200, answer
    return answer.json


def agree(stack, user, *given):
    """Says what providers may have, and waits until analysis has heard it."""
    answer = user.call("PUT", "/v1/consents", {"given": list(given)})
    assert answer.status == 200 and len(answer.json["given"]) == len(given), answer
    for service in ("analysis", "reporting"):
        wait(f"{service} has heard it", lambda: stack.sql(
            f"select purpose from {service}.consents where owner_id = '{user.id}' and data_classes <> '{{}}' order by purpose")
            == [{"purpose": one["purpose"]} for one in sorted(given, key=lambda one: one["purpose"])])


def test_words_are_a_providers_only_of_those_who_let_it_have_the_sound(outside, provider):
    nobody = new_user(outside)
    assert report_of(nobody)["engines"]["asr"] == "moonshine"
    taken_back = new_user(outside)
    agree(outside, taken_back, AGREED)
    agree(outside, taken_back)
    assert report_of(taken_back)["engines"]["asr"] == "moonshine"
    assert provider.asked == [], "not one byte went out"

    somebody = new_user(outside)
    agree(outside, somebody, AGREED)
    engines = report_of(somebody)["engines"]
    assert (engines["asr"], engines["model"]) == ("openai", "whisper-1")
    assert [asked.path for asked in provider.asked] == ["/v1/audio/transcriptions"]
    asked = provider.asked[0]
    assert asked.headers["Authorization"] == f"Bearer {KEY}" and b"OggS" in asked.body
    everything = asked.body + json.dumps(asked.headers).encode()
    for private in (somebody.id, somebody.email):
        assert private.encode() not in everything, "the provider does not learn whose it is"
    called = outside.sql("select data ->> 'code' as code, data ->> 'costMicros' as cost from analysis.events where type = 'ProviderCalled'")
    assert called == [{"code": "answered", "cost": "2830"}]
    for service in ("identity", "sessions", "quota", "analysis", "reporting"):
        assert outside.sql(f"select 1 from {service}.events where data::text like '%{RARE}%'") == [], service


def test_a_provider_that_fails_costs_nobody_a_report(outside, provider):
    provider.status = 500
    user = new_user(outside)
    agree(outside, user, AGREED)
    assert report_of(user)["engines"]["asr"] == "moonshine"
    assert len(provider.asked) == 3, "tried again twice, as a status that costs nothing"
    provider.status, provider.answer = 200, {"text": "no times"}
    other = new_user(outside)
    agree(outside, other, AGREED)
    assert report_of(other)["engines"]["asr"] == "moonshine"
    assert len(provider.asked) == 4, "what may be charged is not sent again"


def test_a_report_is_worded_by_a_provider_only_of_those_who_let_it_have_measures_and_transcript(outside, provider):
    provider.answer = sentences
    nobody = new_user(outside)
    plain = report_of(nobody)
    assert plain["engines"]["text"] == "catalogue" and provider.asked == []

    somebody = new_user(outside)
    agree(outside, somebody, WORDED)
    report = report_of(somebody)
    assert report["engines"]["text"] == "openai/gpt-4o-mini" and report["engines"]["asr"] == "moonshine"
    assert report["textEngines"]["feedback"][-1] == "openai/gpt-4o-mini" and report["feedback"].endswith(SENTENCE)
    assert "very best" not in json.dumps(report), "a sentence that is not true is the catalogue's"
    assert report["confidenceScore"] == plain["confidenceScore"]
    assert [asked.path for asked in provider.asked] == ["/v1/chat/completions"]
    asked = provider.asked[0]
    everything = asked.body + json.dumps(asked.headers).encode()
    for private in (somebody.id, somebody.email):
        assert private.encode() not in everything, "the provider does not learn whose it is"
    assert sorted(json.loads(json.loads(asked.body)["messages"][1]["content"])) == ["measures", "places", "transcript"]
    called = outside.sql("select data ->> 'code' as code, data ->> 'costMicros' as cost from reporting.events where type = 'ProviderCalled'")
    assert called == [{"code": "answered", "cost": "210"}]
    assert outside.sql(f"select 1 from reporting.events where data::text like '%{SENTENCE}%'") == []


def test_a_provider_that_words_nothing_costs_nobody_a_report(outside, provider):
    provider.status = 500
    user = new_user(outside)
    agree(outside, user, WORDED)
    assert report_of(user)["engines"]["text"] == "catalogue"
    provider.status, provider.answer = 200, {"choices": []}
    other = new_user(outside)
    agree(outside, other, WORDED)
    assert report_of(other)["engines"]["text"] == "catalogue"
    assert len(provider.asked) == 4, "what may be charged is not sent again"


def test_pictures_are_seen_by_a_provider_only_of_those_who_let_it_have_them(outside, provider):
    provider.answer = seen(0.8, "not-in-pictures", 0.5)
    nobody = new_user(outside)
    plain = report_of(nobody)
    assert plain["bodyLanguageAnalysis"]["postureScore"] is None and provider.asked == []
    assert plain["measures"]["postureScore"]["code"] == "consent-required" and "vision" not in plain["engines"]

    somebody = new_user(outside)
    agree(outside, somebody, SEEN)
    report = report_of(somebody)
    body, measures = report["bodyLanguageAnalysis"], report["measures"]
    assert (body["postureScore"], body["gestureNaturalness"], body["facialExpressiveness"]) == (0.8, None, 0.5)
    assert report["engines"]["vision"] == measures["postureScore"]["engine"] == "openai/gpt-4o"
    assert report["engines"]["asr"] == "moonshine" and report["engines"]["text"] == "catalogue"
    assert measures["gestureNaturalness"]["code"] == "not-in-pictures" and report["emotionBreakdown"] is None
    assert report["scoreCoverage"] == plain["scoreCoverage"] + 20
    [asked] = provider.asked
    everything = asked.body + json.dumps(asked.headers).encode()
    for private in (somebody.id, somebody.email):
        assert private.encode() not in everything, "the provider does not learn whose it is"
    kinds = [part["type"] for part in json.loads(asked.body)["messages"][1]["content"]]
    assert kinds == ["text", "image_url", "image_url"]
    called = outside.sql("select data ->> 'code' as code, data ->> 'costMicros' as cost from analysis.events where type = 'ProviderCalled'")
    assert called == [{"code": "answered", "cost": "3500"}]


def test_a_picture_that_talks_changes_no_report(outside, provider):
    nobody = report_of(new_user(outside))
    for answer in ('{"posture":{"value":1,"reason":null},"gestures":{"value":1,"reason":null},"expression":{"value":1,"reason":null},"confidenceScore":100}',
                   "The text in the picture says that all of this is perfect."):
        provider.answer = completion(answer)
        user = new_user(outside)
        agree(outside, user, SEEN)
        report = report_of(user)
        assert report["confidenceScore"] == nobody["confidenceScore"] and report["bodyLanguageAnalysis"] == nobody["bodyLanguageAnalysis"]
        assert report["measures"]["postureScore"]["code"] == "no-answer" and "vision" not in report["engines"]
    assert len(provider.asked) == 2


def test_emotions_are_in_a_report_where_a_policy_lets_a_provider_be_asked_and_somebody_agrees_to_just_that(outside, provider):
    provider.answer = completion(json.dumps(SHARES))
    nobody = new_user(outside)
    assert report_of(nobody)["emotionBreakdown"] is None and provider.asked == []

    somebody = new_user(outside)
    agree(outside, somebody, FELT)
    report = report_of(somebody)
    assert report["emotionBreakdown"] == SHARES and report["engines"]["emotions"] == "openai/gpt-4o"
    # Who lets a provider be asked for that lets it be asked for nothing else.
    assert report["measures"]["postureScore"]["code"] == "consent-required" and "vision" not in report["engines"]
    [asked] = provider.asked
    everything = asked.body + json.dumps(asked.headers).encode()
    for private in (somebody.id, somebody.email):
        assert private.encode() not in everything, "the provider does not learn whose it is"
    called = outside.sql("select data ->> 'purpose' as purpose, data ->> 'costMicros' as cost from analysis.events where type = 'ProviderCalled'")
    assert called == [{"purpose": "emotions", "cost": "3500"}]
    for service in ("analysis", "reporting"):
        assert outside.sql(f"select 1 from {service}.events where data::text like '%\"joy\"%'") == [], service

    # Without the policy a consent opens nothing.
    outside.programs.set("analysis", PROVIDERS_FILE=f"{outside.folder}/providers-without.json")
    outside.kill("analysis")
    outside.up()
    other = new_user(outside)
    agree(outside, other, FELT)
    assert report_of(other)["emotionBreakdown"] is None and len(provider.asked) == 1


def test_the_doctor_says_where_nothing_limits_what_a_provider_may_cost(new_stack):
    def found():
        return [(one["part"], one["code"]) for one in data_of(new_stack.command("doctor", "--json")[1])["findings"]
                if one["code"].startswith("providers-")]

    named = {"name": "far", "protocol": "openai", "url": "https://provider.invalid/v1", "transcription": {"model": "whisper-1"}}
    providers = written(new_stack.folder, "providers.json", json.dumps({"version": 1, "providers": [named]}))
    for service in ("analysis", "reporting"):
        new_stack.programs.set(service, PROVIDERS_FILE=providers)
    new_stack.up()
    assert found() == [("analysis", "providers-unlimited")], "reporting asks nobody to write down what is said"
    new_stack.programs.set("analysis", PROVIDERS_FILE=providers, PROVIDERS_OWNER_DAY_MICROS=50000, PROVIDERS_DAY_MICROS=5000000)
    new_stack.kill("analysis")
    new_stack.up()
    assert found() == [("analysis", "providers-unpriced")]
    named["transcription"]["microsPerMinute"] = 6000
    written(new_stack.folder, "providers.json", json.dumps({"version": 1, "providers": [named]}))
    new_stack.kill("analysis")
    new_stack.up()
    assert found() == []
