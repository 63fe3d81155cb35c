"""The meditation app's own client, request by request as its document has them, against a stack that believes a local issuer."""
import datetime
import os
import secrets
import subprocess
import uuid
import zoneinfo

import pytest

from support.api import send
from support.deployment import free_port
from support.issuer import Issuer
from support.stack import Stack
from support.waiting import wait

ZONE = "America/Los_Angeles"


class App:
    """The client on somebody's phone."""

    def __init__(self, stack, issuer, subject=None):
        self.url = stack.url
        self.subject = subject or f"sitter-{uuid.uuid4().hex[:8]}"
        self.token = None
        answer = send(self.url, "POST", "/api/auth/google", {"googleToken": issuer.token(self.subject), "timeZone": ZONE})
        assert answer.status == 200 and list(answer.json) == ["apiToken"], answer
        self.token = answer.json["apiToken"]

    def call(self, method, path, body=None):
        return send(self.url, method, path, body, {"Authorization": f"Bearer {self.token}"})

    def analytics(self, query):
        answer = self.call("GET", f"/api/analytics?{query}")
        assert answer.status == 200, answer
        return answer.json


@pytest.fixture(scope="module")
def lent(ground):
    """A stack and the issuer that it believes."""
    issuer = Issuer()
    stack = Stack.recorded()
    try:
        stack.programs.set("identity", **issuer.variables)
        stack.up()
        yield stack, issuer
    finally:
        stack.down()
        issuer.stop()


def evening(days_ago):
    """Ten in the evening over there, when it is the next day in UTC."""
    here = datetime.datetime.now(zoneinfo.ZoneInfo(ZONE)) - datetime.timedelta(days=days_ago)
    return here.replace(hour=22, minute=0, second=0, microsecond=0)


def iso(time):
    """As the client's language writes a moment."""
    return time.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def sat(days_ago, seconds=900, **more):
    return {"session_start_time": iso(evening(days_ago)), "duration_seconds": seconds, **more}


def test_the_document_s_flow_works_request_by_request(lent):
    stack, issuer = lent
    app = App(stack, issuer)
    # "Stop": the session is saved, and a repeat after a lost answer is the same one.
    saved = app.call("POST", "/api/sessions", sat(1))
    assert (saved.status, saved.json["message"]) == (201, "Session saved successfully"), saved
    assert str(uuid.UUID(saved.json["sessionId"])) == saved.json["sessionId"]
    assert app.call("POST", "/api/sessions", sat(1)).json["sessionId"] == saved.json["sessionId"]
    for day in (2, 3):
        assert app.call("POST", "/api/sessions", sat(day)).status == 201
    (row,) = [row for row in app.call("GET", "/api/sessions").json["sessions"] if row["session_id"] == saved.json["sessionId"]]
    assert (row["duration_seconds"], row["time_zone"], row["local_date"]) == (900, ZONE, evening(1).date().isoformat()), row
    # The dashboard: as the client asks, from a day to tomorrow.
    start, end = evening(6).date(), evening(-1).date()
    wait("all is counted", lambda: app.analytics(f"startDate={start}&endDate={end}")["summary"]["daysWithSessions"] == 3)
    found = app.analytics(f"startDate={start}&endDate={end}")
    days = {evening(day).date().isoformat(): 900 for day in (1, 2, 3)}
    assert (found["startDate"], found["endDate"], found["dailyTotals"]) == (str(start), str(end), days)
    assert found["summary"]["totalMinutes"] == 45 and found["summary"]["averageMinutesPerDay"] == round(45 / 7, 1)
    assert (found["summary"]["currentStreak"], found["summary"]["longestStreak"]) == (3, 3)
    week = app.analytics("range=7d")
    assert week["range"] == "7d" and {day["date"]: day["seconds"] for day in week["dailyTotals"]} == days
    # A correction and a deletion recompute by themselves.
    path = f"/api/sessions/{saved.json['sessionId']}"
    assert app.call("PUT", path, sat(1, 60)).status == 200
    wait("the correction counts", lambda: app.analytics("range=7d")["summary"]["totalMinutes"] == 31)
    assert app.call("DELETE", path).json["message"] == "Session deleted successfully"
    wait("the deletion counts", lambda: app.analytics("range=7d")["summary"]["daysWithSessions"] == 2)
    # Days later, nobody signs in again: the same token, the same person by another token of Google.
    again = App(stack, issuer, app.subject)
    assert again.token != app.token
    assert len(again.call("GET", "/api/sessions").json["sessions"]) == 2


