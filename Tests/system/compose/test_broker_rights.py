"""What a service that somebody has taken over can do to Kafka with what lies in its own container."""
import pytest

from support.deployed import ledger_agrees
from support.deployment import SERVICES
from support.kafka_attacker import Attacker, configuration


@pytest.fixture
def attacker(deployment):
    """Makes somebody with the certificate of a service, as it lies in that service's container."""
    def make(service):
        def put(path, text):
            deployment.compose("exec", "-T", "kafka", "sh", "-c", f"cat > {path}", input=text.encode())
        certificate = None
        if service:
            certificate = f"/tmp/{service}.pem"
            put(certificate, deployment.compose("exec", "-T", service, "cat", f"/run/secrets/kafka-{service}"))
        put(f"/tmp/client-{service}", configuration(certificate, "/run/secrets/kafka-authority"))
        return Attacker(
            lambda program: ["docker", "compose", "exec", "-T", "-e", "KAFKA_HEAP_OPTS=-Xmx96m", "kafka", f"/opt/kafka/bin/{program}"],
            "kafka:9092", f"/tmp/client-{service}", cwd=deployment.folder, env=deployment.environment)
    return make


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_cannot_write_as_another(deployment, attacker, service):
    one = attacker(service)
    for other in SERVICES:
        if other != service:
            assert "TopicAuthorizationException" in one.write(f"mirrormate.{other}.v1")
    ledger_agrees(deployment)


# The others read all topics, since they follow something of each service.
@pytest.mark.parametrize("service, other", [("quota", "analysis"), ("analysis", "quota"), ("analysis", "reporting")])
def test_a_service_cannot_read_what_is_not_for_it(attacker, service, other):
    assert "uthoriz" in attacker(service).read(f"mirrormate.{other}.v1")


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_cannot_take_the_partitions_of_anothers_group(attacker, service):
    other = next(one for one in SERVICES if one != service)
    assert "GroupAuthorizationException" in attacker(service).read(f"mirrormate.{service}.v1", group=f"mirrormate.{other}")


def test_who_has_no_certificate_gets_nothing(attacker):
    said = attacker(None).write("mirrormate.quota.v1")
    assert "Ssl" in said or "SSL" in said, said


def test_the_operators_listener_is_reached_from_kafkas_own_container_alone(deployment):
    script = "(exec 3<>/dev/tcp/kafka/9094) 2>/dev/null && echo open || echo closed"
    assert deployment.compose("exec", "-T", "quota", "bash", "-c", script).strip() == "closed"
