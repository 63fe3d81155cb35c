"""What goes wrong on real machines: it is named clearly, and all goes on by itself when the cause is gone."""
import os
import socket
import uuid

from api import User, send
from checks import wait
from deployment import SERVICES
from first import whole_way

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


def troubles(checks, stack):
    wrong_order(checks, stack)
    slow_database(checks, stack)
    port_taken(checks, stack)
    missing_bucket(checks, stack)
    full_disks(checks, stack)


def named(checks, stack, word, what):
    """The doctor finds it, and says what to do."""
    found = stack.tool("doctor", ok=(4,))
    checks.expect(word in found, f"the doctor names {what}", found)


def wrong_order(checks, stack):
    stack.compose("down")
    stack.compose("up", "-d", "--no-deps", "gateway", *SERVICES)

    def told():
        return all("waiting for the database" in stack.compose("logs", "--no-color", name) for name in SERVICES)
    wait("each service says what it waits for", told, within=60, every=2)
    checks.expect(True, "services that are started first say that they wait for the database")
    named(checks, stack, "database", "the database that is not there")

    def begun():
        return [stack.inspect(name)["State"]["StartedAt"] for name in SERVICES]

    def healthy():
        return all(stack.inspect(name)["State"]["Health"]["Status"] == "healthy" for name in SERVICES)
    before = begun()
    stack.compose("up", "-d", "migrations", "topics", "s3")
    wait("they are ready", healthy, within=90, every=1)
    checks.equal(begun(), before, "they become ready by themselves when the rest is there")
    whole_way(checks, stack, "after a start in the wrong order")


def slow_database(checks, stack):
    """Two seconds for a new connection, and a table that somebody keeps locked for longer than anybody waits."""
    stack.sql("alter system set pre_auth_delay = '2s'; select pg_reload_conf();")
    stack.compose("restart", "-t", "5", *SERVICES)
    seconds = stack.up()
    checks.say(f"  ready in {seconds:.0f} s when each new connection takes 2 s")
    whole_way(checks, stack, "with a slow database")
    stack.sql("alter system reset pre_auth_delay; select pg_reload_conf();")
    user = User(stack.url)
    user.sign_up()
    holder = stack.compose_beside(
        "exec", "-T", "postgres", "sh", "-c",
        "PGPASSWORD=$(cat /run/secrets/db-admin) psql -X -q -h 127.0.0.1 -U postgres -d mirrormate -c "
        "'begin; lock table sessions.events; select pg_sleep(25)'")
    wait("the table is locked", lambda: stack.sql(
        "select count(*) from pg_locks where mode = 'AccessExclusiveLock' and granted and relation ="
        " 'sessions.events'::regclass") == "1")
    key = str(uuid.uuid4())
    answer = user.create(stack.short, key)
    checks.expect(answer.status == 503 and answer.code, "a request that the database keeps waiting is a 503", answer)
    holder.wait()
    again = wait("created", lambda: user.create(stack.short, key).status in (201, 202), within=60, every=1)
    checks.expect(again, "the same request succeeds when the database answers again")


def port_taken(checks, stack):
    stack.compose("stop", "gateway")
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", stack.port))
        taken.listen()
        said = stack.compose("up", "-d", "gateway", ok=())
        checks.expect(str(stack.port) in said and "in use" in said, "a taken port is named", said[-300:])
        named(checks, stack, "taken port", "the gateway that cannot listen")
    stack.up()
    checks.expect(True, "the gateway comes up when the port is free")


