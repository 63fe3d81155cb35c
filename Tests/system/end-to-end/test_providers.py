"""Words by a provider outside: only of those who let it have the sound, and the report says whose they are."""
import json
import os

import pytest

from support.api import small_video
from support.provider import RARE, Provider
from support.users import ended, new_user
from support.waiting import wait

KEY = "sk-a-key-of-the-tests"
AGREED = {"provider": "openai", "purpose": "transcription", "version": "1", "locale": "en"}


def written(folder, name, text):
    """A file that every service can read."""
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o644)
    return path


@pytest.fixture
def provider():
    with Provider() as one:
        yield one


@pytest.fixture
def outside(new_stack, provider):
    """A stack that names the provider, and for whom people can agree to something."""
    folder = new_stack.folder
    text = {**AGREED, "dataClasses": ["audio"], "texts": {"en": "Sound goes to OpenAI."}}
    del text["locale"]
    consents = written(folder, "consents.json", json.dumps({"version": 1, "consents": [text]}))
    named = {"name": "openai", "protocol": "openai", "url": provider.url, "keyFile": written(folder, "key", KEY + "\n"),
             "transcription": {"model": "whisper-1", "microsPerMinute": 6000}}
    providers = written(folder, "providers.json", json.dumps({"version": 1, "providers": [named]}))
    new_stack.programs.set("identity", CONSENTS_FILE=consents)
    new_stack.programs.set("analysis", PROVIDERS_FILE=providers)
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
    wanted = "{audio}" if given else "{}"
    wait("analysis has heard it", lambda: stack.sql(
        f"select data_classes::text as classes from analysis.consents where owner_id = '{user.id}'") == [{"classes": wanted}])


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
