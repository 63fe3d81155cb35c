"""What supabase-py does with the tables and functions of a running stack; run by test_supabase_rest.py with a Python that has it.

    supabase_rest_calls.py CALLS URL ANON-KEY SERVICE-KEY
"""
import json
import sys
import time
import urllib.request
import uuid

from postgrest.exceptions import APIError
from supabase import ClientOptions, create_client
from supabase_functions.errors import FunctionsHttpError

URL, ANON, SERVICE = sys.argv[2:5]
# What passes for the beginning of an MP4 file; only a recorded helper takes it for a video.
VIDEO = b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom\x00" + uuid.uuid4().bytes + bytes(4_000)


def client_with(key):
    return create_client(URL, key, ClientOptions(auto_refresh_token=False, persist_session=False))


def signed_in():
    client = client_with(ANON)
    email, password = f"user-{uuid.uuid4().hex}@example.org", uuid.uuid4().hex
    client.auth.sign_up({"email": email, "password": password})
    session = client.auth.get_session()
    assert session is not None, "sign-up gives a session"
    return client, session.user.id, (email, password)


def invoke(client, name, body):
    return json.loads(client.functions.invoke(name, invoke_options={"body": body}))


def refused(call, kind=APIError):
    """The error of a call that is refused."""
    try:
        answer = call()
    except kind as error:
        return error
    raise AssertionError(f"it was answered: {answer!r}")


