"""`mirrormate bucket` on a real S3 server: each service's user does what the service declares, and nothing else."""
import os
import subprocess
import tempfile

import pytest

from support.deployment import free_port
from support.s3_requests import send
from support.waiting import wait

OWNER, BUCKET = "owner", "/recordings"
SECRETS = {name: f"a long secret of {name}".replace(" ", "-") for name in (OWNER, "identity", "sessions", "quota", "analysis", "reporting")}
PARTS = ["export-identity", "export-sessions", "export-quota", "export-reporting"]
FOLDERS = {"identity": PARTS[:1], "sessions": ["uploads", "media", "export-sessions"], "quota": ["export-quota"], "analysis": ["documents"],
           "reporting": ["export-reporting"]}
READS = {"identity": PARTS[:1], "sessions": ["uploads", "media", "export-sessions"], "quota": ["export-quota"],
         "analysis": ["media", "documents"], "reporting": ["documents", *PARTS]}
PLACES = ["uploads", "media", "documents", *PARTS, "elsewhere"]


class Server:
    def __init__(self, folder):
        self.program, self.folder = os.environ["S3_TEST_SERVER"], folder
        self.address = f"127.0.0.1:{free_port()}"
        for name in ("objects", "users"):
            os.makedirs(os.path.join(folder, name))
        self.process = subprocess.Popen(
            [self.program, "--port", self.address, "--iam-dir", f"{folder}/users", "posix", f"{folder}/objects"], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={"ROOT_ACCESS_KEY": OWNER, "ROOT_SECRET_KEY": SECRETS[OWNER], "VGW_QUIET": "true", "PATH": os.environ["PATH"]})
        wait("the server answers", lambda: self.send(OWNER, "GET", "/") == 200)
        for name, secret in SECRETS.items():
            if name != OWNER:
                subprocess.run([self.program, "admin", "--access", OWNER, "--secret", SECRETS[OWNER], "--endpoint-url", f"http://{self.address}",
                                "create-user", "-a", name, "-s", secret, "-r", "user"], check=True, stdout=subprocess.DEVNULL)

    def send(self, user, method, path, **more):
        return send(self.address, user, SECRETS[user], method, path, **more)

    def bucket(self, build, **settings):
        return subprocess.run(
            [os.path.join(build, "mirrormate"), "bucket"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, timeout=240, check=False,
            env={"PATH": os.environ["PATH"], "OBJECT_STORE": f"s3:/{BUCKET}", "S3_ENDPOINT": f"http://{self.address}",
                 "S3_ACCESS_KEY": OWNER, "S3_SECRET_KEY": SECRETS[OWNER], **settings})


@pytest.fixture(scope="module")
def server(build):
    if not os.environ.get("S3_TEST_SERVER"):
        pytest.skip("a real S3 server would run this: set S3_TEST_SERVER to the program versitygw")
    with tempfile.TemporaryDirectory(prefix="mm-s3-") as folder:
        server = Server(folder)
        try:
            # Once more changes nothing.
            for _ in range(2):
                done = server.bucket(build)
                assert done.returncode == 0, done.stdout
            for place in PLACES:
                assert server.send(OWNER, "PUT", f"{BUCKET}/{place}/first", body=b"there") == 200
            yield server
        finally:
            server.process.terminate()
            server.process.wait(20)


@pytest.mark.parametrize("user", READS)
@pytest.mark.parametrize("place", PLACES)
def test_a_user_reads_what_its_service_declares(server, user, place):
    allowed = place in READS[user]
    assert server.send(user, "GET", f"{BUCKET}/{place}/first") == (200 if allowed else 403)
    assert server.send(user, "HEAD", f"{BUCKET}/{place}/first") == (200 if allowed else 403)


@pytest.mark.parametrize("user", READS)
@pytest.mark.parametrize("place", PLACES)
def test_a_user_writes_and_deletes_only_its_own(server, user, place):
    allowed = place in FOLDERS[user]
    assert server.send(user, "PUT", f"{BUCKET}/{place}/of-{user}", body=b"x") == (200 if allowed else 403)
    assert server.send(user, "DELETE", f"{BUCKET}/{place}/of-{user}") == (204 if allowed else 403)
    if not allowed:
        assert server.send(user, "DELETE", f"{BUCKET}/{place}/first") == 403


def test_nothing_is_copied_out_of_anothers_folder(server):
    source = [("x-amz-copy-source", f"{BUCKET}/documents/first")]
    assert server.send("sessions", "PUT", f"{BUCKET}/uploads/stolen", headers=source) == 403


@pytest.mark.parametrize("user", READS)
def test_nobody_lists_or_changes_the_bucket(server, user):
    assert server.send(user, "GET", BUCKET, query="list-type=2") == 403
    assert server.send(user, "GET", BUCKET, query="location=") == 200, "a service sees that it is there"
    assert server.send(user, "PUT", BUCKET, query="policy=", body=b"{}") == 403
    assert server.send(user, "DELETE", BUCKET) == 403
    assert server.send(user, "PUT", "/another") == 403


def test_rights_are_given_by_the_owner_alone(server, build):
    done = server.bucket(build, S3_ACCESS_KEY="sessions", S3_SECRET_KEY=SECRETS["sessions"])
    assert done.returncode != 0 and "owner" in done.stdout, done.stdout


def test_a_folder_has_no_users(server, build):
    done = server.bucket(build, OBJECT_STORE="file:///tmp")
    assert done.returncode == 3 and "s3://" in done.stdout, done.stdout
