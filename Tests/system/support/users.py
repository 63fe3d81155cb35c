"""People for tests, and what tests wait for on their behalf."""
import datetime
import time
import uuid

from support import pictures
from support.api import FINAL, Refused, User, send, sha256, small_video
from support.waiting import wait


def new_user(stack, **more):
    user = User(stack.url, **more)
    user.sign_up()
    return user


def used(user, count):
    """Waits until quota says that so many units are used and none is held; gives its answer."""
    def settled():
        quota = user.quota()
        return quota if (quota["used"], quota["reserved"]) == (count, 0) else None
    return wait(f"quota of {count} used, 0 reserved", settled)


def ended(user, session, within=60):
    """Waits until a session has ended, and gives it."""
    def final():
        state = user.session(session)
        return state if state["status"] in FINAL else None
    return wait(f"session {session} has ended", final, within=within)


class Speaker:
    """Somebody with a name and an address that nothing else contains, who sent a video and has its report."""

    def __init__(self, stack, media, within=300, keep_days=0):
        self.user = User(stack.url, name=f"Zdenobia Quixwell {uuid.uuid4().hex[:8]}",
                         email=f"Votrubcova.{uuid.uuid4().hex[:8]}@planted-mail.example")
        self.signed_up = self.user.sign_up()
        if keep_days:
            kept = self.user.call("PUT", "/v1/retention", {"keepMediaDays": keep_days})
            if kept.status != 200:
                raise Refused("the choice to keep recordings", kept)
        self.session = self.user.send_video(media, sha256=sha256(media))
        begin = time.monotonic()
        # What the events said: (number, name, state) of each.
        self.events = list(self.user.follow(self.session, within=within))
        self.seconds = time.monotonic() - begin
        answer = self.user.call("GET", f"/v1/reports/{self.session}")
        if answer.status != 200:
            raise Refused(f"report after {self.events[-1:]}", answer)
        self.report_answer = answer
        self.report = answer.json

    def leave_traces(self):
        """What else may be kept of somebody: mistakes, mails, refusals, changes, what strangers ask for."""
        user = self.user
        wrong = send(user.url, "POST", "/v1/auth/sign-in", {"email": user.email, "password": "wrong" * 3})
        taken = send(user.url, "POST", "/v1/auth/sign-up", {"email": user.email.upper(), "password": "a long one for it"})
        lost = send(user.url, "POST", "/v1/auth/password-reset", {"email": user.email})
        changed = user.call("PATCH", "/v1/me", {"displayName": user.name, "timeZone": "Asia/Tokyo"})
        # A photo whose file has the name in it.
        photo = pictures.with_metadata(pictures.convert(pictures.png(pictures.quarters(64, 64))), comment=user.name.encode())
        shown = user.call("PUT", "/v1/me/photo", photo, **{"Content-Type": "image/jpeg"})
        refused = user.create(small_video())
        # What is wanted of recordings and of streaks, and a meditation.
        goal = user.call("POST", "/v1/goals", {"measure": "eyeContactPct", "atLeast": 0.5, "recordings": 50})
        streaks = user.call("PATCH", "/v1/practice/settings", {"graceMinutes": 60})
        end = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(minutes=1)
        sat = user.call("POST", "/v1/practice/sessions", {
            "id": str(uuid.uuid4()), "kind": "meditation", "startedAt": (end - datetime.timedelta(minutes=10)).isoformat(),
            "endedAt": end.isoformat(), "activeSeconds": 600, "timeZone": "UTC"})
        # A card with the first name, which somebody looks at.
        shared = user.call("POST", f"/v1/reports/{self.session}/shares", {"firstName": user.name.split()[0]})
        # An endpoint with the name in its address, for something that does not happen here: nothing is sent there.
        address = f"https://hooks.example.org/{user.name.replace(' ', '-')}"
        told = user.call("POST", "/v1/webhooks/endpoints", {"url": address, "kinds": ["milestone.reached"]})
        found = [answer.status for answer in (wrong, taken, lost, changed, shown, refused, goal, streaks, sat, shared, told)]
        assert found == [401, 409, 202, 200, 200, 429, 201, 200, 201, 201, 201], found
        self.token = shared.json["link"].partition("#")[2]
        assert send(user.url, "POST", "/v1/shared", {"token": self.token}).status == 200
        user.sign_in()
        export = user.call("POST", "/v1/exports", {})
        assert export.status == 202, export
        wait("the speaker's export is ready",
             lambda: user.call("GET", f"/v1/exports/{export.json['id']}").json["state"] == "ready", within=60)
        user.call("GET", "/v1/reports")
        send(user.url, "GET", f"/v1/reports/{self.session}?name={user.id}")


def varied_history(stack):
    """A bit of everything that can happen, by people of its own, on a stack with a recorded media helper."""
    def visit(media):
        user = new_user(stack)
        session = user.send_video(media)
        ended(user, session)
        return user, session

    visit(small_video())
    visit(small_video(b"unreadable"))
    rich = new_user(stack)
    for words in (("plan", rich.email, "premium"), ("quota", "grant", rich.email, "--units", "2")):
        code, _, notes = stack.command(*words)
        assert code == 0, notes
    first = rich.create(small_video()).json["id"]
    rich.create(small_video(), replaces=first)
    rich.call("POST", "/v1/sessions/" + rich.create(small_video()).json["id"] + "/cancel", {})
    refused, media = new_user(stack), small_video()
    refused.send_video(media)
    refused.create(media)
    device = User(stack.url)
    device.token = send(stack.url, "POST", "/v1/auth/device", {"deviceId": uuid.uuid4().hex}).json["accessToken"]
    device.create(small_video())
    device.call("POST", "/v1/auth/sign-up", {"email": device.email, "password": device.password})
    deleting, session = visit(small_video())
    deleting.call("DELETE", f"/v1/sessions/{session}")
    erased, _ = visit(small_video())
    erased.erase()
    wait("the receipt is complete", lambda: erased.call("GET", "/v1/me/erasure").status == 200)
    return True
