"""Reads the answers of the stand-ins with the OpenAI API's own client, which refuses what is not as it should be."""
import http.server
import json
import os
import sys
import threading

import openai
import pydantic
from openai.types.chat import ChatCompletionContentPartImageParam
from openai.types.shared_params import ResponseFormatJSONSchema

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", ".."))

from support.provider import ANSWER, Provider  # noqa: E402


def answer(name):
    with open(os.path.join(HERE, f"{name}.json"), encoding="utf-8") as file:
        return file.read()


def transcribed(provider, given):
    provider.answer = given
    client = openai.OpenAI(base_url=provider.url, api_key="none", _strict_response_validation=True, max_retries=0)
    return client.audio.transcriptions.create(
        file=("audio.ogg", b"OggS", "audio/ogg"), model="whisper-1", response_format="verbose_json",
        timestamp_granularities=["word"], temperature=0)


def completed(given, question=None):
    """What the client reads, and what it has sent."""
    sent = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            sent.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(given.encode())

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    client = openai.OpenAI(base_url=f"http://127.0.0.1:{server.server_port}/v1", api_key="none", _strict_response_validation=True, max_retries=0)
    question = question or {"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "1 + 1"}]}
    try:
        return client.chat.completions.create(**question), sent[0]
    finally:
        server.shutdown()


with Provider() as provider:
    for given in (ANSWER, json.loads(answer("transcription"))):
        read = transcribed(provider, given)
        assert [word.word for word in read.words] == [word["word"] for word in given["words"]]
        assert (read.language, read.duration) == (given["language"], given["duration"])
    try:
        transcribed(provider, {"text": "no words, no times"})
        sys.exit("The client takes anything: it proves nothing.")
    except openai.APIResponseValidationError:
        pass
    # What the client itself sends is what is sent here, field by field (OpenAIProtocol.swift).
    sent = provider.asked[0].body
    for name in (b"model", b"response_format", b"timestamp_granularities[]", b"temperature", b"file"):
        assert b'name="' + name + b'"' in sent, name
    assert sent.count(b"Content-Disposition") == 5
for reason in ("stop", "length", "content_filter"):
    read, _ = completed(answer("completion").replace('"CONTENT"', json.dumps('{"sum": 2}')).replace("REASON", reason))
    assert read.choices[0].message.content == '{"sum": 2}' and read.choices[0].finish_reason == reason
    assert read.usage.prompt_tokens == 1000
# A question with a strict schema, as it is sent here (OpenAIProtocol.swift), and an answer with a report's sentences.
question = json.loads(answer("question"))
read, sent = completed(answer("completion").replace('"CONTENT"', json.dumps(answer("sentences"))).replace("REASON", "stop"), question)
assert sent == question, sent
pydantic.TypeAdapter(ResponseFormatJSONSchema).validate_python(question["response_format"], strict=True)
for entry in json.loads(read.choices[0].message.content)["sentences"]:
    assert sorted(entry) == ["measure", "place", "relation", "text", "value"], entry
    assert entry["relation"] in ("is", "above", "below") and isinstance(entry["value"], (int, float)), entry
# The same about pictures.
pictures = json.loads(answer("pictures"))
_, sent = completed(answer("completion").replace('"CONTENT"', json.dumps('{"number": 7}')).replace("REASON", "stop"), pictures)
assert sent == pictures, sent
for part in pictures["messages"][1]["content"][1:]:
    pydantic.TypeAdapter(ChatCompletionContentPartImageParam).validate_python(part, strict=True)
print("read")
