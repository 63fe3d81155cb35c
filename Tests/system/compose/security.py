"""What can be reached, what containers may do, and where secrets are not."""
import base64
import json
import pathlib
import socket
import time

from api import User, send
from checks import wait
from deployment import SERVICES


def security(checks, stack):
    containers = stack.containers()
    published = {
        name: one["NetworkSettings"]["Ports"] for name, one in containers.items()
        if any((one["NetworkSettings"]["Ports"] or {}).values())}
    checks.equal(sorted(published), ["gateway"], "only the gateway is published")
    for name, one in sorted(containers.items()):
        host = one["HostConfig"]
        user = one["Config"]["User"] or "root"
        checks.expect(
            user.split(":")[0] not in ("root", "0") and host["ReadonlyRootfs"] and "ALL" in (host["CapDrop"] or [])
            and any(option.startswith("no-new-privileges") for option in host["SecurityOpt"] or [])
            and host["Memory"] > 0 and not host["Privileged"],
            f"{name} runs contained", {"user": user, "root": host["ReadonlyRootfs"], "caps": host["CapDrop"]})
    nameless = [
        f"{name}: {mount['Destination']}" for name, one in containers.items() for mount in one["Mounts"]
        if mount["Type"] == "volume" and not mount["Name"].startswith(stack.project)]
    checks.equal(nameless, [], "no container has a volume that nobody could find again")
    secret_files = [path for path in pathlib.Path(stack.folder, "secrets").iterdir() if path.is_file()]
    secrets = [path.read_text() for path in secret_files]
    everywhere = json.dumps(containers)
    checks.expect(not any(secret in everywhere for secret in secrets), "no secret is in docker inspect")
    logs = stack.compose("logs", "--no-color")
    checks.expect(not any(secret in logs for secret in secrets), "no secret is in a log")
    for service in SERVICES:
        history = stack.docker("history", "--no-trunc", "--format", "{{.CreatedBy}}", f"mirrormate/{service}:dev")
        checks.expect(not any(secret in history for secret in secrets), f"no secret is in the image of {service}")
    tokens(checks, stack)
    transport(checks, stack)
    crash(checks, stack)


def tokens(checks, stack):
    """Inside the network too a service takes only tokens that identity signed."""
    def inside(service, path, token):
        script = (
            f"exec 3<>/dev/tcp/{service}/8080; printf 'GET {path} HTTP/1.0\\r\\nHost: x\\r\\n"
            f"Authorization: Bearer {token}\\r\\n\\r\\n' >&3; head -n 1 <&3")
        return stack.compose("run", "--rm", "-T", "--no-deps", "--entrypoint", "bash", "tools", "-c", script)

    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    claims = {
        "iss": "mirrormate", "aud": "mirrormate", "sub": stack.user.id, "exp": int(time.time()) + 600,
        "iat": int(time.time())}
    unsigned = f"{part({'alg': 'none', 'typ': 'at+jwt'})}.{part(claims)}."
    forged = f"{part({'alg': 'ES256', 'typ': 'at+jwt', 'kid': 'x'})}.{part(claims)}.{'A' * 86}"
    for service, path in [("sessions", "/v1/sessions"), ("quota", "/v1/quota"), ("reporting", "/v1/reports")]:
        for kind, token in [("unsigned", unsigned), ("forged", forged)]:
            answer = inside(service, path, token)
            checks.expect(" 401" in answer, f"{service} refuses an {kind} token inside the network", answer)


def transport(checks, stack):
    with socket.create_connection(("127.0.0.1", stack.port), timeout=5) as plain:
        plain.sendall(b"GET /v1/quota HTTP/1.1\r\nHost: coach.test\r\nConnection: close\r\n\r\n")
        checks.expect(b"https-needed" in plain.recv(4096), "plain text on the TLS port is told to use https")
    user = User(stack.url)
    user.sign_up()
    created = user.create(stack.demo)
    address = created.json["upload"]["url"]
    checks.expect(address.startswith(stack.url) or address.startswith("/"), "uploads go to the public address", address)
    large = send(stack.url, "POST", "/v1/auth/sign-in", b"x" * 70_000, {"Content-Type": "application/json"})
    checks.equal((large.status, large.code), (413, "body-too-large"), "a request beyond the limit is a 413")


def crash(checks, stack):
    """A process that crashes says where, but nothing of what it worked on, and comes back."""
    stack.compose(
        "exec", "-T", "quota", "bash", "-c",
        "for p in /proc/[0-9]*; do [ \"$(readlink $p/exe)\" != /usr/local/bin/service ] || kill -SEGV ${p#/proc/}; done")
    logs = wait("the backtrace", lambda: [
        text for text in [stack.compose("logs", "--no-color", "quota")] if "Backtrace took" in text], within=60)[0]
    checks.expect("Thread 0" in logs, "a crash prints a backtrace")
    checks.expect("Registers:" not in logs, "but no registers with what they point at")
    wait("it is ready again", lambda: stack.user.quota()["used"] >= 0, within=60)
    checks.expect(True, "and it comes back")
