"""People for tests, and what tests wait for on their behalf."""
import time
import uuid

from support.api import FINAL, Refused, User, sha256
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

    def __init__(self, stack, media, within=120):
        self.user = User(stack.url, name=f"Zdenobia Quixwell {uuid.uuid4().hex[:8]}",
                         email=f"Votrubcova.{uuid.uuid4().hex[:8]}@planted-mail.example")
        self.signed_up = self.user.sign_up()
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
