"""Sentences that a provider has written are judged by its moderation before anybody reads them."""
import json
import os

import pytest

from support.api import small_video
from support.places import ROOT
from support.provider import SENTENCE, Provider, sentences
from support.users import ended, new_user
from support.waiting import wait

AGREED = {"provider": "openai", "purpose": "wording", "version": "1", "locale": "en"}


def written(folder, name, content):
    """A file that every service can read."""
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(content, file)
    os.chmod(path, 0o644)
    return path


def judging(is_flagged):
    """What the provider answers to a question, and to sentences that it is to judge (Tests/system/contracts/openai/moderation.json)."""
    with open(os.path.join(ROOT, "Tests/system/contracts/openai/moderation.json"), encoding="utf-8") as file:
        form = json.load(file)
    good, bad = form["results"]

    def answer(body):
        texts = json.loads(body).get("input")
        if texts is None:
            return sentences(body)
        return {**form, "results": [bad if is_flagged(text) else good for text in texts]}
    return answer


@pytest.fixture
def provider():
    with Provider() as one:
        yield one


@pytest.fixture
def outside(new_stack, provider):
    """A stack whose provider words reports and judges texts."""
    text = {"provider": "openai", "purpose": "wording", "version": "1", "dataClasses": ["measures", "transcript"],
            "texts": {"en": "Measures and transcript go to OpenAI."}}
    named = {"name": "openai", "protocol": "openai", "url": provider.url,
             "chat": {"model": "gpt-4o-mini", "microsPerMillionInputTokens": 150000, "microsPerMillionOutputTokens": 600000},
             "moderation": {"model": "omni-moderation-latest", "microsPerCall": 5}}
    folder = new_stack.folder
    new_stack.programs.set("identity", CONSENTS_FILE=written(folder, "consents.json", {"version": 1, "consents": [text]}))
    new_stack.programs.set("reporting", PROVIDERS_FILE=written(folder, "providers.json", {"version": 1, "providers": [named]}))
    new_stack.up()
    return new_stack


def report_of_somebody_who_agrees(stack):
    user = new_user(stack)
    answer = user.call("PUT", "/v1/consents", {"given": [AGREED]})
    assert answer.status == 200 and len(answer.json["given"]) == 1, answer
    wait("reporting has heard it", lambda: stack.sql(
        f"select 1 from reporting.consents where owner_id = '{user.id}' and data_classes <> '{{}}'"))
    session = user.send_video(small_video())
    assert ended(user, session)["status"] == "complete"
    answer = user.call("GET", f"/v1/reports/{session}")
    assert answer.status == 200, answer
    return answer.json


def called(stack):
    """How the calls have ended, in the order in which they did."""
    return [(row["code"], row["cost"]) for row in stack.sql(
        "select data ->> 'code' as code, data ->> 'costMicros' as cost from reporting.events where type = 'ProviderCalled' order by position")]


def test_what_moderation_objects_to_nobody_reads(outside, provider):
    provider.answer = judging(lambda text: False)
    assert report_of_somebody_who_agrees(outside)["feedback"].endswith(SENTENCE)
    assert [asked.path for asked in provider.asked] == ["/v1/chat/completions", "/v1/moderations"]
    assert json.loads(provider.asked[1].body) == {"model": "omni-moderation-latest", "input": [SENTENCE]}, "no word besides its own"

    provider.answer = judging(lambda text: text == SENTENCE)
    report = report_of_somebody_who_agrees(outside)
    assert report["engines"]["text"] == "catalogue" and SENTENCE not in json.dumps(report)

    # It judges other texts than it was given, which is no verdict.
    provider.answer = lambda body: sentences(body) if "messages" in json.loads(body) else {"id": "modr-1", "model": "m", "results": []}
    report = report_of_somebody_who_agrees(outside)
    assert report["engines"]["text"] == "catalogue" and SENTENCE not in json.dumps(report)
    assert called(outside) == [("answered", "215"), ("nothing-usable", "215"), ("not-moderated", "215")]