def missing_bucket(checks, stack):
    def move(one, other):
        stack.compose("exec", "-T", "s3", "mv", f"/objects/{one}", f"/objects/{other}")
    user = User(stack.url)
    user.sign_up()
    created = user.create(stack.short)
    session = wait("admitted", lambda: "upload" in user.session(created.json["id"]) and user.session(created.json["id"]))
    move("mirrormate", "elsewhere")
    answer = user.upload(session, stack.short)
    checks.expect(answer.status == 503 and answer.code, "an upload without its bucket is a 503", answer)
    logs = stack.compose("logs", "--no-color", "sessions")
    checks.expect("no such bucket" in logs, "the log names the missing bucket")
    move("elsewhere", "mirrormate")
    checks.equal(user.upload(session, stack.short).status, 200, "the upload succeeds when the bucket is back")
    # At a start, it is made.
    stack.compose("stop", "sessions")
    move("mirrormate", "elsewhere")
    stack.compose("start", "sessions")
    wait("the bucket is there", lambda: "mirrormate" in stack.compose("exec", "-T", "s3", "ls", "/objects").split(),
         within=60)
    checks.expect(True, "a service that starts makes a bucket that is missing")


def full_disks(checks, stack):
    stack.compose("down", "-v")
    users = {
        "postgres": stack.docker("run", "--rm", "--entrypoint", "id", "postgres:17", "-u", "postgres").strip(),
        "kafka": stack.docker("run", "--rm", "--entrypoint", "id", "apache/kafka:4.2.0", "-u").strip()}
    path = f"{stack.folder}/docker-compose.override.yml"
    with open(path, "w", encoding="utf-8") as file:
        file.write(SMALL_DISKS % users)
    try:
        stack.compose("up", "-d", "ballast")
        stack.up()
        whole_way(checks, stack, "on small disks")
        for disk, what in (("objects", full_objects), ("kafka", full_kafka), ("postgres", full_postgres)):
            what(checks, stack, disk)
        whole_way(checks, stack, "after all disks were full")
    finally:
        stack.compose("down", "-v")
        os.remove(path)


def fill(stack, disk):
    stack.compose("exec", "-T", "ballast", "sh", "-c", f"cat /dev/zero >/disks/{disk}/ballast || :", ok=())


def empty(stack, disk):
    stack.compose("exec", "-T", "ballast", "rm", f"/disks/{disk}/ballast")


def full_objects(checks, stack, disk):
    user = User(stack.url)
    user.sign_up()
    created = user.create(stack.short)
    session = wait("admitted", lambda: "upload" in user.session(created.json["id"]) and user.session(created.json["id"]))
    fill(stack, disk)
    answer = user.upload(session, stack.short)
    checks.expect(answer.status == 503 and answer.code, "an upload to a full object store is a 503", answer)
    named(checks, stack, "free", "the full disk")
    empty(stack, disk)
    wait("uploaded", lambda: user.upload(session, stack.short).status == 200, within=60, every=1)
    checks.expect(True, "it succeeds when there is room again")


def full_kafka(checks, stack, disk):
    fill(stack, disk)
    user = User(stack.url)
    user.sign_up()
    created = user.create(stack.short)
    checks.expect(created.status in (201, 202), "a session can be created while Kafka's disk is full", created)
    logs = wait("Kafka stops", lambda: "No space left" in stack.compose("logs", "--no-color", "kafka"), within=60, every=2)
    checks.expect(logs, "Kafka's log says that there is no space left")
    empty(stack, disk)
    wait("admitted", lambda: user.session(created.json["id"])["status"] == "awaitingUpload", within=150, every=2)
    checks.expect(True, "the session is admitted when there is room again")


def full_postgres(checks, stack, disk):
    fill(stack, disk)

    def refused():
        user = User(stack.url)
        answer = send(stack.url, "POST", "/v1/auth/sign-up", {"email": user.email, "password": user.password})
        return answer if answer.status == 503 else None
    answer = wait("refused", refused, within=90, every=0.2)
    checks.expect(answer.code, "a request that cannot be written is a 503", answer)
    said = stack.compose("logs", "--no-color", "postgres")
    checks.expect("No space left" in said, "PostgreSQL's log says that there is no space left", said[-500:])
    named(checks, stack, "database", "the database that cannot write")
    empty(stack, disk)
    user = User(stack.url)

    def signed_up():
        return send(stack.url, "POST", "/v1/auth/sign-up",
                    {"email": user.email, "password": user.password}).status in (201, 409)
    wait("accepted", signed_up, within=150, every=1)
    checks.expect(True, "it is accepted when there is room again")
