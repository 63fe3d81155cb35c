"""Runbooks of docs/operations.md whose commands are Docker's, taken out of it as they stand, each against its trouble."""
import os
import socket
import ssl

import pytest

from support import runbooks
from support.deployed import doctor_finds_nothing, ledger_agrees, report_of, whole_way
from support.deployment import NAME
from support.waiting import wait

RUNBOOKS = runbooks.for_compose()
HERE = {
    "Backup", "Restore", "Kafka is down or its disk is full", "The gateway's certificate", "Who may do what in Kafka", "Upgrades"}


@pytest.fixture
def runbook(deployment):
    """A runbook by its heading; each of its commands has to be run."""
    books = []

    def give(heading):
        assert heading in HERE
        books.append(runbooks.Runbook(RUNBOOKS[heading], deployment.as_it_stands))
        return books[-1]
    yield give
    for book in books:
        book.end()


def test_the_runbooks_stand_in_the_document():
    assert HERE <= set(RUNBOOKS), sorted(RUNBOOKS)


def test_a_backup_and_the_way_back(deployment, runbook):
    user, session = whole_way(deployment)
    report = report_of(user, session).body
    folder = f"{deployment.folder}-runbook-backup"
    try:
        runbook("Backup").run(0, "verified", _somewhere_2026_11_21=folder)
        later, _ = whole_way(deployment)
        book = runbook("Restore")
        book.run(0, '"topicIsEmpty"', "--yes", _somewhere_2026_11_21=folder)
        book.run(0, "refresh-tokens")
    finally:
        deployment.run("rm", "-rf", folder)
    assert later.call("GET", "/v1/me").status in (401, 404), "who came after the backup is gone"
    user.sign_in()
    assert report_of(user, session).body == report
    deployment.ready()
    doctor_finds_nothing(deployment)


def test_topics_whose_disk_was_lost_are_published_again(deployment, runbook):
    user, session = whole_way(deployment)
    book = runbook("Kafka is down or its disk is full")
    book.run(0, "nothing is wrong")
    book.run(0, "")
    book.run(0, "kafka")
    book.run(0, "kafka", mirrormate_kafka=f"{deployment.project}_kafka")
    book.run(0, "")
    deployment.ready()
    ledger_agrees(deployment)
    assert report_of(user, session).status == 200
    whole_way(deployment)


def test_another_certificate_of_the_gateway(deployment, runbook):
    before = certificate(deployment)
    book = runbook("The gateway's certificate")
    book.run(0, "", coach_example_org=NAME)
    book.run(0, "")
    wait("the new one is shown", lambda: certificate(deployment) != before)
    deployment.trust()
    whole_way(deployment)


def test_new_certificates_for_kafka(deployment, runbook):
    path = os.path.join(deployment.folder, "secrets", "kafka", "quota.pem")
    with open(path, "rb") as file:
        before = file.read()
    book = runbook("Who may do what in Kafka")
    for _ in range(3):
        book.run(0, "")
    with open(path, "rb") as file:
        assert file.read() != before
    whole_way(deployment)
    ledger_agrees(deployment)
    deployment.ready()
    doctor_finds_nothing(deployment)


def test_an_upgrade(deployment, runbook):
    user, session = whole_way(deployment)
    # What this version needs and an older one had not.
    os.remove(os.path.join(deployment.folder, "secrets", "operator-key-hash"))
    book = runbook("Upgrades")
    book.run(0, "operator-key-hash is written")
    book.run(0, "")
    book.run(0, "")
    book.run(0, "nothing is wrong")
    assert report_of(user, session).status == 200
    whole_way(deployment)


def certificate(deployment):
    """The one that the gateway shows."""
    context = ssl.create_default_context(cafile=deployment.authority)
    with socket.create_connection(("127.0.0.1", deployment.port), timeout=10) as plain:
        with context.wrap_socket(plain, server_hostname=NAME) as secure:
            return secure.getpeercert(binary_form=True)
