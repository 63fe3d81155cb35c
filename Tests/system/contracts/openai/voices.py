"""Reads the stand-in's speech and moderation with the OpenAI API's own client, which refuses what is not as it should be, and compares what it sends."""
import json
import os
import sys

import openai
import pydantic
from openai.types import ModerationCreateResponse, moderation_create_params
from openai.types.audio import speech_create_params

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))

from served import served  # noqa: E402


def form(name):
    with open(os.path.join(HERE, f"{name}.json"), encoding="utf-8") as file:
        return file.read()


def client_of(root):
    return openai.OpenAI(base_url=root + "/v1", api_key="none", _strict_response_validation=True, max_retries=0)


# A text that is read aloud, as it is asked for here (OpenAIProtocol+Speech.swift); the answer is the sound itself.
question = json.loads(form("speech-question"))
with served(b"ID3 some sound", "audio/mpeg") as (root, sent):
    read = client_of(root).audio.speech.create(**question)
    assert read.content == b"ID3 some sound"
assert (sent[0].method, sent[0].path, json.loads(sent[0].body)) == ("POST", "/v1/audio/speech", question), sent
pydantic.TypeAdapter(speech_create_params.SpeechCreateParams).validate_python(question, strict=True)

# Texts that are judged.
question, answer = json.loads(form("moderation-question")), json.loads(form("moderation"))
with served(form("moderation").encode()) as (root, sent):
    read = client_of(root).moderations.create(**question)
assert (sent[0].method, sent[0].path, json.loads(sent[0].body)) == ("POST", "/v1/moderations", question), sent
assert [result.flagged for result in read.results] == [False, True]
assert read.results[1].categories.harassment and read.results[1].category_scores.harassment == 0.93
# Every kind that the client knows is in the answer, and no other.
for member in ("categories", "category_scores"):
    known = getattr(read.results[0], member).model_dump(by_alias=True)
    assert sorted(known) == sorted(answer["results"][0][member]), known
ModerationCreateResponse.model_validate(answer, strict=True)
pydantic.TypeAdapter(moderation_create_params.ModerationCreateParams).validate_python(question)
for broken in ({"id": "modr-1", "model": "x"}, {**answer, "results": [{"flagged": "yes"}]}):
    with served(json.dumps(broken).encode()) as (root, sent):
        try:
            client_of(root).moderations.create(**question)
            sys.exit("The client takes anything: it proves nothing.")
        except openai.APIResponseValidationError:
            pass
print("read")
