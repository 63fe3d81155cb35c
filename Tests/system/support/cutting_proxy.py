"""A proxy before a server that cuts connections where a test says so, each time once."""
import contextlib
import random
import re
import socket
import struct
import threading
import urllib.parse

HEAD = re.compile(rb"[A-Z]+ /\S* HTTP/1\.1\r\n.*?\r\n\r\n", re.DOTALL)


class Cut:
    """Where a connection ends: after so many bytes of a request, or after a pattern in its answer."""

    def __init__(self, request, sent=None, heard=None):
        self.request = request
        self.sent = sent
        self.heard = heard
        self.is_done = False


class CuttingProxy:
    """Hands bytes on in both directions, and puts its own address in the place of the server's, so that clients come back."""

    def __init__(self, url):
        self._server = urllib.parse.urlsplit(url)
        self._theirs = f"http://{self._server.netloc}".encode()
        self._listener = self._listening(len(str(self._server.port)))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        # The head of each request, as it came.
        self.heads = []
        self._cuts = []
        self._open = set()
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    @staticmethod
    def _listening(digits):
        """A socket whose port has so many digits: lengths within answers stay right."""
        ports = range(max(1024, 10 ** (digits - 1)), min(65536, 10 ** digits))
        for port in random.sample(ports, 200):
            listener = socket.socket()
            try:
                listener.bind(("127.0.0.1", port))
                listener.listen()
                return listener
            except OSError:
                listener.close()
        raise OSError("no free port")

    def cut(self, request, **where):
        """Cuts the first connection on which this request goes on for long enough; `request` is a pattern of its first line."""
        cut = Cut(re.compile(request), **where)
        self._cuts.append(cut)
        return cut

    def requests(self, pattern):
        """The heads of the requests whose first line has the pattern."""
        return [head for head in self.heads if re.match(pattern, head)]

    def close(self):
        self._listener.close()
        with self._lock:
            still = list(self._open)
        for one in still:
            self._end(one)

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection((self._server.hostname, self._server.port))
                with self._lock:
                    self._open |= {client, server}
                connection = Connection(self, client, server)
                for work in (connection.requests, connection.answers):
                    threading.Thread(target=work, daemon=True).start()

    def _end(self, one):
        """Closes a socket, also while somebody waits for it."""
        with self._lock:
            self._open.discard(one)
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
        one.close()

    def wanted(self, head):
        """The cut that is meant for a request; None for most."""
        return next((cut for cut in self._cuts if not cut.is_done and cut.request.match(head)), None)

    def renamed(self, data, held):
        """An answer's bytes with this address, and those at their end that may be the beginning of the server's."""
        data = (held + data).replace(self._theirs, self.url.encode())
        begun = next((n for n in range(len(self._theirs) - 1, 0, -1) if data.endswith(self._theirs[:n])), 0)
        return data[:len(data) - begun], data[len(data) - begun:]


class Connection:
    def __init__(self, proxy, client, server):
        self._proxy = proxy
        self._client = client
        self._server = server
        self._cut = None
        self._heard = b""

    def requests(self):
        sent = 0
        head = b""
        with contextlib.suppress(OSError):
            while data := self._client.recv(65536):
                head += data
                for found in HEAD.findall(head):
                    self._proxy.heads.append(found)
                    head, sent, self._heard = b"", 0, b""
                    self._cut = self._proxy.wanted(found)
                # A head that has begun; bodies are of no interest.
                head = head[-16384:]
                sent += len(data)
                if self._cut and self._cut.sent is not None and sent > self._cut.sent:
                    self._cut.is_done = True
                    # A reset, as of a network that is gone.
                    self._client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    break
                self._server.sendall(data)
        self._end()

    def answers(self):
        held = b""
        with contextlib.suppress(OSError):
            while data := self._server.recv(65536):
                data, held = self._proxy.renamed(data, held)
                self._client.sendall(data)
                if self._cut and self._cut.heard is not None:
                    self._heard += data
                    if re.search(self._cut.heard, self._heard, re.DOTALL):
                        self._cut.is_done = True
                        break
            else:
                self._client.sendall(held)
        self._end()

    def _end(self):
        for one in (self._client, self._server):
            self._proxy._end(one)