def put(address):
    """As URLSession does: the bytes, without a key."""
    request = urllib.request.Request(address, data=VIDEO, method="PUT", headers={"Content-Type": "video/mp4"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def poll(client, session):
    """As the app does, once a second; gives the last row."""
    progress = 0
    for _ in range(240):
        rows = client.table("sessions").select("status,progress").eq("id", session.upper()).execute().data
        assert len(rows) == 1 and set(rows[0]) == {"status", "progress"}, rows
        assert rows[0]["status"] in ("queued", "processing", "complete", "error"), rows
        assert progress <= rows[0]["progress"] <= 1, rows
        progress = rows[0]["progress"]
        if rows[0]["status"] in ("complete", "error"):
            return rows[0]
        time.sleep(0.2)
    raise AssertionError("it never ended")


REPORT = {"id": str, "session_id": str, "confidence_score": int, "impression_tags": list, "filler_words": dict,
          "tone_timeline": list, "emotion_breakdown": dict, "gaze_eye_contact_pct": (int, float), "feedback": str,
          "created_at": str, "duration_sec": int, "vocal_analysis": (dict, type(None)),
          "body_language_analysis": (dict, type(None)), "strengths": list, "areas_for_improvement": list,
          "practice_exercises": list, "key_moments": list}


def check_report(row):
    assert set(row) == set(REPORT), row
    for name, kind in REPORT.items():
        assert isinstance(row[name], kind) and not isinstance(row[name], bool), (name, row[name])
    assert 0 <= row["confidence_score"] <= 100 and 0 <= row["gaze_eye_contact_pct"] <= 1
    assert all(isinstance(count, int) for count in row["filler_words"].values()), row["filler_words"]
    assert all(point["energy"] is not None for point in row["tone_timeline"])
    if row["vocal_analysis"] is not None:
        assert isinstance(row["vocal_analysis"]["paceWordsPerMin"], int) and None not in row["vocal_analysis"].values()
    assert all(isinstance(moment["timestamp"], int) for moment in row["key_moments"])


def flow(caller, reader):
    """init-session, the upload, finalize-session twice, polling, the report; gives the session's id."""
    begun = invoke(caller, "init-session", {"maxDurationSec": 60, "deviceId": str(uuid.uuid4())})
    assert all(isinstance(value, str) for value in begun.values()), begun
    assert set(begun) == {"sessionId", "uploadUrl", "uploadPath", "uploadToken", "expiresAt"}, begun
    session = begun["sessionId"]
    assert poll_once(reader, session)["status"] == "queued"
    stored = put(begun["uploadUrl"])
    assert stored["Key"] == f"videos/{begun['uploadPath']}", stored
    assert invoke(reader, "finalize-session", {"sessionId": session}) == {"status": "queued"}
    assert invoke(reader, "finalize-session", {"sessionId": session})["status"] in ("processing", "complete")
    assert poll(reader, session) == {"status": "complete", "progress": 1}
    rows = reader.table("analysis_reports").select("*").eq("session_id", session.upper()).execute().data
    assert len(rows) == 1, "the report is there as soon as its session is complete"
    check_report(rows[0])
    return session


def poll_once(client, session):
    return client.table("sessions").select("status,progress").eq("id", session).execute().data[0]


def anonymous():
    """The app's flow without an account."""
    client = client_with(ANON)
    session = flow(client, client)
    # One row, by its id; never a list.
    for query in (client.table("sessions").select("*"), client.table("sessions").select("*").in_("id", [session]),
                  client.table("sessions").select("*").neq("id", str(uuid.uuid4())),
                  client.table("sessions").select("*").eq("id", session).eq("status", "complete"),
                  client.table("sessions").select("*").not_.is_("device_id", "null"),
                  client.table("analysis_reports").select("*"), client.table("user_quotas").select("*"),
                  client.table("subscriptions").select("*")):
        assert query.execute().data == [], "nobody sees a list"
    error = refused(lambda: client.table("user_quotas").insert({"user_id": str(uuid.uuid4()), "daily_count": 0}).execute())
    assert error.code == "42501", error
    error = refused(lambda: client.table("sessions").update({"status": "complete"}).eq("id", session).execute())
    assert error.code == "42501", error
    print(session)


def charged(client, user):
    """The row of somebody's quota, as soon as their analysis counts."""
    deadline = time.monotonic() + 60
    while True:
        (quota,) = client.table("user_quotas").select("*").eq("user_id", user.upper()).execute().data
        assert quota["last_analysis_date"] and quota["daily_count"] in (0, 1), quota
        if quota["daily_count"] == 1:
            return quota
        assert time.monotonic() < deadline, quota
        time.sleep(0.1)


def owned():
    """The app's flow of somebody who is signed in: everything but init-session is sent with the anon key."""
    client, user, credentials = signed_in()
    nobody = client_with(ANON)
    session = flow(client, nobody)
    mine = client.table("sessions").select("id,user_id,status").order("created_at", desc=True).execute().data
    assert mine == [{"id": session, "user_id": user, "status": "complete"}], mine
    stranger, _, _ = signed_in()
    for table, column in (("sessions", "id"), ("analysis_reports", "session_id")):
        assert stranger.table(table).select("*").eq(column, session).execute().data == []
        assert stranger.table(table).select("*").execute().data == []
    error = refused(lambda: invoke(stranger, "finalize-session", {"sessionId": session}), FunctionsHttpError)
    assert "no such session" in str(error), error
    # The quota, as the app keeps its books.
    quota = charged(client, user)
    changed = client.table("user_quotas").update({"daily_count": 0, "updated_at": quota["updated_at"]}).eq("id", quota["id"].upper())
    assert changed.execute().data == [quota], "what the app writes changes nothing"
    upserted = client.table("user_quotas").upsert({"user_id": user, "daily_count": 0}, on_conflict="user_id").execute()
    assert upserted.data == [quota], upserted
    assert client.table("user_quotas").delete().eq("id", quota["id"]).execute().data == []
    error = refused(lambda: client.table("user_quotas").insert({"user_id": str(uuid.uuid4()), "daily_count": 0}).execute())
    assert error.code == "42501", error
    error = refused(lambda: invoke(client, "init-session", {"maxDurationSec": 60, "deviceId": "x"}), FunctionsHttpError)
    assert error.message, "why there is no second one"
    print(*credentials, session)


def plan():
    """What somebody sees of another plan."""
    client, user, (email, _) = signed_in()
    assert client.table("subscriptions").select("status").eq("user_id", user.upper()).in_("status", ["active", "trialing"]).execute().data == []
    assert client.rpc("is_user_premium", {"user_uuid": user}).execute().data is False
    print(email, flush=True)
    # Whoever called this gives them the plan meanwhile.
    sys.stdin.readline()
    rows = client.table("subscriptions").select("status").eq("user_id", user.upper()).in_("status", ["active", "trialing"]).execute().data
    assert rows == [{"status": "active"}], rows
    assert client.rpc("is_user_premium", {"user_uuid": user}).execute().data is True
    assert client.rpc("get_user_subscription", {"user_uuid": user}).execute().data[0]["is_premium"] is True
    for name in ("create-checkout-session", "create-portal-session"):
        error = refused(lambda name=name: invoke(client, name, {}), FunctionsHttpError)
        assert "bought" in str(error), error


def grammar():
    """What the query builder sends, over the sessions of one user; SERVICE reads as the operator does."""
    client, user, _ = signed_in()
    admin = client_with(SERVICE)
    session = invoke(client, "init-session", {"maxDurationSec": 30})["sessionId"]
    # The app would let nobody record again; a video that did not come costs nothing.
    assert client.table("user_quotas").select("daily_count").execute().data == [{"daily_count": 0}]

    def table():
        return client.table("sessions")

    one = table().select("id, when:created_at, progress::text").eq("id", session).single().execute().data
    assert set(one) == {"id", "when", "progress"} and one["id"] == session, one
    assert table().select("*").eq("id", session).maybe_single().execute().data["status"] == "queued"
    assert table().select("*").eq("id", str(uuid.uuid4())).maybe_single().execute() is None
    error = refused(lambda: table().select("*").eq("id", str(uuid.uuid4())).single().execute())
    assert error.code == "PGRST116" and "0 rows" in error.details, error
    found = [
        table().select("id").neq("status", "complete"), table().select("id").gt("progress", -1),
        table().select("id").gte("progress", 0), table().select("id").lt("progress", 1),
        table().select("id").lte("progress", 0), table().select("id").like("video_path", "%.mp4"),
        table().select("id").ilike("video_path", f"{session.upper()}%"), table().select("id").is_("error_message", "null"),
        table().select("id").is_("device_id", "null"), table().select("id").in_("status", ["queued", "a,b", "c\"d"]),
        table().select("id").or_("status.eq.complete,and(status.eq.queued,progress.lt.1)"),
        table().select("id").not_.eq("status", "error"), table().select("id").match({"status": "queued", "user_id": user}),
        table().select("id").gte("created_at", "2020-01-01T00:00:00+00:00").lt("created_at", "2100-01-01T00:00:00Z"),
        table().select("id").order("created_at", desc=True, nullsfirst=False).order("id").limit(1),
        table().select("id").range(0, 9),
    ]
    # What is made for the answer is not looked through.
    del found[7]
    for query in found:
        assert query.execute().data == [{"id": session}], query.request.params
    counted = table().select("*", count="exact").limit(0).execute()
    assert counted.count == 1 and counted.data == [], counted
    assert table().select("*", count="exact", head=True).execute().count == 1
    assert table().select("id").range(5, 9).execute().data == []
    for query, code in ((table().select("nothing"), "42703"), (table().select("*").eq("nothing", 1), "42703"),
                        (table().select("*").eq("id", "x"), "22P02"), (table().select("*").fts("status", "a"), "PGRST100"),
                        (table().select("*,analysis_reports(*)"), "PGRST100"), (client.table("stripe_customers").select("*"), "PGRST205"),
                        (client.rpc("check_and_increment_quota", {"p_device_id": "a"}), "PGRST202"),
                        (client.schema("private").table("sessions").select("*"), "PGRST106")):
        error = refused(query.execute)
        assert error.code == code and error.message, (code, error)
    assert {"id": session} in admin.table("sessions").select("id").eq("user_id", user).execute().data
    for call in (lambda: table().insert({"status": "complete"}).execute(), lambda: table().delete().eq("id", session).execute(),
                 lambda: client.table("subscriptions").insert({"user_id": user, "status": "active"}).execute(),
                 lambda: client.table("analysis_reports").delete().eq("session_id", session).execute()):
        assert refused(call).code == "42501"
    wrong = client_with(ANON[:-4] + "AAAA")
    error = refused(lambda: wrong.table("sessions").select("*").execute())
    assert error.message, error


def limit():
    """Ten sessions in an hour, of one device."""
    client = client_with(ANON)
    device = str(uuid.uuid4())
    ids = {invoke(client, "init-session", {"maxDurationSec": 60, "deviceId": device})["sessionId"] for _ in range(10)}
    assert len(ids) == 10
    error = refused(lambda: invoke(client, "init-session", {"maxDurationSec": 60, "deviceId": device}), FunctionsHttpError)
    assert error.message == "Rate limit exceeded. Please try again in a few minutes.", error.message
    # Each took the place of the one before, whose video never came.
    statuses = [poll_once(client, session)["status"] for session in ids]
    assert sorted(statuses) == ["error"] * 9 + ["queued"], statuses


if __name__ == "__main__":
    {"anonymous": anonymous, "owned": owned, "plan": plan, "grammar": grammar, "limit": limit}[sys.argv[1]]()
