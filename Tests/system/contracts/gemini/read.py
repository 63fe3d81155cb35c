"""Reads the answers of the stand-ins with the Gemini API's own client, whose types refuse members that they do not know, and compares what it sends."""
import io
import json
import os
import sys
import uuid

import pydantic
from google import genai
from google.genai import errors, types

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", ".."))

from support.gemini import Gemini, form, generated  # noqa: E402

MODEL = "gemini-2.5-flash-lite"
KEY = "a-key-of-tests"


def client_of(gemini):
    options = types.HttpOptions(base_url=gemini.root, api_version="v1beta", retry_options=types.HttpRetryOptions(attempts=1))
    return genai.Client(api_key=KEY, vertexai=False, http_options=options)


def ask(client, question, *more):
    """Puts a question as it is put here (GeminiProtocol.swift)."""
    config = question["generationConfig"]
    return client.models.generate_content(
        model=MODEL, contents=[types.Content(role="user", parts=[*more, types.Part(text=question["contents"][0]["parts"][-1]["text"])])],
        config=types.GenerateContentConfig(
            system_instruction=types.Content(parts=[types.Part(text=question["systemInstruction"]["parts"][0]["text"])]),
            response_mime_type=config["responseMimeType"], response_json_schema=config["responseJsonSchema"],
            max_output_tokens=config["maxOutputTokens"]))


def fails(client, question, gemini, status, name):
    gemini.status, gemini.answer = status, json.loads(form(name))
    try:
        ask(client, question)
        sys.exit(f"The client takes {name} for an answer.")
    except errors.ClientError as error:
        return error


question = json.loads(form("question"))
with Gemini() as gemini:
    client = client_of(gemini)
    # A question as it is sent here, and every way in which an answer ends.
    for reason in ("STOP", "MAX_TOKENS", "SAFETY"):
        gemini.answer = generated('{"number": 2}', reason)
        read = ask(client, question)
        assert read.candidates[0].finish_reason == types.FinishReason(reason) and read.text == '{"number": 2}', read
        usage = read.usage_metadata
        assert (usage.prompt_token_count, usage.candidates_token_count, usage.thoughts_token_count) == (1000, 80, 20), usage
        types.GenerateContentResponse.model_validate(gemini.answer)
    sent = gemini.asked[0]
    assert (sent.method, sent.path) == ("POST", f"/v1beta/models/{MODEL}:generateContent"), sent
    assert json.loads(sent.body) == question, sent.body
    assert {name.lower(): value for name, value in sent.headers.items()}["x-goog-api-key"] == KEY
    try:
        types.GenerateContentResponse.model_validate({"choices": []})
        sys.exit("The client's types take anything: they prove nothing.")
    except pydantic.ValidationError:
        pass
    error = fails(client, question, gemini, 400, "unknown-key")
    assert (error.code, error.status) == (400, "INVALID_ARGUMENT")
    assert error.details["error"]["details"][0]["reason"] == "API_KEY_INVALID"
    error = fails(client, question, gemini, 429, "exhausted")
    assert (error.code, error.status) == (429, "RESOURCE_EXHAUSTED")

    # Pictures stand before the words, as they are sent here (GeminiTests.swift).
    gemini.status, gemini.answer = 200, generated('{"number": 2}')
    ask(client, question, types.Part(inline_data=types.Blob(mime_type="image/jpeg", data=b"\xff\xd8\xff")))
    part = json.loads(gemini.asked[-1].body)["contents"][0]["parts"][0]
    named = types.Blob.model_validate({"mimeType": "image/jpeg", "data": "/9j/"})
    assert types.Blob.model_validate(part["inlineData"]) == named, part

    # A file under a name that is chosen before: uploaded in pieces, waited for, asked about, deleted.
    gemini.status, gemini.answer, gemini.looks = 200, generated('{"number": 2}'), 2
    name, content = str(uuid.uuid4()), b"x" * (8 << 20) + b"the rest"
    begun = len(gemini.asked)
    file = client.files.upload(file=io.BytesIO(content), config=types.UploadFileConfig(name=name, mime_type="video/mp4"))
    assert (file.name, file.mime_type, file.size_bytes, file.state) == (f"files/{name}", "video/mp4", len(content), types.FileState.PROCESSING)
    assert client.files.get(name=name).state == types.FileState.PROCESSING
    file = client.files.get(name=name)
    assert file.state == types.FileState.ACTIVE and file.uri.endswith(name)
    ask(client, question, types.Part(file_data=types.FileData(file_uri=file.uri, mime_type=file.mime_type)))
    asked = [(one.method, one.path.partition("?")[0], {key.lower(): value for key, value in one.headers.items()}) for one in gemini.asked[begun:]]
    assert [one[:2] for one in asked] == [
        ("POST", "/upload/v1beta/files"), ("POST", "/upload/v1beta/files"), ("POST", "/upload/v1beta/files"),
        ("GET", f"/v1beta/files/{name}"), ("GET", f"/v1beta/files/{name}"), ("POST", f"/v1beta/models/{MODEL}:generateContent")], asked
    told = [[one[2].get(f"x-goog-upload-{field}") for field in ("command", "offset")] for one in asked[:3]]
    assert told == [["start", None], ["upload", "0"], ["upload, finalize", str(8 << 20)]], told
    assert asked[0][2]["x-goog-upload-protocol"] == "resumable"
    assert asked[0][2]["x-goog-upload-header-content-length"] == str(len(content))
    assert asked[0][2]["x-goog-upload-header-content-type"] == "video/mp4"
    assert json.loads(gemini.asked[begun].body)["file"]["name"] == f"files/{name}"
    # What stands before the words: here by its names in JSON (LentFileTests.swift), which the API takes as well.
    part = json.loads(gemini.asked[-1].body)["contents"][0]["parts"][0]
    named = types.FileData.model_validate({"fileUri": file.uri, "mimeType": "video/mp4"})
    assert types.FileData.model_validate(part["fileData"]) == named, part
    assert [one.name for one in client.files.list()] == [file.name]
    client.files.delete(name=name)
    assert gemini.files == {} and list(client.files.list()) == []
    try:
        client.files.delete(name=name)
        sys.exit("A file was deleted twice.")
    except errors.ClientError as error:
        assert error.code == 403, error
    for state in ("PROCESSING", "ACTIVE", "FAILED"):
        assert types.File.model_validate(json.loads(form("file").replace("STATE", state))).state == types.FileState(state)
print("read")
