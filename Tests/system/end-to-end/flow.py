"""Part 1: from sign-up to report and history, and every way in which it must not go."""
import hashlib
import hmac
import json
import os
import base64
import time
import urllib.parse
import uuid

from api import FINAL, User, send, sha256, small_video
from checks import wait
from report_fields import check_report


def new_user(stack, **more):
    user = User(stack.url, **more)
    user.sign_up()
    return user


def used(user, count):
    """Waits until quota says that so many units are used and none is held; gives its answer."""
    def settled():
        quota = user.quota()
        return quota if (quota["used"], quota["reserved"]) == (count, 0) else None
    return wait(f"quota of {count} used, 0 reserved", settled, within=30)


def ended(user, identity, within=60):
    """Waits until a session has ended, and gives it."""
    def final():
        session = user.session(identity)
        return session if session["status"] in FINAL else None
    return wait(f"session {identity} has ended", final, within=within)


class Flow:
    def __init__(self, checks, stack, demo):
        self.checks = checks
        self.stack = stack
        self.demo = demo
        # For the search for personal content.
        self.speaker = None
        self.report = None
        self.session = None

    def run(self):
        self.whole_way()
        self.failures_cost_nothing()
        self.repeats()
        self.strangers()
        self.uploads()
        self.mistakes()
        self.operators()
        self.devices()

    def devices(self):
        """A device's use of today is still used after its owner has signed up."""
        checks = self.checks
        device = User(self.stack.url)
        answer = send(self.stack.url, "POST", "/v1/auth/device", {"deviceId": uuid.uuid4().hex})
        checks.expect(answer.status in (200, 201), "a device is let in", answer)
        device.token = answer.json["accessToken"]
        created = device.create(small_video())
        checks.equal(created.status, 201, "it has one a day")
        body = {"email": device.email, "password": device.password}
        signed = device.call("POST", "/v1/auth/sign-up", body)
        checks.equal((signed.status, signed.json["user"]["id"]), (201, answer.json["user"]["id"]),
                     "signing up keeps the user")
        device.token = signed.json["accessToken"]
        checks.equal(device.quota()["reserved"], 1, "and what was used")
        second = device.create(small_video())
        checks.expect((second.status, second.code) == (409, "session-open") and
                      second.json["heldBy"]["sessionId"] == created.json["id"], "so that there is no second one", second)

    def operators(self):
        """Units and plans by the command line; what quota says then is what the next creation gets."""
        checks = self.checks
        user = new_user(self.stack)

        def admitted():
            created = user.create(small_video())
            if created.status == 201:
                user.call("POST", f"/v1/sessions/{created.json['id']}/cancel", {})
            return created.status == 201

        def operator(*words):
            code, out, notes = self.stack.command(*words, "--json")
            checks.equal(code, 0, f"`mirrormate {words[0]} …` succeeds {notes[-200:] if code else ''}")
            return json.loads(out) if code == 0 else {}

        standing = operator("quota", "grant", user.email, "--units", "2")
        checks.equal((standing.get("remaining"), user.quota()["remaining"]), (3, 3), "two units more are there at once")
        first, second = user.create(small_video()), user.create(small_video())
        checks.equal((first.status, second.status), (201, 201), "and two sessions may be open")
        checks.equal(operator("plan", user.email, "premium").get("remaining"), None, "premium has no limit")
        checks.expect(all(admitted() for _ in range(3)), "and everything is admitted")
        checks.equal(operator("plan", user.email, "free").get("plan"), "free", "the plan can be taken back")
        code, _, notes = self.stack.command("quota", "grant", "nobody@example.org")
        checks.expect(code != 0 and "account-unknown" in notes, "an unknown address is told", notes[-300:])

    def whole_way(self):
        checks = self.checks
        name = f"Zdenobia Quixwell {uuid.uuid4().hex[:8]}"
        user = User(self.stack.url, name=name, email=f"Votrubcova.{uuid.uuid4().hex[:8]}@planted-mail.example")
        answer = user.sign_up()
        checks.expect(answer.status == 201 and answer.json["tokenType"].lower() == "bearer"
                      and answer.json["expiresIn"] > 0 and answer.json["refreshToken"], "sign-up gives tokens", answer)
        checks.expect(user.sign_in().status == 200, "signing in again works")
        quota = user.quota()
        checks.expect((quota["limit"], quota["used"], quota["reserved"]) == (1, 0, 0),
                      "a new user has one a day", quota)
        with open(self.demo, "rb") as file:
            video = file.read()
        created = user.create(video, sha256=sha256(video))
        checks.expect(created.status == 201, "a session is created and admitted", created)
        session = created.json
        checks.expect(session["status"] == "awaitingUpload" and session["upload"]["url"].startswith(self.stack.url),
                      "it says where to upload", session)
        checks.equal(created.headers.get("location"), f"/v1/sessions/{session['id']}", "and where it lies")
        early = user.finalize(session["id"])
        checks.equal((early.status, early.code), (409, "upload-missing"), "finalizing before the upload is refused")
        uploaded = user.upload(session, video)
        checks.expect(uploaded.status == 200 and uploaded.json["sha256"] == sha256(video),
                      "the video is uploaded", uploaded)
        checks.equal(user.finalize(session["id"]).status, 202, "finalizing is accepted")
        begin = time.monotonic()
        progress, ids, states, stages = [], [], [], 0
        for identity, name, state in user.follow(session["id"]):
            stages += name == "session"
            progress.append(state["progress"])
            ids.append(int(identity))
            states.append(state["status"])
        checks.equal(states[-1] if states else None, "complete", "the events end with complete")
        checks.expect(progress == sorted(progress) and progress and progress[-1] == 1,
                      "progress never goes back", progress)
        checks.expect(ids == sorted(set(ids)), "event ids rise", ids)
        checks.expect(stages >= 4, "progress comes in several steps", progress)
        checks.say(f"        analysed in {time.monotonic() - begin:.1f} s")
        answer = user.call("GET", f"/v1/reports/{session['id']}")
        checks.equal(answer.status, 200, "the report is readable as soon as the session is complete")
        report = answer.json
        check_report(checks, report)
        again = user.call("GET", f"/v1/reports/{session['id']}", **{"If-None-Match": answer.headers.get("etag", "")})
        checks.equal(again.status, 304, "the report's ETag is honoured")
        last = list(user.follow(session["id"], last=ids[-1]))
        checks.expect(len(last) <= 1, "a stream taken up at its end repeats nothing old", last)
        history = wait("the report in the history", lambda: user.call("GET", "/v1/reports").json["items"])
        checks.expect(len(history) == 1 and history[0]["sessionId"] == session["id"]
                      and history[0]["confidenceScore"] == report["confidenceScore"],
                      "the history has the report", history)
        sessions = wait("the session in the list", lambda: [
            item for item in user.call("GET", "/v1/sessions").json["items"] if item["status"] == "complete"])
        checks.equal([item["id"] for item in sessions], [session["id"]], "the list has the session")
        quota = used(user, 1)
        checks.expect((quota["limit"], quota["remaining"]) == (1, 0) and quota["resetsAt"],
                      "quota: 1 of 1 is used", quota)
        second = user.create(video)
        checks.expect((second.status, second.code) == (429, "quota-exceeded") and second.json.get("resetsAt")
                      and int(second.headers["retry-after"]) > 0, "a second one answers 429 with resetsAt", second)
        self.speaker, self.report, self.session = user, report, session["id"]

    def failures_cost_nothing(self):
        checks = self.checks
        user = new_user(self.stack)
        broken = small_video() + os.urandom(60_000)
        session = ended(user, user.send_video(broken))
        checks.expect(session["status"] == "error" and session["error"]["code"] == "unreadable"
                      and session["error"]["retryable"] is False, "an unreadable upload ends in error", session)
        checks.expect(used(user, 0), "and its unit is given back")
        created = user.create(broken)
        checks.equal(created.status, 201, "so that another session is admitted")
        held = user.create(broken)
        checks.expect((held.status, held.code) == (409, "session-open") and held.json["heldBy"]["sessionId"] ==
                      created.json["id"], "while it is open a further one answers 409 and names it", held)
        replacing = user.create(broken, replaces=created.json["id"])
        checks.equal(replacing.status, 201, "replaces admits the further one")
        checks.equal(user.session(created.json["id"])["status"], "cancelled", "and cancels the replaced one")
        cancelled = user.call("POST", f"/v1/sessions/{replacing.json['id']}/cancel", {})
        checks.equal(cancelled.json["status"], "cancelled", "cancelling ends a session")
        checks.expect(used(user, 0), "and gives its unit back")
        again = user.call("POST", f"/v1/sessions/{replacing.json['id']}/cancel", {})
        checks.expect(again.status in (200, 409), "cancelling twice does no harm", again)
        deleted = user.call("DELETE", f"/v1/sessions/{created.json['id']}")
        checks.equal(deleted.status, 204, "an ended session is deleted")
        checks.equal(user.call("GET", f"/v1/sessions/{created.json['id']}").status, 404, "and then unknown")

    def repeats(self):
        checks = self.checks
        user = new_user(self.stack)
        media, key = small_video(), str(uuid.uuid4())
        first, second = user.create(media, key=key), user.create(media, key=key)
        checks.expect(first.status == second.status == 201 and first.json["id"] == second.json["id"],
                      "a repeated creation gives the same session", (first, second))
        other = user.create(media + b"x", key=key)
        checks.equal((other.status, other.code), (422, "idempotency-key-reused"),
                     "the key with another body is refused")
        user.call("POST", f"/v1/sessions/{first.json['id']}/cancel", {})
        late = user.create(media, key=key)
        checks.expect(late.status in (200, 201) and late.json["id"] == first.json["id"],
                      "a repeat after the end still gives that session", late)
        count = len(self.stack.events("sessions", f"type = 'SessionCreated' and data->>'ownerId' = '{user.id}'"))
        checks.equal(count, 1, "and there was only one creation")

    def strangers(self):
        checks = self.checks
        owner, stranger = self.speaker, new_user(self.stack)
        for method, path in (
                ("GET", ""), ("GET", "/events"), ("POST", "/finalize"), ("POST", "/cancel"), ("DELETE", "")):
            body = {} if method == "POST" else None
            answer = stranger.call(method, f"/v1/sessions/{self.session}{path}", body)
            unknown = stranger.call(method, f"/v1/sessions/{uuid.uuid4()}{path}", body)
            checks.expect((answer.status, answer.code) == (404, "not-found") == (unknown.status, unknown.code),
                          f"a stranger's {method} {path or 'session'} answers like an unknown id", (answer, unknown))
        answer = stranger.call("GET", f"/v1/reports/{self.session}")
        checks.equal((answer.status, answer.code), (404, "not-found"), "a stranger's report answers 404")
        replacing = stranger.create(small_video(), replaces=self.session)
        checks.expect(replacing.status in (404, 409), "a stranger cannot replace somebody's session", replacing)
        checks.equal(stranger.call("GET", "/v1/reports").json["items"], [], "a stranger's history is empty")
        checks.equal(stranger.call("GET", "/v1/sessions").json["items"], [], "a stranger's list is empty")
        checks.equal(owner.session(self.session)["status"], "complete", "and nothing of it changed the session")
        forged = owner.token[:-6] + "AAAAAA"
        for token, what in (("", "no token"), ("x.y.z", "a broken token"), (forged, "a forged token")):
            stranger.token = token
            answers = [stranger.call("GET", path) for path in ("/v1/me", "/v1/quota", "/v1/sessions", "/v1/reports",
                                                               f"/v1/sessions/{self.session}")]
            checks.expect(all(answer.status == 401 and answer.code for answer in answers),
                          f"{what} answers 401", answers)

    def uploads(self):
        """What must not get into the store, each with its own refusal."""
        checks = self.checks
        user = new_user(self.stack)
        media = small_video()
        session = user.create(media, sha256=sha256(media)).json
        address = session["upload"]["url"]

        def put(url, body, what, *expected):
            answer = send(url, "PUT", url, body, {"Content-Type": "video/mp4"})
            checks.expect((answer.status, answer.code) in expected, f"an upload with {what} is refused", answer)

        put(address, media + b"x", "a byte too many", (422, "upload-mismatch"))
        put(address, media[:-1], "a byte too few", (422, "upload-mismatch"))
        put(address, b"x" + media[1:], "another hash", (422, "upload-mismatch"))
        put(address, os.urandom(len(media)), "the bytes of no video", (415, "media-type-mismatch"))
        parts = urllib.parse.urlsplit(address)
        query = dict(urllib.parse.parse_qsl(parts.query))

        def signed(expires, signature):
            return urllib.parse.urlunsplit(
                parts._replace(query=urllib.parse.urlencode({"expires": expires, "signature": signature})))

        invalid = (403, "upload-address-invalid")
        put(signed(int(query["expires"]) + 60, query["signature"]), media, "a stretched time", invalid)
        past = int(time.time()) - 1
        put(signed(past, self.sign(session["id"], past)), media, "an expired address", (403, "upload-address-expired"))
        put(address.replace(session["id"], str(uuid.uuid4())), media, "another session's id", invalid)
        checks.equal(user.finalize(session["id"]).code, "upload-missing", "and nothing of these was kept")
        checks.equal(user.upload(session, media).status, 200, "the right bytes are taken")
        user.call("POST", f"/v1/sessions/{session['id']}/cancel", {})
        put(address, media, "a session that has ended", (409, "ended"), (409, "session-ended"))

    def sign(self, session, expires):
        """An address's signature, made with the server's own key: only its time is wrong."""
        with open(os.path.join(self.stack.state, "secrets", "upload-key"), "rb") as file:
            key = file.read().strip()
        mac = hmac.new(key, f"PUT /v1/uploads/{session} {expires}".encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(mac).rstrip(b"=").decode()

    def mistakes(self):
        checks = self.checks
        user = new_user(self.stack)

        def refused(what, status, **body):
            wish = {"kind": "mirrormate", "contentType": "video/mp4", "contentLength": 10, **body}
            answer = user.call("POST", "/v1/sessions", wish, str(uuid.uuid4()))
            checks.expect(answer.status == status and answer.code and answer.json.get("detail"),
                          f"creation with {what} answers {status} and says what to do", answer)

        refused("an unknown type", 415, contentType="image/png")
        refused("too large a file", 413, contentLength=104_857_601)
        refused("no length", 400, contentLength=None)
        refused("an unknown kind", 422, kind="teleport")
        refused("an unknown member", 400, colour="red")
        refused("a broken hash", 400, sha256="abc")
        wish = {"kind": "mirrormate", "contentType": "video/mp4", "contentLength": 1}
        keyless = user.call("POST", "/v1/sessions", wish)
        checks.equal((keyless.status, keyless.code), (400, "idempotency-key-missing"),
                     "creation without a key is refused")
        bad = user.call("POST", "/v1/sessions", b"{", str(uuid.uuid4()), **{"Content-Type": "application/json"})
        checks.expect(bad.status == 400 and bad.code, "broken JSON answers 400", bad)
        lost = send(self.stack.url, "GET", "/v1/nothing")
        checks.equal((lost.status, lost.code), (404, "not-found"), "an unknown path answers 404 as a problem document")
        taken = User(self.stack.url, email=self.speaker.email.upper())
        answer = send(self.stack.url, "POST", "/v1/auth/sign-up", {"email": taken.email, "password": taken.password})
        checks.expect(answer.status == 409 and answer.code, "an address that is taken answers 409", answer)
        wrong = send(self.stack.url, "POST", "/v1/auth/sign-in", {"email": self.speaker.email, "password": "wrong" * 3})
        checks.expect(wrong.status == 401 and wrong.code, "a wrong password answers 401", wrong)
