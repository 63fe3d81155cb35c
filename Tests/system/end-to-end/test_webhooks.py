"""Being told by webhooks: what the standard's own library verifies, a sender that dies, and what an erasure leaves."""
import json
import os
import subprocess

import pytest

from support import tools
from support.api import small_video
from support.places import ROOT
from support.receiver import Receiver
from support.users import ended, new_user
from support.waiting import wait

FOLDER = "Tests/system/end-to-end"


def verified(secret, came, **changed):
    """What the standard's own library reads of a request."""
    python = tools.python_with(f"{FOLDER}/webhooks.txt", "The standard's own library")
    given = {"headers": {**came.headers, **changed.pop("headers", {})}, "body": changed.pop("body", came.body)}
    done = subprocess.run([python, "-B", os.path.join(FOLDER, "webhook_calls.py"), "verify", secret], cwd=ROOT, input=json.dumps(given),
                          capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def receiver():
    with Receiver() as one:
        yield one


def endpoint(user, receiver, *kinds):
    answer = user.call("POST", "/v1/webhooks/endpoints", {"url": f"{receiver.url}/in", "kinds": list(kinds)})
    assert answer.status == 201 and answer.json["secret"].startswith("whsec_"), answer
    return answer.json["endpointId"], answer.json["secret"]


def deliveries(user, identity):
    answer = user.call("GET", f"/v1/webhooks/endpoints/{identity}/deliveries")
    assert answer.status == 200, answer
    return answer.json["items"]


def test_the_standards_own_library_believes_what_comes_and_nothing_that_was_changed(stack, receiver):
    user = new_user(stack)
    _, secret = endpoint(user, receiver, "report.ready", "session.failed")
    session = user.send_video(small_video())
    assert ended(user, session)["status"] == "complete"
    wait("its owner is told", lambda: receiver.received)
    came, = receiver.received
    told = verified(secret, came)
    code, said, notes = stack.command("explain", "webhooks", user.id)
    assert code == 0 and "report.ready  delivered, tried 1 time, the last answer 2" in said and receiver.url not in said, said + notes
    code, said, notes = stack.command("explain", "webhooks", new_user(stack).email)
    assert code == 1 and "has no webhook endpoint" in said, said + notes
    assert told["type"] == "report.ready" and told["data"]["sessionId"] == session, told
    assert set(told) == {"type", "timestamp", "data"} and set(told["data"]) == {"sessionId", "reportId"}, "identifiers alone"
    assert user.email not in came.body and user.id not in came.body
    assert "refused" in verified(secret, came, body=came.body.replace("report.ready", "report.lost"))
    assert "refused" in verified(secret, came, headers={"webhook-id": "msg_another"})
    assert "refused" in verified(secret, came, headers={"webhook-timestamp": str(int(came.headers["webhook-timestamp"]) - 3_600)})
    assert "refused" in verified("whsec_" + "A" * 43 + "=", came)


def test_a_secret_that_was_changed_is_believed_beside_the_new_one(stack, receiver):
    user = new_user(stack)
    identity, old = endpoint(user, receiver, "report.ready")
    new = user.call("POST", f"/v1/webhooks/endpoints/{identity}/rotate").json["secret"]
    assert user.call("POST", f"/v1/webhooks/endpoints/{identity}/test").status == 202
    wait("the test comes", lambda: receiver.received)
    for secret in (old, new):
        assert verified(secret, receiver.received[0])["type"] == "endpoint.test"


def test_a_sender_that_dies_behind_sending_sends_again_under_the_same_id(new_stack, receiver):
    stack, mark = new_stack, os.path.join(new_stack.marks, "sent")
    stack.programs.set("notifications", MIRRORMATE_CRASH_AT="webhook.after-send", MIRRORMATE_CRASH_ONCE=mark, WEBHOOK_DEADLINE="1s")
    stack.up()
    user = new_user(stack)
    identity, secret = endpoint(user, receiver, "report.ready")
    user.call("POST", f"/v1/webhooks/endpoints/{identity}/test")
    wait("it has died", lambda: os.path.exists(mark))
    stack.up()
    wait("it is noted as delivered", lambda: deliveries(user, identity)[0]["state"] == "delivered", within=90)
    assert len(receiver.received) == 2 and len({came.headers["webhook-id"] for came in receiver.received}) == 1
    assert all(verified(secret, came)["type"] == "endpoint.test" for came in receiver.received)
    assert deliveries(user, identity)[0]["attempts"] == 1, "only one was noted"


def test_an_endpoint_that_is_gone_is_left_alone_and_an_erasure_leaves_none(stack, receiver):
    user = new_user(stack)
    identity, _ = endpoint(user, receiver, "report.ready")
    receiver.answers.append(410)
    user.call("POST", f"/v1/webhooks/endpoints/{identity}/test")
    wait("it is gone", lambda: user.call("GET", "/v1/webhooks/endpoints").json["items"][0]["standing"] == "gone")
    other, _ = endpoint(user, receiver, "report.ready")
    user.call("POST", f"/v1/webhooks/endpoints/{other}/test")
    wait("the other one is told", lambda: len(receiver.received) == 2)
    user.erase()

    def left():
        return [table for table in ("webhook_endpoints", "webhook_deliveries")
                if stack.sql(f"select 1 from notifications.{table} where owner_id = '{user.id}'")]

    wait("nothing is left", lambda: not left())
    rows = stack.sql("select coalesce(string_agg(data::text, ' '), '') d from notifications.events")
    assert receiver.url not in rows[0]["d"], "no event ever had an address"
