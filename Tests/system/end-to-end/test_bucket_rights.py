"""`mirrormate bucket` on a real S3 server: each service's user does what the service declares, and nothing else."""
import base64
import glob
import hashlib
import http.server
import os
import ssl
import subprocess
import tempfile
import threading

import pytest

from support import places
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


def bucket(build, endpoint, **settings):
    """What comes of `mirrormate bucket`."""
    return subprocess.run(
        [os.path.join(build, "mirrormate"), "bucket"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, timeout=240, check=False,
        env={"PATH": os.environ["PATH"], "OBJECT_STORE": f"s3:/{BUCKET}", "S3_ENDPOINT": endpoint,
             "S3_ACCESS_KEY": OWNER, "S3_SECRET_KEY": SECRETS[OWNER], **settings})


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

    def kept(self, key):
        with open(os.path.join(self.folder, "objects", BUCKET[1:], key), "rb") as file:
            return file.read()

    def bucket(self, build, **settings):
        return bucket(build, f"http://{self.address}", **settings)


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


@pytest.mark.parametrize("method, path, query", [
    ("GET", "documents/first", "acl="), ("GET", "documents/first", "tagging="), ("PUT", "documents/first", "acl="),
    ("DELETE", "documents/first", "tagging="), ("POST", "documents/begun", "uploads="),
    ("POST", "documents/first", "select=&select-type=2"), ("POST", "documents/first", "restore="),
    ("GET", "uploads/../documents/first", ""), ("GET", "uploads/%2e%2e/documents/first", ""), ("GET", "/documents/first", ""),
    ("PUT", "uploads/%2e%2e/documents/first", ""), ("PUT", "uploads/..%2fdocuments/first", ""),
])
def test_no_other_way_leads_into_anothers_folder(server, method, path, query):
    assert server.send("sessions", method, f"{BUCKET}/{path}", query=query, body=b"another" if method == "PUT" else b"") == 403
    assert server.kept("documents/first") == b"there"


def test_a_list_of_objects_to_delete_takes_ones_own_alone(server):
    for place in ("uploads", "documents"):
        assert server.send(OWNER, "PUT", f"{BUCKET}/{place}/listed", body=b"there") == 200
    listed = b"".join(b"<Object><Key>%s/listed</Key></Object>" % place for place in (b"uploads", b"documents"))
    body = b'<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/">' + listed + b"</Delete>"
    digest = base64.b64encode(hashlib.md5(body).digest()).decode()
    server.send("sessions", "POST", BUCKET, query="delete=", body=body, headers=[("content-md5", digest)])
    assert server.send(OWNER, "HEAD", f"{BUCKET}/uploads/listed") == 404, "so the list was read"
    assert server.kept("documents/listed") == b"there"


def test_no_part_of_an_upload_is_copied_out_of_anothers_folder(server):
    def begun():
        return set(glob.glob(f"{server.folder}/objects{BUCKET}/.sgwtmp/multipart/*/*"))
    before = begun()
    assert server.send("sessions", "POST", f"{BUCKET}/uploads/parts", query="uploads=") == 200
    (upload,) = begun() - before
    for source, expected in (("uploads/first", 200), ("documents/first", 403)):
        said = server.send("sessions", "PUT", f"{BUCKET}/uploads/parts", query=f"partNumber=1&uploadId={os.path.basename(upload)}",
                           headers=[("x-amz-copy-source", f"{BUCKET}/{source}")])
        assert said == expected, source


@pytest.mark.parametrize("user", READS)
def test_nobody_lists_or_changes_the_bucket(server, user):
    assert server.send(user, "GET", BUCKET, query="list-type=2") == 403
    assert server.send(user, "GET", BUCKET, query="location=") == 200, "a service sees that it is there"
    assert server.send(user, "PUT", BUCKET, query="policy=", body=b"{}") == 403
    assert server.send(user, "DELETE", BUCKET) == 403
    assert server.send(user, "PUT", "/another") == 403


@pytest.mark.parametrize("words", [
    ["list-users"], ["list-buckets"], ["create-user", "-a", "another", "-s", "a-long-secret-of-another", "-r", "admin"],
    ["update-user", "-a", "sessions", "-r", "admin"], ["update-user", "-a", "identity", "-s", "a-long-secret-of-nobody"],
    ["delete-user", "-a", "identity"], ["change-bucket-owner", "-b", BUCKET[1:], "-o", "sessions"],
])
def test_no_service_manages_users_or_buckets(server, words):
    done = subprocess.run([server.program, "admin", "--access", "sessions", "--secret", SECRETS["sessions"],
                           "--endpoint-url", f"http://{server.address}", *words],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode != 0 and "identity" not in done.stdout, done
    assert server.send("identity", "GET", f"{BUCKET}/export-identity/first") == 200, "it is there, with its secret"
    assert server.send("sessions", "GET", f"{BUCKET}/documents/first") == 403


def test_rights_are_given_by_the_owner_alone(server, build):
    done = server.bucket(build, S3_ACCESS_KEY="sessions", S3_SECRET_KEY=SECRETS["sessions"])
    assert done.returncode != 0 and "owner" in done.stdout, done.stdout


def test_a_folder_has_no_users(server, build):
    done = server.bucket(build, OBJECT_STORE="file:///tmp")
    assert done.returncode == 3 and "s3://" in done.stdout, done.stdout


# MARK: TLS

class Listener(http.server.BaseHTTPRequestHandler):
    """Takes whatever it is asked for."""
    protocol_version = "HTTP/1.1"

    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.asked.append(self.command)
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_HEAD = do_PUT = answer

    def log_message(self, *_):
        """Nothing."""


@pytest.fixture(scope="module")
def authorities():
    """Folders with certificates of two authorities."""
    with tempfile.TemporaryDirectory(prefix="mm-s3-tls-") as folder:
        made = [os.path.join(folder, name) for name in ("ours", "others")]
        for one in made:
            subprocess.run([os.path.join(places.ROOT, "infra", "certificates"), one], check=True, stdout=subprocess.DEVNULL)
        yield made


@pytest.mark.parametrize("host, believed, hears", [("localhost", 0, True), ("localhost", 1, False), ("127.0.0.2", 0, False)])
def test_a_server_hears_something_only_with_the_certificate_that_it_should_have(build, authorities, host, believed, hears):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(authorities[0], "broker.pem"))
    with http.server.ThreadingHTTPServer(("", 0), Listener) as server:
        server.asked = []
        server.daemon_threads, server.handle_error = True, lambda *_: None
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        done = bucket(build, f"https://{host}:{server.server_port}", SSL_CERT_FILE=os.path.join(authorities[believed], "authority.pem"))
        server.shutdown()
    assert (done.returncode == 0, "PUT" in server.asked) == (hears, hears), (done.stdout, server.asked)
    assert hears or server.asked == [], "not even a signature"
