"""Gemini outside, as its clients see it: answers of models, and files that are uploaded, looked at and deleted; over HTTP, on this machine.

The answers' members are those of GenerateContentResponse and File in github.com/googleapis/python-genai and of https://ai.google.dev/api/files; they were made up,
not recorded.
"""
import base64
import collections
import hashlib
import http.server
import json
import os
import threading

from support import places
from support.provider import Server, sentences_about

Asked = collections.namedtuple("Asked", "method path headers body")
FORMS = os.path.join(places.ROOT, "Tests", "system", "contracts", "gemini")


def form(name):
    with open(os.path.join(FORMS, f"{name}.json"), encoding="utf-8") as file:
        return file.read()


def generated(text, reason="STOP"):
    return json.loads(form("generated").replace('"CONTENT"', json.dumps(text)).replace("REASON", reason))


def sentences(body):
    """What a model answers to a question for a report: one sentence that is true, and one that is not."""
    return generated(json.dumps(sentences_about(json.loads(body)["contents"][0]["parts"][-1]["text"])))


class Gemini:
    """Listens until it is left; `asked` has what came, `status` and `answer` (or what it makes of a question's body) are what questions get.

    `files` has what was uploaded and not deleted. Each is looked at `looks` times before it is ready.
    """

    def __init__(self, address="127.0.0.1", port=0):
        self.asked, self.status, self.answer, self.files, self.looks = [], 200, generated("{}"), {}, 1
        self._uploads, self._left = {}, {}
        gemini = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                gemini.asked.append(Asked(self.command, self.path, dict(self.headers), body))
                path, _, query = self.path.partition("?")
                status, answer, headers = gemini._handle(self.command, path, query, self.headers, body)
                answer = json.dumps(answer).encode()
                self.send_response(status)
                for name, value in {**headers, "Content-Type": "application/json", "Content-Length": str(len(answer))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer)

            do_GET = do_POST = do_DELETE = handle_any

            def log_message(self, *_):
                pass

        self._server = Server((address, port), Handler)
        self.root = f"http://{address}:{self._server.server_port}"
        self.url = self.root + "/v1beta"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def _handle(self, method, path, query, headers, body):
        if method == "POST" and path.startswith("/v1beta/models/") and path.endswith(":generateContent"):
            return self.status, self.answer(body) if callable(self.answer) else self.answer, {}
        if method == "POST" and path == "/upload/v1beta/files":
            return self._upload(query, headers, body)
        if method == "GET" and path == "/v1beta/files":
            return 200, {"files": list(self.files.values())} if self.files else {}, {}
        name = path.removeprefix("/v1beta/")
        if name not in self.files:
            # So it says of a file that is not there.
            message = f"You do not have permission to access the File {name} or it may not exist."
            return 403, {"error": {"code": 403, "message": message, "status": "PERMISSION_DENIED"}}, {}
        if method == "DELETE":
            del self.files[name]
            return 200, {}, {}
        file = self.files[name]
        self._left[name] -= 1
        if self._left[name] <= 0:
            file["state"] = "ACTIVE"
        return 200, file, {}

    def _upload(self, query, headers, body):
        command = headers["X-Goog-Upload-Command"]
        if command == "start":
            number = str(len(self._uploads) + 1)
            wanted = json.loads(body).get("file", {}).get("name") or f"files/upload-{number}"
            self._uploads[number] = [wanted, headers["X-Goog-Upload-Header-Content-Type"], int(headers["X-Goog-Upload-Header-Content-Length"]), b""]
            url = f"{self.root}/upload/v1beta/files?upload_id={number}&upload_protocol=resumable"
            return 200, {}, {"X-Goog-Upload-URL": url, "X-Goog-Upload-Status": "active"}
        upload = self._uploads[dict(pair.split("=") for pair in query.split("&"))["upload_id"]]
        if command == "query":
            status = "final" if upload[0] in self.files else "active"
            return 200, {}, {"X-Goog-Upload-Status": status, "X-Goog-Upload-Size-Received": str(len(upload[3]))}
        if int(headers["X-Goog-Upload-Offset"]) != len(upload[3]):
            return 400, {"error": {"code": 400, "message": "The offset is another one.", "status": "INVALID_ARGUMENT"}}, {}
        upload[3] += body
        if command != "upload, finalize":
            return 200, {}, {"X-Goog-Upload-Status": "active"}
        name, kind, size, content = upload
        if len(content) != size:
            return 400, {"error": {"code": 400, "message": "Bytes are missing.", "status": "INVALID_ARGUMENT"}}, {}
        file = json.loads(form("file").replace("files/NAME", name).replace("STATE", "PROCESSING"))
        digest = base64.b64encode(hashlib.sha256(content).hexdigest().encode()).decode()
        self.files[name] = {**file, "mimeType": kind, "sizeBytes": str(size), "sha256Hash": digest}
        self._left[name] = self.looks
        return 200, {"file": self.files[name]}, {"X-Goog-Upload-Status": "final"}
