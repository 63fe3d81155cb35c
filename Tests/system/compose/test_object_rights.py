"""What a service that somebody has taken over can do to the objects with what lies in its own container."""
import pytest

SERVICES = {"identity": ("export-identity", "media"), "sessions": ("media", "documents"), "quota": ("export-quota", "export-identity"),
            "analysis": ("documents", "media"), "reporting": ("export-reporting", "export-identity")}


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


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_writes_and_deletes_only_its_own(ask, service):
    own, others = SERVICES[service]
    if own:
        assert ask(service, "PUT", f"{own}/probe") == "200" and ask(service, "DELETE", f"{own}/probe") == "204"
    assert ask(service, "PUT", f"{others}/probe") == "403" and ask(service, "DELETE", f"{others}/probe") == "403"
    assert ask(service, "GET", "?list-type=2") == "403", "keys name owners"


def test_a_service_reads_only_what_it_declares(ask):
    assert ask("sessions", "GET", "documents/x") == "403"
    assert ask("reporting", "GET", "media/x") == "403" and ask("analysis", "GET", "uploads/x") == "403"
    assert ask("analysis", "GET", "media/x") == "404" and ask("reporting", "GET", "documents/x") == "404"
    assert ask("quota", "GET", "export-identity/x") == "403" and ask("reporting", "GET", "export-identity/x") == "404"
