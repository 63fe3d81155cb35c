"""What is still there after `down` and `up`, and what goes wrong and goes well again by itself."""
import pytest

from support.api import Unreachable, send
from support.deployed import doctor_names, new_user, report_of, whole_way
from support.notes import note
from support.waiting import wait


def test_report_and_quota_are_the_same_after_down_and_up(deployment, owner):
    user, session = owner
    before = report_of(user, session).body
    used = user.quota()["used"]
    assert used == 1
    deployment.compose("down")
    with pytest.raises(Unreachable):
        send(deployment.url, "GET", "/v1/quota")
    note(f"up again to ready in {deployment.up():.0f} s")
    assert report_of(user, session).body == before
    assert user.quota()["used"] == used
    whole_way(deployment)


def test_a_stopped_database_is_named_and_the_services_go_on_when_it_is_back(deployment, user):
    deployment.compose("stop", "postgres")
    doctor_names(deployment, "database")
    answer = send(deployment.url, "POST", "/v1/auth/sign-in", {"email": user.email, "password": "a wrong password"})
    assert answer.status == 503 and answer.code, answer
    deployment.compose("start", "postgres")
    wait("signed in again", user.sign_in, within=60)


def test_a_session_that_was_created_without_kafka_is_admitted_when_it_is_back(deployment):
    deployment.compose("stop", "kafka")
    user = new_user(deployment)
    created = user.create(deployment.demo)
    assert created.status in (201, 202), created
    deployment.compose("start", "kafka")
    wait("admitted", lambda: user.session(created.json["id"])["status"] == "awaitingUpload", within=90)
