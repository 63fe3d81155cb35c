"""A provider outside, as its clients see it: the OpenAI API's transcription and chat over HTTP or TLS, on this machine unless a test says where.

The answers' members are those of TranscriptionVerbose, TranscriptionWord and ChatCompletion in github.com/openai/openai-python; they were made up, not recorded.
"""
import collections
import http.server
import json
import socketserver
import ssl
import threading

Asked = collections.namedtuple("Asked", "path headers body")

# A word that stands nowhere else, to be searched for where no words may be.
RARE = "xylophonic"
ANSWER = {"task": "transcribe", "language": "english", "duration": 28.3, "text": f"Hello {RARE}.",
          "words": [{"word": "Hello", "start": 1.0, "end": 1.4}, {"word": RARE, "start": 1.5, "end": 1.9}],
          "usage": {"type": "duration", "seconds": 29}}


def completion(content):
    """An answer of a model, with a text of its own."""
    message = {"role": "assistant", "content": content, "refusal": None}
    return {"id": "chatcmpl-1", "object": "chat.completion", "created": 1795000000, "model": "gpt-4o-mini",
            "choices": [{"index": 0, "finish_reason": "stop", "logprobs": None, "message": message}],
            "usage": {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100}}


def seen(posture, gestures, expression):
    """What a model answers that has looked at pictures; a text is a reason."""
    said = {"posture": posture, "gestures": gestures, "expression": expression}
    return completion(json.dumps({
        name: {"value": None if isinstance(one, str) else one, "reason": one if isinstance(one, str) else None} for name, one in said.items()}))


SENTENCE = "That is what the numbers of this recording say."


def sentences_about(material):
    """What a model writes for a report: one sentence that is true, and one that is not."""
    material = json.loads(material)
    values = {measure["measure"]: measure["value"] for measure in material["measures"]}
    place = material["places"][-1]
    name = place["measures"][0]
    said = {"place": place["place"], "text": SENTENCE, "measure": name, "relation": "is", "value": values[name]}
    untrue = {**said, "place": material["places"][0]["place"], "text": "You are the very best of all.", "value": values[name] + 1}
    return {"sentences": [untrue, said]}


def sentences(body):
    """The same as an answer to a question."""
    return completion(json.dumps(sentences_about(json.loads(body)["messages"][1]["content"])))


class Server(http.server.ThreadingHTTPServer):
    def server_bind(self):
        # Without looking its name up, for which there may be nobody to ask.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]


class Provider:
    """Listens until it is left; `asked` has what came, and `status` and `answer` (or what it makes of a request's body) are what everybody gets.

    With a `certificate`, a file that has its key too, it speaks TLS.
    """

    def __init__(self, address="127.0.0.1", port=0, certificate=None):
        self.asked, self.status, self.answer = [], 200, ANSWER
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                provider.asked.append(Asked(self.path, dict(self.headers), body))
                answer = json.dumps(provider.answer(body) if callable(provider.answer) else provider.answer).encode()
                self.send_response(provider.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        self._server = Server((address, port), Handler)
        self.url = f"http://{address}:{self._server.server_port}/v1"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
            self.url = self.url.replace("http:", "https:", 1).replace(":443/", "/")

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
