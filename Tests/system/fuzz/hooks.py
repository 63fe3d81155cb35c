"""What schemathesis has to know of this API beyond fuzzing.toml: who asks, and for which sessions.

FUZZ_USER is set when a user asks. An erased user is followed by a new one, and every other session that is asked for is
one of the user's own, so that the ways behind the first check are fuzzed too.
"""
import json
import os
import urllib.error
import urllib.request
import uuid

import schemathesis


class User:
    """An account that is there, with a session that is there."""

    def __init__(self, url):
        self.url = url
        self.token = None
        self.session = None
        self.renew()

    def renew(self):
        self.session = None
        body = {"email": f"{uuid.uuid4()}@example.org", "password": str(uuid.uuid4())}
        self.token = self.send("/v1/auth/sign-up", body)["accessToken"]

    def open_session(self):
        """The session that stands open, or a new one."""
        if self.session is None:
            wish = {"kind": "mirrormate", "contentType": "video/mp4", "contentLength": 1000}
            answer = self.send("/v1/sessions", wish, {"Authorization": f"Bearer {self.token}", "Idempotency-Key": str(uuid.uuid4())})
            self.session = answer.get("id") or answer.get("heldBy", {}).get("sessionId")
            if self.session is None:
                # Its units are used up.
                self.renew()
                return self.open_session()
        return self.session

    def send(self, path, body, headers=None):
        request = urllib.request.Request(
            self.url + path, json.dumps(body).encode(), {"Content-Type": "application/json", **(headers or {})})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            return json.load(error)


@schemathesis.serializer("video/mp4", "video/quicktime", "video/webm", "image/jpeg", "image/png", "image/webp",
                           "application/offset+octet-stream")
def file(_, value):
    """Bytes as they are."""
    return value if isinstance(value, bytes) else json.dumps(value).encode()


@schemathesis.hook
def before_load_schema(_, document):
    """Codes are examples for clients, because later versions know more of them; this version is held to its own."""
    for methods in document["paths"].values():
        for operation in methods.values():
            for answer in operation["responses"].values():
                schema = answer.get("content", {}).get("application/problem+json", {}).get("schema", {})
                for part in schema.get("allOf", []):
                    code = part.get("properties", {}).get("code", {})
                    if "examples" in code:
                        code["enum"] = code.pop("examples")


if os.environ.get("FUZZ_USER"):
    user = User(os.environ["FUZZ_USER"])

    @schemathesis.auth(refresh_interval=None)
    class Token:
        def get(self, case, context):
            return user.token

        def set(self, case, data, context):
            case.headers["Authorization"] = f"Bearer {data}"

    turns = 0

    @schemathesis.hook
    def map_path_parameters(_, parameters):
        """Every other time the user's own session instead of somebody's."""
        global turns
        if parameters and "id" in parameters:
            turns += 1
            if turns % 2:
                parameters["id"] = user.open_session()
        return parameters

    @schemathesis.hook
    def after_call(_, case, response):
        if response.status_code >= 300:
            return
        if case.operation.label == "DELETE /v1/me":
            user.renew()
        if case.operation.label in ("POST /v1/sessions/{id}/cancel", "DELETE /v1/sessions/{id}"):
            user.session = None
