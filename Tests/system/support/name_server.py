"""A name server that answers as a test says, whoever asks."""
import contextlib
import socket
import struct
import threading

_A = 1


class NameServer:
    """Listens until it is left; `names` has for each name the answers in turn, each a list of IPv4 addresses, of which the last stays."""

    def __init__(self, address, names):
        self.names = {name: list(answers) for name, answers in names.items()}
        self.asked = []
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind((address, 53))

    def __enter__(self):
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_):
        # Wakes who waits for the next question, though there is no connection to shut down.
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _serve(self):
        while True:
            try:
                question, client = self._socket.recvfrom(4096)
            except OSError:
                return
            if not question:
                return
            self._socket.sendto(self._answer(question), client)

    def _answer(self, question):
        place, labels = 12, []
        while question[place]:
            labels.append(question[place + 1:place + 1 + question[place]].decode().lower())
            place += question[place] + 1
        kind, = struct.unpack_from("!H", question, place + 1)
        name, addresses = ".".join(labels), []
        self.asked.append(name)
        if kind == _A and name in self.names:
            answers = self.names[name]
            addresses = answers.pop(0) if len(answers) > 1 else answers[0]
        # Forgotten at once, as whoever turns an answer around wants it.
        records = b"".join(struct.pack("!HHHIH4s", 0xC00C, _A, 1, 0, 4, socket.inet_aton(address)) for address in addresses)
        code = 0x8180 if name in self.names else 0x8183
        return question[:2] + struct.pack("!HHHHH", code, 1, len(addresses), 0, 0) + question[12:place + 5] + records
