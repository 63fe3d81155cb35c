"""What a service that somebody has taken over can do to the objects with what lies in its own container."""
import pytest

OWNS = {"identity": ["export-identity"], "sessions": ["uploads", "media", "export-sessions"], "quota": ["export-quota"],
        "analysis": ["documents"], "reporting": ["export-reporting"]}
READS = {"analysis": ["media"], "reporting": ["documents", "export-identity", "export-sessions", "export-quota"]}
PLACES = [place for own in OWNS.values() for place in own] + ["elsewhere"]


@pytest.fixture
def ask(deployment):
    """The status of a request with a service's own key; by curl, which the gateway's container has."""
    def send(service, method, path):
        secret = deployment.compose("exec", "-T", service, "cat", f"/run/secrets/s3-{service}").strip()
        body = ["--data-binary", "x"] if method == "PUT" else []
        return deployment.compose(
            "exec", "-T", "gateway", "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-X", method, *body,
            "-H", "x-amz-content-sha256: UNSIGNED-PAYLOAD", "-H", "Content-Type: application/octet-stream",
            "--aws-sigv4", "aws:amz:us-east-1:s3", "--user", f"{service}:{secret}", f"http://s3:7070/mirrormate/{path}").strip()
    return send


@pytest.mark.parametrize("service", OWNS)
def test_a_service_writes_and_deletes_only_its_own(ask, service):
    for place in PLACES:
        expected = ("200", "204") if place in OWNS[service] else ("403", "403")
        assert (ask(service, "PUT", f"{place}/probe"), ask(service, "DELETE", f"{place}/probe")) == expected, place
    assert ask(service, "GET", "?list-type=2") == "403", "keys name owners"


@pytest.mark.parametrize("service", OWNS)
def test_a_service_reads_only_what_it_declares(ask, service):
    for place in PLACES:
        expected = "404" if place in OWNS[service] + READS.get(service, []) else "403"
        assert ask(service, "GET", f"{place}/x") == expected, place


def test_keys_hold_however_often_users_are_given_them(ask, deployment):
    for _ in range(4):
        deployment.compose("run", "--rm", "--no-deps", "s3-users")
        assert {service: ask(service, "GET", f"{OWNS[service][0]}/x") for service in OWNS} == dict.fromkeys(OWNS, "404")