def test_a_second_user_sees_nothing(lent):
    stack, issuer = lent
    app, stranger = App(stack, issuer), App(stack, issuer)
    path = f"/api/sessions/{app.call('POST', '/api/sessions', sat(1)).json['sessionId']}"
    wait("it is counted", lambda: app.analytics("range=7d")["summary"]["totalSessions"] == 1)
    assert stranger.call("GET", "/api/sessions").json["sessions"] == []
    assert stranger.analytics("range=5y")["summary"]["totalSessions"] == 0
    assert [stranger.call(*words).status for words in (("PUT", path, sat(2)), ("DELETE", path))] == [404, 404]
    assert len(app.call("GET", "/api/sessions").json["sessions"]) == 1


def test_a_code_signs_in_too_once_and_to_the_same_person(lent):
    stack, issuer = lent
    app = App(stack, issuer)
    app.call("POST", "/api/sessions", sat(1))
    verifier, redirect = secrets.token_urlsafe(40), "com.example.meditation:/oauth"
    body = {"googleAuthCode": issuer.code(app.subject, redirect, verifier), "redirectUri": redirect, "codeVerifier": verifier}
    answer = send(stack.url, "POST", "/api/auth/google", body)
    assert answer.status == 200, answer
    other = {"Authorization": f"Bearer {answer.json['apiToken']}"}
    assert len(send(stack.url, "GET", "/api/sessions", headers=other).json["sessions"]) == 1
    assert send(stack.url, "POST", "/api/auth/google", body).json["error"] == "Google Sign-In failed"


def test_errors_are_in_the_client_s_words(lent):
    stack, issuer = lent
    app = App(stack, issuer)
    nothing = send(stack.url, "POST", "/api/auth/google", {})
    assert (nothing.status, nothing.json["error"]) == (400, "Missing googleToken in request body")
    forged = issuer.token(app.subject, audience="another-app")
    assert send(stack.url, "POST", "/api/auth/google", {"googleToken": forged}).json["error"] == "Google Sign-In failed"
    assert send(stack.url, "GET", "/api/sessions").json["error"] == "Missing or invalid Bearer token"
    guess = {"Authorization": f"Bearer mma_{secrets.token_urlsafe(32)}"}
    assert send(stack.url, "GET", "/api/sessions", headers=guess).json["error"] == "Invalid token"
    bad = app.call("POST", "/api/sessions", {"session_start_time": "yesterday", "duration_seconds": 60})
    assert bad.json["error"] == "Invalid session data: session_start_time is required and must be a valid ISO string."
    bad = app.call("GET", f"/api/analytics?startDate={evening(1).date()}&endDate={evening(2).date()}")
    assert (bad.status, bad.json["message"]) == (400, "endDate.beforeStartDate")
    # The token opens its own routes alone.
    assert app.call("GET", "/v1/me").status == 401 and app.call("GET", "/v1/practice/streak").status == 401


def test_a_batch_from_a_week_without_network_counts_although_services_die_by_kill_9(lent):
    stack, issuer = lent
    app = App(stack, issuer)
    sessions = [sat(day, id=str(uuid.uuid4())) for day in range(1, 8)]
    stack.kill("reporting")
    answer = app.call("POST", "/api/sessions", {"sessions": [*sessions, sat(1, 0)]})
    assert [result["status"] for result in answer.json["results"]] == [201] * 7 + [400], answer
    stack.kill("sessions")
    stack.up()
    wait("it answers again", lambda: app.call("GET", "/api/sessions").status == 200)
    assert app.call("POST", "/api/sessions", {"sessions": sessions}).json["results"] == answer.json["results"][:7]
    wait("all is counted", lambda: app.analytics("range=1m")["summary"]["currentStreak"] == 7)


@pytest.mark.parametrize("variables", [{"PUBLIC_URL": "https://meditation.example"}, {"MIRRORMATE_DEPLOYMENT": "compose"}])
def test_the_issuer_invents_nobody_beside_a_deployment(build, variables):
    told = subprocess.run(
        [f"{build}/mirrormate", "issuer", "--port", str(free_port())], env={**os.environ, **variables},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
    assert told.returncode == 3 and "export " not in told.stdout, told
    assert "This is a deployment, where nobody may be let in by invention." in told.stdout + told.stderr, told


def test_signing_out_ends_the_token_everywhere_and_no_other(lent):
    stack, issuer = lent
    app = App(stack, issuer)
    other = App(stack, issuer, app.subject)
    assert app.call("POST", "/api/auth/logout").status == 200
    for path in ("/api/sessions", "/api/analytics?range=7d"):
        wait(f"{path} is closed", lambda path=path: app.call("GET", path).status == 401, within=5)
        assert other.call("GET", path).status == 200, "the other phone stays signed in"
