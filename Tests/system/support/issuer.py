"""`mirrormate issuer`, in the place of Google and Apple."""
import base64
import hashlib
import secrets
import subprocess

from support.api import send
from support.deployment import free_port
from support.places import BINARIES


class Issuer:
    """`mirrormate issuer`, and what its people get from it."""

    def __init__(self):
        port = free_port()
        self.url = f"http://127.0.0.1:{port}/google"
        self.running = subprocess.Popen(
            [f"{BINARIES}/mirrormate", "issuer", "--port", str(port)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.variables = {}
        # Five for each provider, the secret of Google's client, and where Apple's tokens are taken back.
        while len(self.variables) < 12:
            line = self.running.stdout.readline()
            assert line.startswith("export "), line
            name, value = line.removeprefix("export ").strip().split("=", 1)
            self.variables[name] = value

    def token(self, subject, **more):
        """Google's identity token of somebody, as the client's library makes it: with a nonce that the client does not tell."""
        person = {"subject": subject, "email": f"{subject}@gmail.com", "nonce": secrets.token_hex(8), **more}
        return send(self.url, "POST", f"{self.url}/sign", person).json["identityToken"]

    def code(self, subject, redirect, verifier):
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        body = {"subject": subject, "email": f"{subject}@gmail.com", "redirectUri": redirect, "codeChallenge": challenge}
        return send(self.url, "POST", f"{self.url}/authorize", body).json["code"]

    def stop(self):
        self.running.terminate()
        self.running.communicate(timeout=30)
