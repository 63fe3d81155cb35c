"""A PostgreSQL with a certificate: a service that is told to verify talks to that server and to no other; and what `check` says of ways
that nobody protects."""
import glob
import hashlib
import json
import os
import pwd
import subprocess
import tempfile

import pytest

from support import places
from support.deployment import free_port
from support.waiting import wait


class Server:
    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        self.programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
        self.data = os.path.join(folder, "data")
        for place in ("ours", "others"):
            subprocess.run([os.path.join(places.ROOT, "infra", "certificates"), os.path.join(folder, place)], check=True,
                           stdout=subprocess.DEVNULL)
        self.user = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
        with open(os.path.join(folder, "ours", "broker.pem"), encoding="ascii") as both, \
                open(os.path.join(folder, "server.pem"), "w", encoding="ascii") as file:
            file.write(both.read())
        os.chmod(os.path.join(folder, "server.pem"), 0o600)
        if self.user:
            os.chmod(folder, 0o755)
            os.makedirs(self.data)
            for path in (self.data, os.path.join(folder, "server.pem")):
                os.chown(path, self.user.pw_uid, self.user.pw_gid)
        self.run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust")
        self.process = self.popen(
            "postgres", "-D", self.data, "-p", str(self.port), "-c", "listen_addresses=127.0.0.1,127.0.0.2", "-c", "unix_socket_directories=",
            "-c", "ssl=on", "-c", f"ssl_cert_file={folder}/server.pem", "-c", f"ssl_key_file={folder}/server.pem", "-c", "fsync=off")

    def identity(self):
        return {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}

    def run(self, program, *words):
        subprocess.run([os.path.join(self.programs, program), *words], check=True, stdout=subprocess.DEVNULL, cwd="/", **self.identity())

    def popen(self, program, *words):
        return subprocess.Popen([os.path.join(self.programs, program), *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, cwd="/", **self.identity())

    def authority(self, place):
        return os.path.join(self.folder, place, "authority.pem")

    def end(self):
        self.process.terminate()
        self.process.wait(20)


@pytest.fixture(scope="module")
def server():
    with tempfile.TemporaryDirectory(prefix="mm-tls-") as folder:
        server = Server(folder)
        yield server
        server.end()


@pytest.fixture
def findings(build, server):
    """What `check` of a service finds of the database."""
    def find(**settings):
        done = subprocess.run(
            [os.path.join(build, "quota"), "check"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, timeout=360, check=False,
            env={"PATH": os.environ["PATH"], "LOG_LEVEL": "error", "DATABASE_HOST": "localhost", "DATABASE_PORT": str(server.port),
                 "DATABASE_NAME": "postgres", "DATABASE_USER": "postgres", "DATABASE_PASSWORD": "is not asked for",
                 "KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:1", "KAFKA_KIND": "development", **settings})
        found = {one["code"]: one["message"] for one in json.loads(done.stdout.splitlines()[-1])["findings"]}
        return {code: text for code, text in found.items() if code.startswith(("database", "migrations"))}
    wait("the server answers", lambda: "migrations" in find(), within=30)
    return find


def test_the_server_with_the_right_certificate_is_talked_to(findings, server):
    found = findings(DATABASE_TLS="verify", DATABASE_AUTHORITY_FILE=server.authority("ours"))
    assert set(found) == {"migrations"}, "it is reached; its schema is empty"


def test_a_certificate_of_another_authority_is_refused(findings, server):
    found = findings(DATABASE_TLS="verify", DATABASE_AUTHORITY_FILE=server.authority("others"))
    assert set(found) == {"database-certificate"}, found


def test_a_certificate_for_another_name_is_refused(findings, server):
    found = findings(DATABASE_TLS="verify", DATABASE_AUTHORITY_FILE=server.authority("ours"), DATABASE_HOST="127.0.0.2")
    assert set(found) == {"database-certificate"} and "127.0.0.2" in found["database-certificate"], found


def codes(build, **settings):
    """What `check` finds. Nothing need answer."""
    done = subprocess.run(
        [os.path.join(build, "quota"), "check"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, timeout=360, check=False,
        env={"PATH": os.environ["PATH"], "LOG_LEVEL": "error", "DATABASE_HOST": "/nowhere", "DATABASE_PASSWORD": "is not asked for",
             "KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:1", "KAFKA_KIND": "development", **settings})
    report = next(line for line in done.stdout.splitlines() if '"findings"' in line)
    return [one["code"] for one in json.loads(report)["findings"]]


@pytest.mark.parametrize("settings, named", [
    ({"DATABASE_HOST": "database.invalid"}, ["database-open"]),
    ({"DATABASE_HOST": "database.invalid", "DATABASE_TLS": "verify", "DATABASE_AUTHORITY_FILE": "/dev/null"}, []),
    ({"DATABASE_HOST": "postgres"}, []),
    ({"DATABASE_HOST": "127.0.0.1", "DATABASE_PORT": "1"}, []),
    ({"S3_ENDPOINT": "http://objects.invalid:9000"}, ["objects-open"]),
    ({"S3_ENDPOINT": "http://[2001:db8::1]:9000"}, ["objects-open"]),
    ({"S3_ENDPOINT": "https://objects.invalid"}, []),
    ({"S3_ENDPOINT": "http://s3:7070"}, []),
    ({"S3_ENDPOINT": "http://127.0.0.1:9000"}, []),
    ({"KAFKA_BOOTSTRAP_SERVERS": "kafka.invalid:9092", "KAFKA_KIND": "apache"}, ["kafka-open"]),
    ({"KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:1", "KAFKA_KIND": "apache"}, []),
])
def test_a_way_that_whoever_sits_between_may_use_is_named(build, settings, named):
    assert [code for code in codes(build, **settings) if code.endswith("-open")] == named


def test_a_service_that_would_take_anybody_for_the_gateway_is_named(build):
    assert "gateway-unknown" in codes(build)
    assert "gateway-unknown" not in codes(build, GATEWAY_KEY_HASH=hashlib.sha256(b"the gateway's").hexdigest())


def test_to_verify_an_authority_is_needed(build):
    done = subprocess.run([os.path.join(build, "quota"), "check"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=240, check=False,
                          env={"DATABASE_HOST": "localhost", "DATABASE_PASSWORD": "is not asked for", "DATABASE_TLS": "verify",
                               "KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:1"})
    assert done.returncode == 3 and "DATABASE_AUTHORITY_FILE" in done.stdout
