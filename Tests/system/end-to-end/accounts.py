"""Part 5: mail, keys and settings, with the real processes; and everybody's work while identity is down."""
import glob
import os
import re
import signal
import subprocess
import uuid

from api import User, send
from checks import wait
from programs import SERVICES


def run(checks, stack):
    user = User(stack.url)
    user.sign_up()
    mailed(checks, stack, user)
    surviving(checks, stack, user)
    rotated(checks, stack, user)
    alone(checks, stack, user)
    erased(checks, stack, user)
    misconfigured(checks, stack)


def mails(stack, user):
    """The user's mails in the state folder, oldest first."""
    paths = sorted(glob.glob(os.path.join(stack.state, "mail", user.id, "*.eml")))
    texts = []
    for path in paths:
        with open(path, encoding="ascii") as file:
            texts.append(file.read())
    return texts


def code(mail):
    return re.search(r"^([A-Za-z0-9_-]{43})$", mail, re.MULTILINE).group(1)


def mail_with(stack, user, subject, count=1):
    """The last of at least so many mails with a subject."""
    def found():
        fitting = [mail for mail in mails(stack, user) if f"\nSubject: {subject}\n" in mail]
        return fitting if len(fitting) >= count else None
    return wait(f"mail {count}: {subject}", found, within=60)[-1]


def mailed(checks, stack, user):
    token = code(mail_with(stack, user, "Confirm your address"))
    answer = send(stack.url, "POST", "/v1/auth/verify-email", {"token": token})
    verified = user.call("GET", "/v1/me").json["user"]["emailVerified"]
    checks.equal((answer.status, verified), (204, True), "an address is verified by the mail of sign-up")


def surviving(checks, stack, user):
    """A reset that was answered is mailed, although the process dies by kill -9 right after the answer."""
    answer = send(stack.url, "POST", "/v1/auth/password-reset", {"email": user.email.upper()})
    stack.kill("identity")
    stranger = f"nobody-{uuid.uuid4().hex}@example.org"
    stack.up()
    unknown = send(stack.url, "POST", "/v1/auth/password-reset", {"email": stranger})
    checks.equal((unknown.status, unknown.body), (answer.status, answer.body), "nobody's reset is answered alike")
    token = code(mail_with(stack, user, "Choose a new password"))
    user.password = f"a new one {uuid.uuid4().hex}"
    body = {"resetToken": token, "newPassword": user.password}
    statuses = [send(stack.url, "POST", "/v1/auth/password", body).status for _ in range(2)]
    checks.equal(statuses, [204, 401], "a mailed code survives kill -9 and works once")
    checks.equal(user.sign_in().status, 200, "and the new password lets in")
    wait("the outbox is empty", lambda: stack.psql("select count(*) from identity.mail_outbox").strip() == "0")


def rotated(checks, stack, user):
    def keys():
        return [key["kid"] for key in send(stack.url, "GET", "/.well-known/jwks.json").json["keys"]]
    first = keys()
    code_, _, notes = stack.command("keys", "rotate", "--bin", stack.programs.folder)
    checks.expect(code_ == 0 and keys()[:1] == first and len(keys()) == 2, "keys rotate adds a key", notes)
    checks.equal(user.call("GET", "/v1/quota").status, 200, "and what the old one signed is still good")
    stack.command("keys", "rotate", "--revoke", "--bin", stack.programs.folder)
    wait("old tokens are refused", lambda: user.call("GET", "/v1/quota").status == 401, within=30)
    checks.expect(not set(first) & set(keys()), "keys rotate --revoke refuses the old keys' tokens everywhere", keys())
    wait("new tokens are good", lambda: user.sign_in() and user.call("GET", "/v1/quota").status == 200, within=60)


def alone(checks, stack, user):
    """Every other service starts and serves while identity is down."""
    stack.kill("identity")
    for service in SERVICES[1:]:
        stack.kill(service, signal.SIGTERM)
    stack.programs.hold("identity")
    try:
        code_, _, _ = stack.command("up", "--bin", stack.programs.folder, timeout=120)
        answer = send(stack.url, "GET", "/.well-known/jwks.json")
        checks.equal((code_ != 0, answer.status, answer.code), (True, 503, "temporarily-unavailable"), "identity is down")
        for path in ("/v1/quota", "/v1/sessions", "/v1/reports"):
            # The command gives up without waiting for the services that it has started.
            wait(f"{path} is served", lambda path=path: user.call("GET", path).status == 200, within=60)
            checks.expect(stack.pid("identity") is None, f"{path} is served by a service that started without identity")
        created = user.create(b"\0" * 4096)
        checks.expect(created.status in (201, 202), "a session is created meanwhile", created)
        path = f"/v1/sessions/{created.json['id']}"
        wait("quota has decided", lambda: user.call("GET", path).json["status"] == "awaitingUpload", within=60)
        checks.equal(user.call("POST", path + "/cancel", {}).json["status"], "cancelled", "decided, and cancelled")
    finally:
        stack.programs.release("identity")
        stack.up()


def erased(checks, stack, user):
    answer = user.call("DELETE", "/v1/me")
    wait("the receipt is complete", lambda: user.call("GET", "/v1/me/erasure").status == 200)
    folder = os.path.join(stack.state, "mail", user.id)
    wait("the user's mails are gone", lambda: not os.path.exists(folder))
    removed = answer.json["erasure"]["services"][0]["removed"]["rows"]
    checks.expect(removed >= 3, "an erasure takes the user's mails with it", answer)


def misconfigured(checks, stack):
    """A start with several mistakes names all of them, opens nothing, and ends with 3."""
    for service in SERVICES:
        environment = {"PATH": os.environ["PATH"], "DATABASE_PASSWORD": "change-me", "HTTP_PORT": "x",
                       "KEY_ENCRYPTION_KEY": "1" * 64, "UPLOAD_KEY": "secret"}
        # Behind a shell: the services' own processes are waited for by deaths.py.
        words = ["sh", "-c", '"$0" serve; exit $?', os.path.join(stack.programs.folder, service)]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=30, check=False)
        text = done.stdout + done.stderr
        wanted = ["DATABASE_HOST", "DATABASE_PASSWORD", "KAFKA_BOOTSTRAP_SERVERS", "HTTP_PORT"]
        wanted += {"identity": ["KEY_ENCRYPTION_KEY"], "sessions": ["UPLOAD_KEY", "OBJECT_STORE"]}.get(service, [])
        missing = [name for name in wanted if name not in text]
        checks.equal((done.returncode, missing, "change-me" in text), (3, [], False),
                     f"{service} names every mistake of its configuration at once")
