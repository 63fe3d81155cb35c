"""From nothing to a report, and what is still there after `down` and `up`."""
import os
import re
import uuid

from api import Refused, Unreachable, User, send
from checks import wait


def report_of(user, identity):
    return user.call("GET", f"/v1/reports/{identity}")


def submit(user, media, content_type="video/mp4", **headers):
    """Creates, uploads and finalizes like a patient app; gives the session's id."""
    body = {"kind": "mirrormate", "contentType": content_type, "contentLength": len(media)}
    created = user.call("POST", "/v1/sessions", body, str(uuid.uuid4()), **headers)
    if created.status not in (201, 202):
        raise Refused("creation", created)
    identity = created.json["id"]
    # 202: quota's decision is on its way.
    session = wait("admitted", lambda: "upload" in user.session(identity) and user.session(identity), within=60)
    uploaded = user.upload(session, media)
    if uploaded.status != 200:
        raise Refused("upload", uploaded)
    final = user.call("POST", f"/v1/sessions/{identity}/finalize", {}, **headers)
    if final.status not in (200, 202):
        raise Refused("finalize", final)
    return identity


def whole_way(checks, stack, what):
    """Sign-up, upload, events and report through the one origin; gives the user and the session's id."""
    user = User(stack.url)
    user.sign_up()
    identity = submit(user, stack.demo)
    events = list(user.follow(identity, within=180))
    checks.equal(events[-1][2]["status"] if events else None, "complete", f"{what}: the events end with complete")
    answer = report_of(user, identity)
    checks.expect(answer.status == 200 and "confidenceScore" in answer.body.decode(), f"{what}: the report is there", answer)
    return user, identity


def first(checks, stack):
    refused = stack.run("docker", "compose", "up", "-d", ok=(1, 14, 15, 16))
    checks.expect("infra/init" in refused, "without a first set-up, compose says to run infra/init", refused)
    stack.init()
    again = stack.run("infra/init", stack.url, ok=(3,))
    checks.expect("already exists" in again, "infra/init overwrites nothing", again)
    if not os.environ.get("COMPOSE_TEST_SKIP_BUILD"):
        stack.compose("build", within=1800)
    seconds = stack.up()
    checks.say(f"  up to ready in {seconds:.0f} s")
    checks.expect(seconds <= 60, "everything is ready within 60 s", f"{seconds:.0f} s")
    stack.user, stack.session = whole_way(checks, stack, "first video")
    sizes = stack.docker("images", "--format", "{{.Repository}} {{.Size}}")
    checks.say("  " + "; ".join(sorted(set(re.findall(r"mirrormate/\S+ \S+", sizes)))))
    checks.say("  idle: " + stack.memory())
    sound = stack.compose("run", "--rm", "-T", "tools", "doctor", ok=())
    checks.expect("nothing is wrong" in sound, "the doctor finds nothing", sound)


def life(checks, stack):
    before = report_of(stack.user, stack.session).body
    stack.compose("down")
    try:
        send(stack.url, "GET", "/v1/quota")
        checks.expect(False, "down stops the gateway")
    except Unreachable:
        checks.expect(True, "down stops the gateway")
    seconds = stack.up()
    checks.say(f"  up again to ready in {seconds:.0f} s")
    checks.equal(report_of(stack.user, stack.session).body, before, "the report is the same after down and up")
    checks.equal(stack.user.quota()["used"], 1, "the used quota is the same after down and up")
    whole_way(checks, stack, "after down and up")
    troubles(checks, stack)


def troubles(checks, stack):
    """What goes wrong is named, and goes well again by itself."""
    stack.compose("stop", "postgres")
    found = stack.compose("run", "--rm", "-T", "--no-deps", "tools", "doctor", ok=(4,))
    checks.expect("database" in found, "the doctor names a stopped database", found)
    answer = send(stack.url, "POST", "/v1/auth/sign-in", {"email": stack.user.email, "password": "a wrong password"})
    checks.expect(answer.status == 503 and answer.code, "a request without a database is a 503 with a code", answer)
    stack.compose("start", "postgres")
    wait("signed in again", lambda: stack.user.sign_in(), within=60)
    checks.expect(True, "the services go on by themselves when the database is back")
    stack.compose("stop", "kafka")
    user = User(stack.url)
    user.sign_up()
    created = user.create(stack.demo)
    checks.expect(created.status in (201, 202), "a session can be created while Kafka is away", created)
    stack.compose("start", "kafka")
    wait("admitted", lambda: user.session(created.json["id"])["status"] == "awaitingUpload", within=90)
    checks.expect(True, "it is admitted when Kafka is back")
