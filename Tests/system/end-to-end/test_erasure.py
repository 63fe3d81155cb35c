"""After `DELETE /v1/me` the planted strings are in no table, topic, log or file."""
from support.personal import files_with, logs_with, planted, records_with, table_names, tables_with
from support.programs import SERVICES
from support.users import Speaker
from support.waiting import wait


def test_nothing_of_an_erased_speaker_is_left_anywhere(measuring_stack, demo_video):
    stack = measuring_stack
    speaker = Speaker(stack, demo_video)
    speaker.leave_traces()
    user, strings = speaker.user, planted(speaker)
    who = strings["name"] + strings["email"]
    assert len(strings["speech"]) >= 3, "the transcript has words to search for"
    assert tables_with(stack, strings), "the search finds what is there before"
    user.sign_in()
    user.call("DELETE", "/v1/me")
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
                     f"(select count(*) from sessions.session_list where owner_id = '{user.id}') s")
    assert left == [{"r": 0, "s": 0}], "what was said is gone with the reports, and so are the sessions"
    records, logs = stack.topics(), stack.logs()
    assert {record[0] for record in records} == {f"mirrormate.{service}.v1" for service in SERVICES}
    assert any(user.id in "".join(record) for record in records), "the topics tell of the speaker's id"
    assert records_with(records, who + strings["speech"]) == []
    assert [name for name in (*SERVICES, "gateway", "postgres") if not logs.get(f"logs/{name}.log")] == []
    assert logs_with(logs, who + strings["speech"]) == {}
