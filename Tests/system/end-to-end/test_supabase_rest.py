"""Tables and functions of the compatible surface, as supabase-py and the app call them."""
import subprocess

import pytest

from support import supabase_sdk
from support.api import User, send
from support.users import new_user
from support.waiting import wait

CALLS = "supabase_rest_calls.py"


def rows(stack, path, bearer=None, **headers):
    anon, _ = supabase_sdk.keys(stack)
    answer = send(stack.url, "GET", f"/rest/v1/{path}", headers={"apikey": anon, "Authorization": f"Bearer {bearer or anon}", **headers})
    assert answer.status == 200, answer
    return answer.json


@pytest.mark.parametrize("calls", ["anonymous", "owned", "grammar", "limit"])
def test_supabase_py_gets_what_it_expects(stack, calls):
    supabase_sdk.run(stack, CALLS, calls)


def test_a_plan_is_a_subscription(stack):
    running = supabase_sdk.start(stack, CALLS, "plan", stdin=subprocess.PIPE)
    try:
        email = running.stdout.readline().strip()
        assert email, running.communicate(timeout=60)
        done, _, notes = stack.command("plan", email, "premium")
        assert done == 0, notes
        out, notes = running.communicate("go\n", timeout=120)
        assert running.returncode == 0, out + notes
    finally:
        if running.poll() is None:
            running.kill()
            running.communicate()


def test_nobody_reads_what_was_recorded_by_the_native_api(stack, visitor):
    """The original let any caller without an account read every row."""
    session = visitor.session
    for path in ("sessions?select=*", f"sessions?id=eq.{session}", f"sessions?id=in.({session})", "sessions?device_id=not.is.null",
                 "analysis_reports?select=*", f"analysis_reports?session_id=eq.{session}", "analysis_reports?confidence_score=gte.0",
                 "user_quotas?select=*", f"user_quotas?user_id=eq.{visitor.user.id}", "subscriptions?select=*"):
        assert rows(stack, path) == [], path
    anon, _ = supabase_sdk.keys(stack)
    fields = {"apikey": anon, "Authorization": f"Bearer {anon}"}
    answer = send(stack.url, "POST", "/functions/v1/finalize-session", {"sessionId": session}, fields)
    assert answer.status == 404 and answer.json["error"], answer
    for method, table in (("PATCH", "sessions"), ("DELETE", "analysis_reports"), ("POST", "user_quotas")):
        body = {"user_id": visitor.user.id, "daily_count": 0} if table == "user_quotas" else {}
        answer = send(stack.url, method, f"/rest/v1/{table}?id=eq.{session}", body, fields)
        assert answer.status == 401, answer
    # A token of the native API opens nothing here.
    answer = send(stack.url, "GET", "/rest/v1/sessions", headers={"apikey": anon, "Authorization": f"Bearer {visitor.user.token}"})
    assert answer.status == 401 and answer.json["code"].startswith("PGRST30"), answer


def test_rows_go_with_their_owner(stack):
    email, password, session = supabase_sdk.run(stack, CALLS, "owned")
    assert len(rows(stack, f"sessions?id=eq.{session}&select=id")) == 1
    _, service = supabase_sdk.keys(stack)
    owner = rows(stack, f"sessions?id=eq.{session}", bearer=service)[0]["user_id"]
    # The same account by the native API.
    user = User(stack.url, email=email)
    user.password = password
    user.sign_in()
    assert user.erase().status in (200, 202, 204)
    wait("nothing is left", lambda: rows(stack, f"sessions?user_id=eq.{owner}", bearer=service) == []
         and rows(stack, f"analysis_reports?session_id=eq.{session}", bearer=service) == [])
    assert rows(stack, f"sessions?id=eq.{session}") == []


def test_pages_of_other_origins_may_ask(stack):
    anon, _ = supabase_sdk.keys(stack)
    user = new_user(stack)
    for path in ("/rest/v1/sessions", "/rest/v1/analysis_reports", "/rest/v1/user_quotas", "/functions/v1/init-session"):
        asked = send(stack.url, "OPTIONS", path, headers={
            "Origin": "https://example.org", "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization, apikey, content-type, x-client-info"})
        assert asked.status in (200, 204) and asked.headers["access-control-allow-origin"] == "*", asked
        answer = send(stack.url, "GET", path, headers={"Origin": "https://example.org", "apikey": anon})
        assert answer.headers.get("access-control-allow-origin") == "*", answer
    # The native API is for its own page alone.
    native = send(stack.url, "OPTIONS", "/v1/sessions", headers={"Origin": "https://example.org", "Access-Control-Request-Method": "POST"})
    assert "access-control-allow-origin" not in native.headers, native
    assert user.call("GET", "/v1/sessions", Origin="https://example.org").headers.get("access-control-allow-origin") is None


@pytest.mark.parametrize("path", ["/auth/v1/signup", "/rest/v1/user_quotas", "/functions/v1/init-session", "/storage/v1/object/videos/a.mp4"])
def test_what_the_gateway_refuses_has_the_words_that_clients_read(stack, path):
    """Clients of this surface know no problem documents: they would show that the answer cannot be read."""
    anon, _ = supabase_sdk.keys(stack)
    answer = send(stack.url, "POST", path, b"", {"apikey": anon, "Content-Length": str(200 << 20)})
    assert answer.status == 413 and answer.headers["content-type"] == "application/json", answer
    assert answer.headers["access-control-allow-origin"] == "*", answer
    told = answer.json
    assert all(isinstance(told[name], str) for name in ("code", "error_code", "message", "msg", "error")), told
    assert told["statusCode"] == "413" and told["details"] is None, told


@pytest.mark.parametrize("prefix", ["/auth/v1", "/rest/v1", "/functions/v1", "/storage/v1"])
@pytest.mark.parametrize("rest, status", [
    ("/%zz", 400), ("/%00", 400), ("/sessions?id=%00", 400), ("/user?a=%zz", 400), ("/object/videos/a?a=%ff", 400),
    ("/sessions?id=in.(" + "7f0c1f9e-2b3f-4d5e-8a7b-0c1d2e3f4a5b," * 900 + ")", 414)])
def test_what_cannot_be_read_is_told_in_words_that_clients_read(stack, prefix, rest, status):
    anon, _ = supabase_sdk.keys(stack)
    answer = send(stack.url, "GET", prefix + rest, headers={"apikey": anon, "Origin": "https://example.org"})
    assert answer.status == status and answer.headers["content-type"].startswith("application/json"), answer
    assert answer.headers["access-control-allow-origin"] == "*", answer
    assert all(isinstance(answer.json[name], str) for name in ("code", "message")), answer
    form = {"/auth/v1": "msg", "/rest/v1": "details", "/functions/v1": "error", "/storage/v1": "statusCode"}[prefix]
    assert form in answer.json and "title" not in answer.json, answer


def test_realtime_is_refused_cleanly(stack):
    anon, _ = supabase_sdk.keys(stack)
    answer = send(stack.url, "GET", f"/realtime/v1/websocket?apikey={anon}&vsn=1.0.0",
                  headers={"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                           "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="})
    assert answer.status == 404, answer
