"""A provider outside, as its clients see it: the OpenAI API's transcription over HTTP on this machine.

The answer's members are those of TranscriptionVerbose and TranscriptionWord in github.com/openai/openai-python; it was made up, not recorded.
"""
import collections
import http.server
import json
import threading

Asked = collections.namedtuple("Asked", "path headers body")

# A word that stands nowhere else, to be searched for where no words may be.
RARE = "xylophonic"
ANSWER = {"task": "transcribe", "language": "english", "duration": 28.3, "text": f"Hello {RARE}.",
          "words": [{"word": "Hello", "start": 1.0, "end": 1.4}, {"word": RARE, "start": 1.5, "end": 1.9}],
          "usage": {"type": "duration", "seconds": 29}}


class Provider:
    """Listens until it is left; `asked` has what came, and `status` and `answer` are what everybody gets."""

    def __init__(self):
        self.asked, self.status, self.answer = [], 200, ANSWER
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                provider.asked.append(Asked(self.path, dict(self.headers), body))
                answer = json.dumps(provider.answer).encode()
                self.send_response(provider.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
