"""A mail server for tests: takes mails by SMTP and writes them, each with its envelope, into a folder.

  smtp-server.py FOLDER [--tls starttls|implicit CERTIFICATE KEY] [--login USER PASSWORD] [--defer COUNT]

It prints its port and serves until it is killed. Recipients whose name begins with
"nobody" are refused with 550; the first COUNT recipients are put off with 451.
"""
import argparse
import base64
import itertools
import os
import socketserver
import ssl

parser = argparse.ArgumentParser()
parser.add_argument("folder")
parser.add_argument("--tls", nargs=3)
parser.add_argument("--login", nargs=2)
parser.add_argument("--defer", type=int, default=0)
options = parser.parse_args()
numbers = itertools.count(1)
deferrals = iter(range(options.defer))
context = None
if options.tls:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(options.tls[1], options.tls[2])


class Session(socketserver.BaseRequestHandler):
    def say(self, line):
        self.file.write(line.encode() + b"\r\n")
        self.file.flush()

    def secure(self):
        self.request = context.wrap_socket(self.request, server_side=True)
        self.file = self.request.makefile("rwb")
        self.is_secure = True

    def handle(self):
        self.is_secure = self.has_login = False
        self.file = self.request.makefile("rwb")
        try:
            if options.tls and options.tls[0] == "implicit":
                self.secure()
            self.say("220 test")
            while line := self.file.readline():
                word, _, rest = line.decode().strip().partition(" ")
                if word.upper() == "QUIT":
                    return self.say("221 bye")
                getattr(self, "on_" + word.lower(), self.unknown)(rest)
        except (ssl.SSLError, ConnectionError):
            pass

    def unknown(self, _):
        self.say("502 unknown")

    def on_ehlo(self, _):
        self.say("250-test")
        if options.tls and not self.is_secure:
            self.say("250-STARTTLS")
        if options.login:
            self.say("250-AUTH PLAIN")
        self.say("250 8BITMIME")

    def on_starttls(self, _):
        self.say("220 go on")
        self.secure()

    def on_auth(self, rest):
        words = rest.split(" ")
        if len(words) == 1:
            self.say("334 ")
            words.append(self.file.readline().decode().strip())
        self.has_login = base64.b64decode(words[1]) == "\0{}\0{}".format(*options.login).encode()
        self.say("235 yes" if self.has_login else "535 no")

    def on_mail(self, rest):
        if options.login and not self.has_login:
            return self.say("530 log in first")
        self.sender, self.recipients = rest, []
        self.say("250 ok")

    def on_rcpt(self, rest):
        if "<nobody" in rest:
            return self.say("550 unknown here")
        if next(deferrals, None) is not None:
            return self.say("451 later")
        self.recipients.append(rest)
        self.say("250 ok")

    def on_data(self, _):
        self.say("354 go on")
        lines = []
        while (line := self.file.readline()) not in (b".\r\n", b""):
            lines.append(line[1:] if line.startswith(b".") else line)
        name = os.path.join(options.folder, f"{next(numbers)}.eml")
        with open(name + ".part", "wb") as file:
            envelope = f"{'secure' if self.is_secure else 'plain'} {self.sender} {' '.join(self.recipients)}\r\n"
            file.write(envelope.encode() + b"".join(lines))
        os.rename(name + ".part", name)
        self.say("250 taken")


socketserver.ThreadingTCPServer.daemon_threads = True
with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Session) as server:
    print(server.server_address[1], flush=True)
    server.serve_forever()
