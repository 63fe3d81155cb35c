"""One server of this machine that gives every request the same answer, and says what came."""
import collections
import contextlib
import http.server
import threading

Sent = collections.namedtuple("Sent", "method path headers body")


@contextlib.contextmanager
def served(body, content_type="application/json", status=200):
    """The server's address, and the requests that came."""
    sent = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def answer(self):
            headers = {name.lower(): value for name, value in self.headers.items()}
            sent.append(Sent(self.command, self.path, headers, self.rfile.read(int(headers.get("content-length", 0)))))
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_DELETE = answer

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", sent
    finally:
        server.shutdown()
        server.server_close()
