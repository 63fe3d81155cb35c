"""After `DELETE /v1/me` the planted strings are in no table, topic, log or file; and who may ask for it."""
import os

from support.api import send
from support.personal import files_with, logs_with, owned_tables, planted, records_with, table_names, tables_naming, tables_with
from support.programs import SERVICES
from support.users import Speaker, new_user
from support.waiting import wait

# Where a speaker who has left traces has rows for as long as there is an account.
OWNED = {
    "identity.credentials", "identity.logins", "identity.photos", "identity.profiles",
    "sessions.media_choices", "sessions.object_intents", "sessions.practice_log", "sessions.session_list",
    "quota.allowances", "analysis.job_owners",
    "reporting.goals", "reporting.open_exports", "reporting.practice_changes", "reporting.practice_days",
    "reporting.practitioners", "reporting.report_history", "reporting.report_shares", "reporting.reports",
    "notifications.webhook_endpoints",
}


def test_nothing_of_an_erased_speaker_is_left_anywhere(measuring_stack, demo_video):
    stack = measuring_stack
    speaker = Speaker(stack, demo_video, keep_days=30)
    speaker.leave_traces()
    user, strings = speaker.user, planted(speaker)
    who = strings["name"] + strings["email"]
    assert len(strings["speech"]) >= 3, "the transcript has words to search for"
    assert tables_with(stack, strings), "the search finds what is there before"
    photos = f"select count(*) n from identity.photos where user_id = '{user.id}'"
    assert stack.sql(photos) == [{"n": 1}], "and a photo"
    exported = "select object_key k from identity.object_intents union select object_key from reporting.object_intents"
    exported = f"select count(*) n from ({exported}) o where k like 'export-%/{user.id}/%'"
    assert stack.sql(exported)[0]["n"] > 2, "and an export"
    found = tables_with(stack, {"name": strings["name"][:1], "token": [speaker.token]})
    assert ("reporting.report_shares", "name") in found, "and a shared card with the first name"
    assert [place for place in found if place[1] == "token"] == [], "and nowhere a link's token"
    kept = f"subject = '{user.id}' and object_key like 'media/%' and kept_until is not null"
    recordings = (f"select (select count(*) from sessions.object_intents where {kept}) o, "
                  f"(select count(*) from sessions.media_choices where owner_id = '{user.id}') c")
    assert stack.sql(recordings) == [{"o": 1, "c": 1}], "and the recording, because that was chosen"
    if not os.environ.get("OBJECT_STORE"):
        assert any("/media/" in path for path in files_with(stack, [user.id])), "of which the search finds the file"
    assert len(owned_tables(stack)) > len(OWNED)
    wait("whatever is kept of somebody has rows of the speaker", lambda: OWNED <= set(tables_naming(stack, user.id)))
    user.sign_in()
    user.erase()
    wait("the receipt is complete", lambda: user.call("GET", "/v1/me/erasure").status == 200)
    receipt = user.call("GET", "/v1/me/erasure").json["erasure"]["services"]
    removed = {line["service"]: line["removed"] for line in receipt}
    assert sorted(removed) == sorted(SERVICES), "the receipt says what each service has removed"
    assert removed["identity"]["rows"] and removed["reporting"]["rows"], f"rows here and there: {removed}"
    # Mails go when their outbox has come to it.
    wait("no file names the speaker", lambda: not files_with(stack, who + [user.id]))
    assert {f"{service}.events" for service in SERVICES} <= set(table_names(stack)), "the logs are searched"
    assert tables_with(stack, {"name": strings["name"], "email": strings["email"]}) == {}
    left = stack.sql(f"select (select count(*) from reporting.reports where owner_id = '{user.id}') r, "
                     f"(select count(*) from reporting.report_shares where owner_id = '{user.id}') h, "
                     f"(select count(*) from sessions.session_list where owner_id = '{user.id}') s")
    wait("the export is gone", lambda: stack.sql(exported) == [{"n": 0}])
    assert stack.sql(f"select count(*) n from reporting.open_exports where owner_id = '{user.id}'") == [{"n": 0}]
    assert send(stack.url, "POST", "/v1/shared", {"token": speaker.token}).code == "share-unknown", "the link shows nothing"
    assert left == [{"r": 0, "h": 0, "s": 0}], "what was said is gone with the reports, and so are the sessions"
    # Read models follow the log, and mails go when they are sent.
    wait("no table of owners' rows names the speaker", lambda: tables_naming(stack, user.id) == {})
    assert stack.sql(recordings) == [{"o": 0, "c": 0}], "and the recording, with the choice to keep it"
    assert stack.sql(photos) == [{"n": 0}] and user.call("GET", "/v1/me/photo").code == "user-gone", "and the photo"
    records, logs = stack.topics(), stack.logs()
    assert {record[0] for record in records} == {f"mirrormate.{service}.v1" for service in SERVICES}
    assert any(user.id in "".join(record) for record in records), "the topics tell of the speaker's id"
    assert records_with(records, who + strings["speech"] + [speaker.token]) == []
    assert [name for name in (*SERVICES, "gateway", "postgres") if not logs.get(f"logs/{name}.log")] == []
    assert logs_with(logs, who + strings["speech"] + [speaker.token]) == {}


def test_an_erasure_asks_again_who_has_been_signed_in_for_long(stack):
    user = new_user(stack)
    refresh = user.sign_in().json["refreshToken"]
    stack.psql(f"update identity.logins set auth_time = auth_time - interval '6 minutes' where user_id = '{user.id}'")
    user.token = send(stack.url, "POST", "/v1/auth/refresh", {"refreshToken": refresh}).json["accessToken"]
    refused = user.call("DELETE", "/v1/me")
    assert (refused.status, refused.code, refused.json["methods"]) == (401, "confirmation-needed", ["pwd"]), refused
    assert 'max_age="300"' in refused.headers["www-authenticate"]
    assert user.call("POST", "/v1/auth/confirm", {"password": "a wrong one"}).status == 401
    assert user.call("GET", "/v1/me").status == 200, "nothing was erased"
    erased = user.erase()
    assert erased.status in (200, 202), "with the password"
    address = erased.json["erasure"]["receipt"]["url"]
    assert address.startswith(f"{stack.url}/v1/erasures/{user.id}?"), address
    wait("the receipt is complete, without a login", lambda: send(stack.url, "GET", address).status == 200)
    assert send(stack.url, "GET", address[:-1] + "!").code == "receipt-address-invalid"
