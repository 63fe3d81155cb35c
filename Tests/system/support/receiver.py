"""An endpoint that somebody named, on this machine: notes what comes, and answers as a test says."""
import collections
import http.server
import threading

from support.provider import Server

Received = collections.namedtuple("Received", "path headers body")


class Receiver:
    """Listens until it is left; `received` has what came, `answers` the statuses that the next requests get instead of 204."""

    def __init__(self, address="127.0.0.1", port=0):
        self.received, self.answers = [], []
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                receiver.received.append(Received(self.path, {name.lower(): value for name, value in self.headers.items()}, body))
                self.send_response(receiver.answers.pop(0) if receiver.answers else 204)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = Server((address, port), Handler)
        self.url = f"http://{address}:{self._server.server_port}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
