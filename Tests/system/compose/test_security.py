"""What can be reached, what containers may do, and where secrets are not."""
import base64
import json
import pathlib
import socket
import ssl
import time
import warnings

import pytest

from support.api import send
from support.deployment import SERVICES
from support.waiting import wait


@pytest.fixture
def containers(deployment):
    return deployment.containers()


@pytest.fixture
def secrets(deployment):
    found = [path.read_text() for path in pathlib.Path(deployment.folder, "secrets").iterdir() if path.is_file()]
    assert found
    return found


def test_only_the_gateway_is_published(containers):
    published = [name for name, one in containers.items() if any((one["NetworkSettings"]["Ports"] or {}).values())]
    assert sorted(published) == ["gateway"]


# Give each run a user of its own, and have tests of their own (test_walls.py).
GIVE_USERS = {"media", "pictures"}


def test_every_container_runs_contained(containers):
    for name, one in sorted(containers.items()):
        host, user = one["HostConfig"], one["Config"]["User"] or "root"
        assert name in GIVE_USERS or user.split(":")[0] not in ("root", "0"), f"{name} runs as {user}"
        added = {right.removeprefix("CAP_") for right in host["CapAdd"] or []}
        allowed = {"SETUID", "SETGID", "CHOWN", "KILL", "DAC_OVERRIDE"} if name in GIVE_USERS else set()
        assert added <= allowed, f"{name} has rights: {added}"
        assert host["ReadonlyRootfs"], f"the root of {name} can be written"
        assert "ALL" in (host["CapDrop"] or []), f"{name} keeps rights: {host['CapDrop']}"
        assert any(option.startswith("no-new-privileges") for option in host["SecurityOpt"] or []), name
        assert host["Memory"] > 0 and not host["Privileged"], name


def test_no_container_has_a_volume_that_nobody_could_find_again(deployment, containers):
    assert [f"{name}: {mount['Destination']}" for name, one in containers.items() for mount in one["Mounts"]
            if mount["Type"] == "volume" and not mount["Name"].startswith(deployment.project)] == []


def test_no_secret_is_in_docker_inspect_or_a_log(deployment, containers, secrets):
    everywhere = json.dumps(containers)
    assert not any(secret in everywhere for secret in secrets), "a secret is in docker inspect"
    logs = deployment.compose("logs", "--no-color")
    assert not any(secret in logs for secret in secrets), "a secret is in a log"


@pytest.mark.parametrize("service", SERVICES)
def test_no_secret_is_in_an_image(deployment, secrets, service):
    history = deployment.docker("history", "--no-trunc", "--format", "{{.CreatedBy}}", f"mirrormate/{service}:dev")
    assert not any(secret in history for secret in secrets)


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_knows_operators_by_a_hash_alone(deployment, service):
    there = deployment.compose("exec", "-T", service, "ls", "/run/secrets").split()
    assert "operator-key-hash" in there and "operator-key" not in there


@pytest.mark.parametrize("kind", ["unsigned", "forged"])
@pytest.mark.parametrize("service, path", [
    ("sessions", "/v1/sessions"), ("quota", "/v1/quota"), ("reporting", "/v1/reports")], ids=["sessions", "quota", "reporting"])
def test_inside_the_network_too_a_service_takes_only_tokens_that_identity_signed(deployment, user, service, path, kind):
    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    claims = part({"iss": "mirrormate", "aud": "mirrormate", "sub": user.id, "exp": int(time.time()) + 600,
                   "iat": int(time.time())})
    token = {"unsigned": f"{part({'alg': 'none', 'typ': 'at+jwt'})}.{claims}.",
             "forged": f"{part({'alg': 'ES256', 'typ': 'at+jwt', 'kid': 'x'})}.{claims}.{'A' * 86}"}[kind]
    script = (
        f"exec 3<>/dev/tcp/{service}/8080; printf 'GET {path} HTTP/1.0\\r\\nHost: x\\r\\n"
        f"Authorization: Bearer {token}\\r\\n\\r\\n' >&3; head -n 1 <&3")
    answer = deployment.compose("run", "--rm", "-T", "--no-deps", "--entrypoint", "bash", "tools", "-c", script)
    assert " 401" in answer, answer


def test_plain_text_on_the_tls_port_is_told_to_use_https(deployment):
    with socket.create_connection(("127.0.0.1", deployment.port), timeout=5) as plain:
        plain.sendall(b"GET /v1/quota HTTP/1.1\r\nHost: coach.test\r\nConnection: close\r\n\r\n")
        assert b"https-needed" in plain.recv(4096)


@pytest.mark.parametrize("what", ["nothing newer than TLS 1.1", "ciphers that authenticate nothing"])
def test_a_client_whose_encryption_is_weak_gets_no_connection(deployment, what):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with warnings.catch_warnings():
        # Old versions are what is asked about.
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = ssl.TLSVersion.TLSv1
        context.maximum_version = ssl.TLSVersion.TLSv1_1 if "TLS" in what else ssl.TLSVersion.TLSv1_2
    context.set_ciphers("ALL:@SECLEVEL=0" if "TLS" in what else "ECDHE+AES:AES:!AESGCM:!AESCCM:@SECLEVEL=0")
    with socket.create_connection(("127.0.0.1", deployment.port), timeout=5) as plain:
        with pytest.raises(ssl.SSLError, match="(?i)alert"):
            context.wrap_socket(plain, server_hostname="coach.test").close()


def test_browsers_are_told_to_use_https_for_a_year_and_below_this_name_too(deployment):
    # What the gateway refuses itself among them.
    for method, path, body, status in [
            ("GET", "/", None, 200), ("GET", "/v1/quota", None, 401), ("GET", "/nowhere", None, 404), ("TRACE", "/v1/quota", None, 405),
            ("POST", "/v1/auth/sign-in", b"x" * 70_000, 413), ("POST", "/rest/v1/user_quotas", b"x" * 70_000, 413)]:
        answer = send(deployment.url, method, path, body)
        assert answer.status == status, answer
        assert answer.headers.get("strict-transport-security") == "max-age=31536000; includeSubDomains", answer


def test_uploads_go_to_the_public_address(deployment, user):
    address = user.create(deployment.demo).json["upload"]["url"]
    assert address.startswith(deployment.url) or address.startswith("/"), address


def test_a_request_beyond_the_limit_is_too_large(deployment):
    large = send(deployment.url, "POST", "/v1/auth/sign-in", b"x" * 70_000, {"Content-Type": "application/json"})
    assert (large.status, large.code) == (413, "body-too-large"), large


def test_a_process_that_crashes_says_where_but_not_on_what_and_comes_back(deployment, user):
    def backtraces():
        return deployment.compose("logs", "--no-color", "quota").count("Backtrace took")
    before = backtraces()
    deployment.compose(
        "exec", "-T", "quota", "bash", "-c",
        "for p in /proc/[0-9]*; do [ \"$(readlink $p/exe)\" != /usr/local/bin/service ] || kill -SEGV ${p#/proc/}; done")
    wait("the backtrace", lambda: backtraces() > before, within=60)
    logs = deployment.compose("logs", "--no-color", "quota")
    assert "Thread 0" in logs, "a crash prints a backtrace"
    assert "Registers:" not in logs, "but no registers with what they point at"
    wait("it is ready again", lambda: user.quota()["used"] >= 0, within=60)
