"""What goes wrong on real machines: it is named clearly, and all goes on by itself when the cause is gone."""
import os
import socket
import uuid

import pytest

from support import runbooks
from support.api import User, send
from support.deployed import admitted, doctor_names, new_user, whole_way
from support.deployment import SERVICES
from support.notes import note
from support.waiting import wait

pytestmark = pytest.mark.by_name

# Disks that are soon full. They live as long as a container uses them, which is what the ballast is for.
SMALL_DISKS = """
services:
  ballast:
    image: mirrormate/tools:${MIRRORMATE_VERSION:-dev}
    user: "0:0"
    entrypoint: [sleep, infinity]
    init: true
    network_mode: none
    volumes: ["postgres:/disks/postgres", "kafka:/disks/kafka", "objects:/disks/objects"]
volumes:
  postgres: {driver: local, driver_opts: {type: tmpfs, device: tmpfs, o: "size=320m,uid=%(postgres)s,mode=0700"}}
  kafka: {driver: local, driver_opts: {type: tmpfs, device: tmpfs, o: "size=160m,uid=%(kafka)s"}}
  objects: {driver: local, driver_opts: {type: tmpfs, device: tmpfs, o: "size=48m,uid=10001,gid=10001"}}
"""


def test_services_that_are_started_first_wait_for_the_rest(deployment):
    deployment.compose("down")
    deployment.compose("up", "-d", "--no-deps", "gateway", *SERVICES)

    def told():
        return all("waiting for the database" in deployment.compose("logs", "--no-color", name) for name in SERVICES)
    wait("each service says what it waits for", told, within=60, every=2)
    doctor_names(deployment, "database")

    def begun():
        return [deployment.inspect(name)["State"]["StartedAt"] for name in SERVICES]

    def healthy():
        return all(deployment.inspect(name)["State"]["Health"]["Status"] == "healthy" for name in SERVICES)
    before = begun()
    deployment.compose("up", "-d", "migrations", "topics", "s3")
    wait("they live", healthy, within=90, every=1)
    deployment.ready()
    assert begun() == before, "they become ready by themselves"
    whole_way(deployment)


def test_a_service_that_is_not_ready_lives(deployment):
    """What waits for Kafka, or has much to read, is not taken for dead: whoever restarts it would only set it back."""
    deployment.compose("stop", "kafka")
    try:
        deployment.compose("restart", "--no-deps", "quota")
        begin = deployment.inspect("quota")["State"]["StartedAt"]

        def probes():
            # The last five, as Docker keeps them.
            found = [one for one in deployment.inspect("quota")["State"]["Health"]["Log"] if one["ExitCode"] == 0 and one["Start"][:19] > begin[:19]]
            return len(found) == 5
        wait("it is found to live, again and again", probes, within=90, every=1)
        assert deployment.inspect("quota")["State"]["Health"]["Status"] == "healthy"
        # Nothing that it waits for comes closer, so the wait for it ends.
        assert "the consumer group has not answered yet" in deployment.compose(
            "exec", "-T", "quota", "service", "ready", ok=(), within=120)
    finally:
        deployment.compose("start", "kafka")
        deployment.ready()
    whole_way(deployment)


def test_two_seconds_for_each_new_connection_are_borne(deployment):
    deployment.sql("alter system set pre_auth_delay = '2s'; select pg_reload_conf();")
    try:
        deployment.compose("restart", "-t", "5", *SERVICES)
        note(f"ready in {deployment.up():.0f} s when each new connection takes 2 s")
        whole_way(deployment)
    finally:
        deployment.sql("alter system reset pre_auth_delay; select pg_reload_conf();")


def test_a_request_that_the_database_keeps_waiting_is_told_and_succeeds_later(deployment, user):
    key = str(uuid.uuid4())
    with deployment.compose_beside(
            "exec", "-T", "postgres", "sh", "-c",
            "PGPASSWORD=$(cat /run/secrets/db-admin) psql -X -q -h 127.0.0.1 -U postgres -d mirrormate -c "
            "'begin; lock table sessions.events; select pg_sleep(25)'") as holder:
        wait("the table is locked", lambda: deployment.sql(
            "select count(*) from pg_locks where mode = 'AccessExclusiveLock' and granted and relation ="
            " 'sessions.events'::regclass") == "1")
        answer = user.create(deployment.short, key)
        assert answer.status == 503 and answer.code, answer
        holder.wait()
    wait("created", lambda: user.create(deployment.short, key).status in (201, 202), within=60, every=1)


def test_a_taken_port_is_named(deployment):
    deployment.compose("stop", "gateway")
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", deployment.port))
        taken.listen()
        said = deployment.compose("up", "-d", "gateway", ok=())
        assert str(deployment.port) in said and "in use" in said, said[-300:]
        doctor_names(deployment, "taken port")
    deployment.up()


