"""Reads the answers of the stand-in with the ElevenLabs API's own client, holds them against its types, and compares what it sends."""
import email
import email.policy
import json
import os
import sys
import uuid

import pydantic
from elevenlabs.client import ElevenLabs
from elevenlabs.core.api_error import ApiError
from elevenlabs.types import AddVoiceIvcResponseModel, DeleteVoiceResponseModel, GetVoicesV2Response

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))

from served import served  # noqa: E402

KEY = "a-key-of-tests"
VOICE = "JBFqnCBsd6RMkjVDRZzb"
MADE = "c38kUX8pkfYO2kHyqfFy"


def form(name):
    with open(os.path.join(HERE, f"{name}.json"), encoding="utf-8") as file:
        return file.read()


def client_of(root):
    return ElevenLabs(base_url=root, api_key=KEY)


def strictly(model, answer):
    """The client builds its objects from whatever comes; its types do not."""
    model.model_validate(answer, strict=True)
    try:
        model.model_validate({"text": "something else"}, strict=True)
        sys.exit("The client's types take anything: they prove nothing.")
    except pydantic.ValidationError:
        pass


def fails(name, status, call):
    with served(form(name).encode(), status=status) as (root, _):
        try:
            call(client_of(root))
            sys.exit(f"The client takes {name} for an answer.")
        except ApiError as error:
            return error


# A text that is read aloud, as it is asked for here (ElevenLabsProtocol.swift); the answer is the sound itself.
question = json.loads(form("speech-question"))
with served(b"ID3 some sound", "audio/mpeg") as (root, sent):
    read = b"".join(client_of(root).text_to_speech.convert(VOICE, output_format="mp3_44100_128", **question))
    assert read == b"ID3 some sound"
assert (sent[0].method, sent[0].path) == ("POST", f"/v1/text-to-speech/{VOICE}?output_format=mp3_44100_128"), sent
assert json.loads(sent[0].body) == question and sent[0].headers["xi-api-key"] == KEY, sent

# A voice that is made after somebody's own, under a name that is chosen before.
name = str(uuid.uuid4())
with served(form("voice").encode()) as (root, sent):
    read = client_of(root).voices.ivc.create(name=name, files=[("sample-1.ogg", b"OggS", "audio/ogg"), ("sample-2.ogg", b"OggS", "audio/ogg")])
assert (read.voice_id, read.requires_verification) == (MADE, False), read
strictly(AddVoiceIvcResponseModel, json.loads(form("voice")))
assert (sent[0].method, sent[0].path) == ("POST", "/v1/voices/add"), sent
parts = email.message_from_bytes(
    b"Content-Type: " + sent[0].headers["content-type"].encode() + b"\r\n\r\n" + sent[0].body, policy=email.policy.HTTP)
told = {}
for part in parts.iter_parts():
    told.setdefault(part.get_param("name", header="content-disposition"), []).append(part.get_payload(decode=True))
# The client says of what it is not given that it is null; the name and the files are what the API asks for, and all that is sent here.
assert told["name"] == [name.encode()] and told["files"] == [b"OggS", b"OggS"], told
assert set(told) <= {"name", "files", "labels"}, told

# It is found by its name, and removed.
listed = json.loads(form("voices").replace("NAME", name))
with served(json.dumps(listed).encode()) as (root, sent):
    read = client_of(root).voices.search(search=name, page_size=100)
assert [voice.voice_id for voice in read.voices if voice.name == name] == [MADE] and not read.has_more
strictly(GetVoicesV2Response, listed)
asked, _, query = sent[0].path.partition("?")
assert asked == "/v2/voices" and sorted(query.split("&")) == ["page_size=100", f"search={name}"], sent
with served(form("deleted").encode()) as (root, sent):
    assert client_of(root).voices.delete(MADE).status == "ok"
strictly(DeleteVoiceResponseModel, json.loads(form("deleted")))
assert (sent[0].method, sent[0].path) == ("DELETE", f"/v1/voices/{MADE}"), sent

# What it says of what was paid for and is used up, and of a voice that is not there.
error = fails("quota", 401, lambda client: b"".join(client.text_to_speech.convert(VOICE, **question)))
assert (error.status_code, error.body["detail"]["status"]) == (401, "quota_exceeded"), error
error = fails("no-voice", 400, lambda client: client.voices.delete(MADE))
assert (error.status_code, error.body["detail"]["status"]) == (400, "voice_does_not_exist"), error
print("read")
