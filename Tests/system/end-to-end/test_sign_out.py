"""Once a login session is over, none of its access tokens works anywhere, with the real processes."""
import threading
import time

import pytest

from support.api import send
from support.notes import note
from support.users import new_user
from support.waiting import wait

# One route of every service that has any.
PATHS = ("/v1/me", "/v1/quota", "/v1/sessions", "/v1/reports")


@pytest.fixture
def user(stack):
    return new_user(stack)


class Follower(threading.Thread):
    """Follows a session and remembers the names of its events and when the stream ended."""

    def __init__(self, user, session):
        super().__init__(daemon=True)
        self.user = user
        self.session = session
        self.names = []
        self.ended = None

    def run(self):
        for _, name, _ in self.user.follow(self.session):
            self.names.append(name)
        self.ended = True


def answers(user):
    return {path: user.call("GET", path) for path in PATHS}


def test_a_token_is_refused_everywhere_soon_after_signing_out(stack, user):
    created = user.create(b"\0" * 4096)
    assert created.status in (201, 202), created
    assert {path: answer.status for path, answer in answers(user).items()} == dict.fromkeys(PATHS, 200)
    follower = Follower(user, created.json["id"])
    follower.start()
    wait("the stream is open", lambda: follower.names)
    signed_out = send(stack.url, "POST", "/v1/auth/sign-out", {}, {"Authorization": f"Bearer {user.token}"})
    assert signed_out.status == 204, signed_out
    assert user.call("GET", "/v1/me").code == "login-session-ended", "identity refuses at once"
    begin = time.monotonic()
    # A second, on a free machine.
    wait("every service refuses", lambda: all(answer.status == 401 for answer in answers(user).values()), within=1)
    note(f"every service refuses a token {time.monotonic() - begin:.2f} s after its sign-out")
    assert {path: answer.code for path, answer in answers(user).items()} == dict.fromkeys(PATHS, "login-session-ended")
    follower.join(timeout=60)
    assert follower.ended and follower.names[-1] == "signed-out", "the stream ends with the login session"
    user.sign_in()
    assert {path: answer.status for path, answer in answers(user).items()} == dict.fromkeys(PATHS, 200), "a new one works"


def test_a_token_stays_refused_when_the_services_start_anew(stack, user):
    old = user.token
    send(stack.url, "POST", "/v1/auth/sign-out", {}, {"Authorization": f"Bearer {old}"})
    wait("every service refuses", lambda: all(answer.status == 401 for answer in answers(user).values()))
    for service in ("quota", "sessions", "reporting"):
        stack.kill(service)
    stack.up()
    assert {path: answer.code for path, answer in answers(user).items()} == dict.fromkeys(PATHS, "login-session-ended")


def test_the_owner_ends_a_login_session_in_the_list_of_all(stack, user):
    lost = user.token
    user.sign_in()
    sessions = user.call("GET", "/v1/me/login-sessions").json["items"]
    assert [one["current"] for one in sessions].count(True) == 1 and len(sessions) == 2, sessions
    other = next(one["id"] for one in sessions if not one["current"])
    assert user.call("DELETE", f"/v1/me/login-sessions/{other}").status == 204
    kept, user.token = user.token, lost
    wait("every service refuses", lambda: all(answer.status == 401 for answer in answers(user).values()))
    user.token = kept
    assert {path: answer.status for path, answer in answers(user).items()} == dict.fromkeys(PATHS, 200)