def move_bucket(deployment, one, other):
    deployment.compose("exec", "-T", "s3", "mv", f"/objects/{one}", f"/objects/{other}")


def test_an_upload_without_its_bucket_is_told_and_succeeds_later(deployment, user):
    session = admitted(user, user.create(deployment.short).json["id"])
    move_bucket(deployment, "mirrormate", "elsewhere")
    answer = user.upload(session, deployment.short)
    assert answer.status == 503 and answer.code, answer
    assert "no such bucket" in deployment.compose("logs", "--no-color", "sessions"), "the log names the missing bucket"
    move_bucket(deployment, "elsewhere", "mirrormate")
    assert user.upload(session, deployment.short).status == 200


def test_up_makes_a_bucket_that_is_missing_with_everybodys_rights(deployment, user):
    # What lay in the old one is missed by others.
    deployment.is_used_up = True
    move_bucket(deployment, "mirrormate", "elsewhere")
    deployment.compose("up", "-d", "--wait")
    deployment.ready()
    assert "mirrormate" in deployment.compose("exec", "-T", "s3", "ls", "/objects").split()
    assert user.upload(admitted(user, user.create(deployment.short).json["id"]), deployment.short).status == 200


# MARK: full disks

@pytest.fixture
def small_disks(deployment):
    """The deployment anew, on disks that are soon full."""
    deployment.is_used_up = True
    deployment.compose("down", "-v")
    users = {
        "postgres": deployment.docker("run", "--rm", "--entrypoint", "id", "postgres:17", "-u", "postgres").strip(),
        "kafka": deployment.docker("run", "--rm", "--entrypoint", "id", "apache/kafka:4.2.0", "-u").strip()}
    path = f"{deployment.folder}/docker-compose.override.yml"
    with open(path, "w", encoding="utf-8") as file:
        file.write(SMALL_DISKS % users)
    deployment.compose("up", "-d", "ballast")
    deployment.up()
    yield deployment
    deployment.compose("down", "-v")
    os.remove(path)


def fill(deployment, disk):
    deployment.compose("exec", "-T", "ballast", "sh", "-c", f"cat /dev/zero >/disks/{disk}/ballast || :", ok=())


def empty(deployment, disk):
    deployment.compose("exec", "-T", "ballast", "rm", f"/disks/{disk}/ballast")


def test_full_disks_are_named_and_all_goes_on_when_there_is_room_again(small_disks):
    whole_way(small_disks)
    full_objects(small_disks)
    full_kafka(small_disks)
    full_postgres(small_disks)
    whole_way(small_disks)


def full_objects(deployment):
    user = new_user(deployment)
    session = admitted(user, user.create(deployment.short).json["id"])
    fill(deployment, "objects")
    answer = user.upload(session, deployment.short)
    assert answer.status == 503 and answer.code, answer
    book = runbooks.Runbook(runbooks.for_compose()["The disk is full"], deployment.as_it_stands)
    book.run(4, "MiB free")
    book.run(0, "RECLAIMABLE")
    book.run(0, "Use%")
    book.run(0, "Use%")
    book.run(0, "100%")
    empty(deployment, "objects")
    book.run(0, "")
    deployment.ready()
    book.run(0, "nothing is lost")
    book.end()
    wait("uploaded", lambda: user.upload(session, deployment.short).status == 200, within=60, every=1)


def full_kafka(deployment):
    fill(deployment, "kafka")
    user = new_user(deployment)
    created = user.create(deployment.short)
    assert created.status in (201, 202), f"a session can be created while Kafka's disk is full: {created}"
    wait("Kafka's log says that there is no space left",
         lambda: "No space left" in deployment.compose("logs", "--no-color", "kafka"), within=60, every=2)
    empty(deployment, "kafka")
    wait("admitted", lambda: user.session(created.json["id"])["status"] == "awaitingUpload", within=150, every=2)


def full_postgres(deployment):
    fill(deployment, "postgres")

    def refused():
        user = User(deployment.url)
        answer = send(deployment.url, "POST", "/v1/auth/sign-up", {"email": user.email, "password": user.password})
        return answer if answer.status == 503 else None
    answer = wait("refused", refused, within=90, every=0.2)
    assert answer.code, f"a request that cannot be written is a problem: {answer}"
    assert "No space left" in deployment.compose("logs", "--no-color", "postgres"), "PostgreSQL's log says why"
    doctor_names(deployment, "database")
    empty(deployment, "postgres")
    user = User(deployment.url)

    def signed_up():
        return send(deployment.url, "POST", "/v1/auth/sign-up",
                    {"email": user.email, "password": user.password}).status in (201, 409)
    wait("accepted", signed_up, within=150, every=1)
