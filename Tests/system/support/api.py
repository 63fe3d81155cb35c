"""The HTTP interface as a client sees it."""
import hashlib
import http.client
import json
import time
import urllib.parse
import uuid


class Answer:
    def __init__(self, status, headers, body, fields=()):
        self.status = status
        # Each as it came, also what came twice.
        self.fields = fields
        self.headers = headers
        self.body = body

    @property
    def json(self):
        try:
            return json.loads(self.body)
        except ValueError:
            return None

    @property
    def code(self):
        """The stable code of a problem document; None for anything else."""
        is_problem = self.headers.get("content-type", "").startswith("application/problem+json")
        return self.json.get("code") if is_problem and isinstance(self.json, dict) else None

    def __repr__(self):
        return f"{self.status} {self.body[:300]!r}"


class Refused(Exception):
    def __init__(self, what, answer):
        super().__init__(f"{what}: {answer!r}")
        self.answer = answer


class Unreachable(Exception):
    """No answer: refused, reset, too late."""


def connect(address, timeout, source=None):
    """A connection to an address; with https the authorities of SSL_CERT_FILE are trusted."""
    kind = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
    return kind(address.hostname, address.port, timeout=timeout, source_address=(source, 0) if source else None)


def send(url, method, path, body=None, headers=None, timeout=30, source=None):
    """One request on a connection of its own. `path` may be a whole address; `source` is an address of this machine."""
    address = urllib.parse.urlsplit(path if path.startswith("http") else url + path)
    connection = connect(address, timeout, source)
    target = address.path + (f"?{address.query}" if address.query else "")
    headers = dict(headers or {})
    if body is not None and not isinstance(body, (bytes, bytearray)):
        body = json.dumps(body).encode()
        headers.setdefault("Content-Type", "application/json")
    try:
        connection.request(method, target, body=body, headers=headers)
        response = connection.getresponse()
        fields = [(name.lower(), value) for name, value in response.getheaders()]
        return Answer(response.status, dict(fields), response.read(), fields)
    except (OSError, http.client.HTTPException) as error:
        raise Unreachable(f"{method} {address.path}: {type(error).__name__} {error}") from error
    finally:
        connection.close()


FINAL = ("complete", "error", "cancelled", "expired", "refused")


class User:
    """Somebody with an account, and what they do."""

    def __init__(self, url, name=None, email=None):
        self.url = url
        self.email = email or f"user-{uuid.uuid4().hex}@example.org"
        self.password = f"a long one {uuid.uuid4().hex}"
        self.name = name
        self.token = None
        self.id = None

    def sign_up(self):
        body = {"email": self.email, "password": self.password, "timeZone": "Europe/Berlin"}
        if self.name:
            body["displayName"] = self.name
        answer = send(self.url, "POST", "/v1/auth/sign-up", body)
        if answer.status != 201:
            raise Refused("sign-up", answer)
        self._keep(answer)
        return answer

    def sign_in(self):
        answer = send(self.url, "POST", "/v1/auth/sign-in", {"email": self.email, "password": self.password})
        if answer.status != 200:
            raise Refused("sign-in", answer)
        self._keep(answer)
        return answer

    def _keep(self, answer):
        self.token = answer.json["accessToken"]
        self.id = answer.json["user"]["id"]

    def call(self, method, path, body=None, key=None, timeout=30, **headers):
        fields = {"Authorization": f"Bearer {self.token}"}
        if key:
            fields["Idempotency-Key"] = key
        fields.update(headers)
        return send(self.url, method, path, body, fields, timeout)

    def erase(self):
        """Erases the user, and proves who asks when the sign-in lies too far back."""
        answer = self.call("DELETE", "/v1/me")
        if answer.code == "confirmation-needed":
            confirmed = self.call("POST", "/v1/auth/confirm", {"password": self.password})
            if confirmed.status == 200:
                self.token = confirmed.json["accessToken"]
                answer = self.call("DELETE", "/v1/me")
        return answer

    def create(self, media, key=None, **more):
        """Creates a session for these bytes; gives the answer as it is."""
        body = {"kind": "mirrormate", "contentType": "video/mp4", "contentLength": len(media), **more}
        return self.call("POST", "/v1/sessions", body, key or str(uuid.uuid4()))

    def session(self, identity):
        answer = self.call("GET", f"/v1/sessions/{identity}")
        if answer.status != 200:
            raise Refused("session", answer)
        return answer.json

    def upload(self, session, media):
        address = session["upload"]
        return send(self.url, address["method"], address["url"], media, address["headers"], timeout=60)

    def finalize(self, identity):
        return self.call("POST", f"/v1/sessions/{identity}/finalize", {})

    def quota(self):
        answer = self.call("GET", "/v1/quota")
        if answer.status != 200:
            raise Refused("quota", answer)
        return answer.json

    def send_video(self, media, **more):
        """Creates, uploads and finalizes; gives the session's id."""
        created = self.create(media, **more)
        if created.status != 201:
            raise Refused("creation", created)
        session = created.json
        uploaded = self.upload(session, media)
        if uploaded.status != 200:
            raise Refused("upload", uploaded)
        final = self.finalize(session["id"])
        if final.status not in (200, 202):
            raise Refused("finalize", final)
        return session["id"]

    def follow(self, identity, within=300, last=None):
        """The session's server-sent events until the stream ends: (id, name, session) of each."""
        address = urllib.parse.urlsplit(self.url)
        connection = connect(address, within)
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "text/event-stream"}
        if last is not None:
            headers["Last-Event-ID"] = str(last)
        deadline = time.monotonic() + within
        try:
            connection.request("GET", f"/v1/sessions/{identity}/events", headers=headers)
            response = connection.getresponse()
            if response.status != 200:
                body = response.read()
                raise Refused("events", Answer(response.status, dict(response.getheaders()), body))
            fields, data = {}, []
            while time.monotonic() < deadline:
                line = response.readline().decode()
                if not line:
                    return
                line = line.rstrip("\r\n")
                if not line:
                    if data:
                        yield fields.get("id"), fields.get("event"), json.loads("\n".join(data))
                    fields, data = {}, []
                elif not line.startswith(":"):
                    name, _, value = line.partition(":")
                    value = value[1:] if value.startswith(" ") else value
                    if name == "data":
                        data.append(value)
                    else:
                        fields[name] = value
            raise Unreachable(f"the events of {identity} did not end within {within} s")
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(f"events: {type(error).__name__} {error}") from error
        finally:
            connection.close()


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def small_video(mark=b"", size=4096):
    """Bytes that pass for the beginning of an MP4 file; only the recorded helper takes them for a video."""
    head = b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom" + mark + b"\x00"
    return head + bytes(uuid.uuid4().bytes) + b"\x00" * (size - len(head) - 16)
