"""Runbooks of docs/operations.md whose commands are Docker's, taken out of it as they stand, each against its trouble."""
import os
import re
import shutil
import socket
import ssl

import pytest

from support import runbooks
from support.api import send
from support.deployed import doctor_finds_nothing, ledger_agrees, report_of, whole_way
from support.deployment import NAME
from support.waiting import wait

RUNBOOKS = runbooks.for_compose()
HERE = {
    "Backup", "Restore", "Kafka is down or its disk is full", "The gateway's certificate", "Who may do what in Kafka", "Upgrades",
    "Another machine"}


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


def test_another_machine(deployment, runbook):
    user, session = whole_way(deployment)
    report = report_of(user, session).body
    folder = f"{deployment.folder}-runbook-backup"
    try:
        deployment.run("infra/backup", folder)
        # What is left of the first machine is the backup.
        deployment.compose("down", "-v")
        os.remove(os.path.join(deployment.folder, ".env"))
        shutil.rmtree(os.path.join(deployment.folder, "secrets"))
        book = runbook("Another machine")
        book.run(0, r'"topicIsEmpty": ?true', "--yes", _somewhere_2026_11_21=folder)
        book.run(0, "nothing is wrong")
    finally:
        deployment.run("rm", "-rf", folder)
    user.sign_in()
    assert report_of(user, session).body == report
    deployment.ready()
    whole_way(deployment)


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


# Runs the command again until nothing is left to do, as the document says of its third step.
UNTIL_NOTHING_IS_LEFT = """
until said=$(docker compose exec identity service reseal) && echo "$said" && [ -z "${said##*first key: 0.*}" ]; do sleep 1; done
"""


def test_the_key_that_seals_and_the_keys_that_it_seals_are_changed_and_nobody_is_signed_out(deployment):
    sealing, leaving, others, _ = runbooks.scripts("Changing secrets without a pause")
    user, session = whole_way(deployment)
    report = report_of(user, session).body
    refresh = user.sign_in().json["refreshToken"]
    path = os.path.join(deployment.folder, "secrets", "key-encryption-key")
    with open(path, encoding="ascii") as file:
        before = file.read().split()
    # In the same shell, as the document says.
    said = in_a_shell(deployment, sealing + UNTIL_NOTHING_IS_LEFT + leaving + "chmod 444 $key; rm -f $key.next $key.before\n")
    assert re.findall(r"first key: (\d+)\.", said)[-1] == "0", said
    with open(path, encoding="ascii") as file:
        after = file.read().split()
    assert len(after) == 1 and after[0] not in before, "one key is left, and it is a new one"
    assert not [name for name in os.listdir(os.path.dirname(path)) if name.startswith("key-encryption-key.")]
    deployment.ready()
    refresh = refreshed(deployment, refresh)
    in_a_shell(deployment, others)
    refreshed(deployment, refresh)
    user.sign_in()
    assert report_of(user, session).body == report
    doctor_finds_nothing(deployment)


def test_the_key_that_signs_announcements_is_changed(deployment):
    *_, announcing = runbooks.scripts("Changing secrets without a pause")
    path = os.path.join(deployment.folder, "secrets", "announcement-key")
    with open(path, encoding="ascii") as file:
        before = file.read()
    user, session = whole_way(deployment)
    for line in announcing.splitlines():
        if " drop " in line:
            ledger_agrees(deployment)
        in_a_shell(deployment, line)
        deployment.ready()
    with open(path, encoding="ascii") as file:
        assert file.read() != before
    user.sign_in()
    assert report_of(user, session).status == 200
    whole_way(deployment)
    ledger_agrees(deployment)
    assert "Nothing is parked." in deployment.tool("parked", "list")
    doctor_finds_nothing(deployment)


def in_a_shell(deployment, script):
    """Runs a block of the document; gives what it said."""
    return deployment.run("bash", "-eu", "-c", script, within=900)


def refreshed(deployment, token):
    """Whoever is signed in stays so; gives the next refresh token."""
    answer = send(deployment.url, "POST", "/v1/auth/refresh", {"refreshToken": token})
    assert answer.status == 200, answer
    return answer.json["refreshToken"]


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
