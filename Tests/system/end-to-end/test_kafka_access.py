"""An Apache Kafka that wants certificates and refuses what is not granted: what each service may do there, and what nobody may."""
import json
import os
import subprocess
import tempfile

import pytest
from confluent_kafka.admin import (AclBinding, AclBindingFilter, AclOperation, AclPermissionType, AdminClient, ConfigResource,
                                   ResourcePatternType, ResourceType)

from support import places
from support.deployment import SERVICES, free_port
from support.kafka_client import Client
from support.waiting import wait

READS = {
    "identity": ["sessions", "quota", "analysis", "reporting", "notifications"], "sessions": ["identity", "quota", "analysis", "reporting"],
    "quota": ["identity", "sessions", "reporting"], "analysis": ["identity", "sessions"],
    "reporting": ["identity", "sessions", "quota", "analysis"],
    "notifications": ["identity", "sessions", "quota", "reporting"],
    "tools": SERVICES,
}


PASSWORD = "a long password of quota"


def topic(service):
    return f"mirrormate.{service}.v1"


class Cluster:
    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        self.certificates = os.path.join(folder, "certificates")
        self.strangers = os.path.join(folder, "strangers")
        for place in (self.certificates, self.strangers):
            subprocess.run([os.path.join(places.ROOT, "infra", "certificates"), place], check=True, stdout=subprocess.DEVNULL)
        self.operators, self.tls, self.passwords = (f"127.0.0.1:{free_port()}" for _ in range(3))
        self.home = os.path.join(folder, "kafka")
        os.makedirs(self.home)
        self.run_kafka("start", self.home, self.operators.split(":")[1], str(free_port()))

    def run_kafka(self, *words):
        subprocess.run([os.path.join(places.ROOT, "infra", "kafka-local"), *words], check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "KAFKA_CERTIFICATES": self.certificates, "KAFKA_TLS_PORT": self.tls.split(":")[1],
                            "KAFKA_PASSWORDS_PORT": self.passwords.split(":")[1], "KAFKA_PASSWORD": PASSWORD})

    def end(self):
        self.run_kafka("stop", self.home)

    def service(self, name, command, **settings):
        """Runs a command of a service that has no database; gives its exit code and what it printed."""
        done = subprocess.run(
            [os.path.join(self.build, name), command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, timeout=360, check=False,
            env={"PATH": os.environ["PATH"], "DATABASE_HOST": self.folder, "DATABASE_PASSWORD": "of nobody, there is none",
                 "KAFKA_BOOTSTRAP_SERVERS": self.tls, **settings})
        return done.returncode, done.stdout

    def as_client(self, name, place=None):
        place = place or self.certificates
        return {"KAFKA_SECURITY": "tls", "KAFKA_AUTHORITY_FILE": f"{place}/authority.pem", "KAFKA_CERTIFICATE_FILE": f"{place}/{name}.pem"}

    def findings(self, name, **settings):
        """What `check` finds of Kafka."""
        said = self.service(name, "check", LOG_LEVEL="error", **settings)[1]
        report = json.loads(next(line for line in said.splitlines() if '"findings"' in line))
        return {one["code"]: one["message"] for one in report["findings"] if one["code"].startswith(("kafka", "topic"))}

    def certificate(self, name, days, folder):
        """The file with a certificate of the authority's that ends in so many days."""
        path, request, rest = (os.path.join(folder, f"{name}-{days}.{end}") for end in ("pem", "request", "rest"))
        with open(rest, "w", encoding="ascii") as file:
            file.write("keyUsage=critical,digitalSignature\nextendedKeyUsage=clientAuth\n")
        for words in (["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={name}",
                       "-keyout", path, "-out", request],
                      ["x509", "-req", "-in", request, "-CA", f"{self.certificates}/authority.pem", "-CAkey",
                       f"{self.certificates}/authority-key.pem", "-set_serial", str(days), "-days", str(days), "-extfile", rest]):
            made = subprocess.run(["openssl", *words], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        with open(path, "ab") as file:
            file.write(made)
        return path

    def client(self, name, place=None):
        return Client(self.tls, f"{self.certificates}/authority.pem", name and f"{place or self.certificates}/{name}.pem")


@pytest.fixture(scope="module")
def cluster(build):
    if not os.environ.get("KAFKA_HOME"):
        pytest.skip("an Apache Kafka in KAFKA_HOME would run this: the development broker knows no certificates")
    with tempfile.TemporaryDirectory(prefix="mm-access-") as folder:
        cluster = Cluster(build, folder)
        try:
            for service in SERVICES:
                code, said = cluster.service(service, "topics", KAFKA_BOOTSTRAP_SERVERS=cluster.operators, KAFKA_ACCESS_CONTROL="true")
                assert code == 0, said
            yield cluster
        finally:
            cluster.end()


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_finds_what_it_needs_with_its_certificate(cluster, service):
    assert cluster.findings(service, **cluster.as_client(service)) == {}


def test_without_a_certificate_nothing_is_found(cluster):
    assert "kafka" in cluster.findings("quota", KAFKA_SECURITY="plaintext")


def test_a_strangers_certificate_is_refused(cluster):
    settings = {**cluster.as_client("quota", cluster.strangers), "KAFKA_AUTHORITY_FILE": f"{cluster.certificates}/authority.pem"}
    assert "kafka" in cluster.findings("quota", **settings)


def test_a_broker_of_another_authority_is_not_believed(cluster):
    settings = {**cluster.as_client("quota"), "KAFKA_AUTHORITY_FILE": f"{cluster.strangers}/authority.pem"}
    assert "kafka" in cluster.findings("quota", **settings)


def test_a_certificate_that_cannot_be_read_is_named(cluster):
    settings = {**cluster.as_client("quota"), "KAFKA_CERTIFICATE_FILE": "/dev/null"}
    assert {"kafka-certificate", "kafka"} <= set(cluster.findings("quota", **settings))


@pytest.mark.parametrize("password, place, finds", [
    (PASSWORD, "certificates", set()), ("another one of quota", "certificates", {"kafka"}), (PASSWORD, "strangers", {"kafka"})])
def test_a_password_does_for_a_certificate_at_a_broker_that_is_believed(cluster, password, place, finds):
    """As brokers of others have it: SASL/PLAIN over TLS."""
    settings = {"KAFKA_SECURITY": "sasl", "KAFKA_USER": "quota", "KAFKA_PASSWORD": password, "KAFKA_BOOTSTRAP_SERVERS": cluster.passwords,
                "KAFKA_AUTHORITY_FILE": os.path.join(getattr(cluster, place), "authority.pem")}
    assert set(cluster.findings("quota", **settings)) == finds


@pytest.mark.parametrize("days, named", [(20, True), (40, False)])
def test_a_certificate_is_named_a_month_before_its_end(cluster, tmp_path, days, named):
    found = cluster.findings("quota", **cluster.as_client("quota") | {"KAFKA_CERTIFICATE_FILE": cluster.certificate("quota", days, tmp_path)})
    assert set(found) == ({"kafka-certificate"} if named else set()), "and it opens what the one before opened"
    assert not named or "ends in 19 days" in found["kafka-certificate"] or "ends in 20 days" in found["kafka-certificate"], found


def test_another_services_certificate_opens_only_what_is_granted_to_that_one(cluster):
    found = cluster.findings("reporting", **cluster.as_client("quota"))
    assert set(found) == {"topic"}, "quota does not see analysis' topic"


@pytest.mark.parametrize("name", [*SERVICES, "tools"])
def test_nobody_writes_into_anothers_topic(cluster, name):
    said = {service: cluster.client(name).write(topic(service)) for service in SERVICES}
    assert said == {service: None if service == name else "TOPIC_AUTHORIZATION_FAILED" for service in SERVICES}


@pytest.mark.parametrize("name", [*SERVICES, "tools"])
def test_nobody_reads_what_is_not_meant_for_them(cluster, name):
    said = {service: cluster.client(name).read(topic(service)) == "TOPIC_AUTHORIZATION_FAILED" for service in SERVICES}
    assert said == {service: service != name and service not in READS[name] for service in SERVICES}


@pytest.mark.parametrize("name", [*SERVICES, "tools"])
def test_nobody_joins_anothers_group(cluster, name):
    client = cluster.client(name)
    readable = topic(READS[name][0])
    said = {service: client.read(readable, group=f"mirrormate.{service}") == "GROUP_AUTHORIZATION_FAILED" for service in SERVICES}
    assert said == {service: service != name for service in SERVICES}


@pytest.mark.parametrize("name", [None, "quota"])
def test_a_stranger_does_nothing(cluster, name):
    assert cluster.client(name, cluster.strangers).write(topic("quota")) == "_SSL"


def test_topics_keep_all_that_was_ever_said_as_the_brokers_tell(cluster):
    admin = AdminClient({"bootstrap.servers": cluster.operators, "log_level": 0})
    asked = admin.describe_configs([ConfigResource(ConfigResource.Type.TOPIC, topic(service)) for service in SERVICES])
    kept = {"retention.ms": "-1", "retention.bytes": "-1", "cleanup.policy": "delete"}
    told = {one.name: {name: entry.value for name, entry in answer.result(60).items() if name in kept} for one, answer in asked.items()}
    assert told == {topic(service): kept for service in SERVICES}


class Rights:
    """What the brokers say a client may do, and an operator who changes it."""

    def __init__(self, cluster):
        self.admin = AdminClient({"bootstrap.servers": cluster.operators, "log_level": 0})

    def held(self, client):
        found = self.admin.describe_acls(AclBindingFilter(
            ResourceType.ANY, None, ResourcePatternType.ANY, f"User:{client}", None, AclOperation.ANY, AclPermissionType.ANY)).result(60)
        return {(one.restype, one.name, one.resource_pattern_type, one.host, one.operation, one.permission_type) for one in found}

    def give(self, client, *rights):
        for ended in self.admin.create_acls([AclBinding(*one[:3], f"User:{client}", *one[3:]) for one in rights]).values():
            ended.result(60)

    def take(self, client, *rights):
        for ended in self.admin.delete_acls([AclBindingFilter(*one[:3], f"User:{client}", *one[3:]) for one in rights]).values():
            ended.result(60)


def right(kind, name, operation, pattern=ResourcePatternType.LITERAL, host="*", permission=AclPermissionType.ALLOW):
    return kind, name, pattern, host, operation, permission


# Of a version before, or by hand.
UNDECLARED = [
    right(ResourceType.TOPIC, topic("analysis"), AclOperation.READ), right(ResourceType.TOPIC, topic("identity"), AclOperation.WRITE),
    right(ResourceType.TOPIC, topic("quota"), AclOperation.DELETE), right(ResourceType.TOPIC, "*", AclOperation.READ),
    right(ResourceType.TOPIC, "mirrormate.", AclOperation.ALL, ResourcePatternType.PREFIXED),
    right(ResourceType.TOPIC, topic("reporting"), AclOperation.READ, host="10.0.0.1"),
    right(ResourceType.GROUP, "mirrormate.sessions", AclOperation.READ), right(ResourceType.BROKER, "kafka-cluster", AclOperation.ALTER),
]


def test_a_right_that_a_service_no_longer_declares_is_taken_away(cluster):
    rights = Rights(cluster)
    declared = {name: rights.held(name) for name in [*SERVICES, "tools"]}
    assert len(declared["quota"]) == 3 + len(READS["quota"]), "its topic, written and read, its group, and what it reads"
    denied = right(ResourceType.TOPIC, topic("sessions"), AclOperation.WRITE, permission=AclPermissionType.DENY)
    of_tools = right(ResourceType.TOPIC, topic("quota"), AclOperation.WRITE)
    try:
        rights.give("quota", denied, *UNDECLARED)
        rights.give("sessions", UNDECLARED[1])
        rights.give("tools", of_tools)
        # The controller says yes before the brokers know.
        wait("it is given", lambda: rights.held("quota") == declared["quota"] | {denied, *UNDECLARED})
        wait("the tools' too", lambda: rights.held("tools") == declared["tools"] | {of_tools})
        found = cluster.findings("quota", **cluster.as_client("quota"))
        assert set(found) == {"kafka-rights"} and topic("analysis") in found["kafka-rights"], found
        code, said = cluster.service("quota", "topics", KAFKA_BOOTSTRAP_SERVERS=cluster.operators, KAFKA_ACCESS_CONTROL="true")
        assert code == 0, said
        wait("all of it is taken, and what somebody denied it stays denied", lambda: rights.held("quota") == declared["quota"] | {denied})
        wait("the tools read", lambda: rights.held("tools") == declared["tools"])
        assert rights.held("sessions") == declared["sessions"] | {UNDECLARED[1]}, "another service's are that one's own affair"
        assert cluster.findings("quota", **cluster.as_client("quota")) == {}
        assert said.count("nobody declares") == 2 and topic("analysis") in said, f"it is told: {said}"
    finally:
        rights.take("quota", denied, *UNDECLARED)
        rights.take("sessions", UNDECLARED[1])
        rights.take("tools", of_tools)


def test_operators_cannot_forget_the_rights(cluster):
    code, said = cluster.service("quota", "topics", KAFKA_BOOTSTRAP_SERVERS=cluster.operators, KAFKA_ACCESS_CONTROL="true")
    assert code == 0, f"granting again changes nothing: {said}"
    code, said = cluster.service("quota", "topics", KAFKA_ACCESS_CONTROL="true", **cluster.as_client("quota"))
    assert code == 1, f"a service grants itself nothing: {said}"
