"""A copy of the project, deployed with Docker Compose under a name of its own."""
import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time

from support.places import DEMO, ROOT

SERVICES = ["identity", "sessions", "quota", "analysis", "reporting", "notifications"]
NAME = "coach.test"


def read(path):
    with open(path, "rb") as file:
        return file.read()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def resolve_here(name):
    """Lets this process find the deployment's name, as another machine's name server would."""
    real = socket.getaddrinfo
    socket.getaddrinfo = lambda host, *rest, **more: real("127.0.0.1" if host == name else host, *rest, **more)


class Failed(Exception):
    pass


class Deployment:
    def __init__(self):
        # Set by a test that leaves nothing which another one could use.
        self.is_used_up = False
        self.seconds_to_ready = None
        self._kept = {}
        self.folder = tempfile.mkdtemp(prefix="mirrormate-compose-")
        os.chmod(self.folder, 0o755)
        files = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
            capture_output=True).stdout
        packed = subprocess.Popen(
            ["tar", "--null", "--ignore-failed-read", "-T", "-", "-cf", "-"], cwd=ROOT, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        unpacked = subprocess.Popen(["tar", "-xf", "-", "-C", self.folder], stdin=packed.stdout)
        packed.stdin.write(files)
        packed.stdin.close()
        unpacked.wait()
        self.project = f"mm{secrets.token_hex(4)}"
        self.port = free_port()
        self.url = f"https://{NAME}:{self.port}"
        self.environment = {**os.environ, "COMPOSE_PROJECT_NAME": self.project, "METRICS_PORT": str(free_port())}
        # All tests come from one network, with the same few accounts.
        self.environment |= {"NETWORK_ANALYSES": "1000000", "REFUSED_CREATIONS": "1000000", "CONFIRM_ADDRESS": "false"}
        resolve_here(NAME)

    def kept(self, name, make):
        """What is made once for this deployment, when it is first wanted."""
        if name not in self._kept:
            self._kept[name] = make()
        return self._kept[name]

    def run(self, *words, within=300, ok=(0,), input=None):
        """Runs a program in the folder; gives what it wrote."""
        done = subprocess.run(
            words, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=within, **({"stdin": subprocess.DEVNULL} if input is None else {"input": input}), check=False)
        text = done.stdout.decode(errors="replace")
        if ok and done.returncode not in ok:
            raise Failed(f"{' '.join(words)} ended with {done.returncode}:\n{text[-3000:]}")
        return text

    def compose(self, *words, **more):
        return self.run("docker", "compose", *words, **more)

    @property
    def demo(self):
        return self.kept("demo", lambda: read(DEMO))

    @property
    def short(self):
        """Three seconds of the demo video, for when many are sent."""
        return self.kept("short", self._cut)

    def _cut(self):
        path = f"{self.folder}/short.mp4"
        self.run(
            "ffmpeg", "-nostdin", "-v", "error", "-y", "-ss", "4", "-t", "3", "-i", DEMO, "-c:v", "libx264", "-preset",
            "veryfast", "-c:a", "aac", path)
        return read(path)

    @contextlib.contextmanager
    def compose_beside(self, *words):
        """Begins a command of compose and goes on; it is ended with the block."""
        running = subprocess.Popen(
            ["docker", "compose", *words], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield running
        finally:
            if running.poll() is None:
                running.kill()
                running.wait()

    def init(self):
        self.run("infra/init", self.url)
        self.run("infra/local-ca", NAME)

    @property
    def authority(self):
        return f"{self.folder}/secrets/tls/authority.pem"

    def trust(self):
        """Lets this process trust the deployment's certificate, as somebody with its authority would."""
        os.environ["SSL_CERT_FILE"] = self.authority

    def up(self, *words, within=180):
        """Starts everything and waits until it is ready; gives the seconds that it took."""
        begin = time.monotonic()
        self.compose(*words, "up", "-d", "--wait", within=within)
        self.ready(within=within)
        return time.monotonic() - begin

    def ready(self, within=180):
        """Waits until every service that runs is ready; `--wait` waits until they live."""
        running = self.compose("--profile", "scale", "ps", "--services", "--status", "running").split()
        for service in running:
            if service.removesuffix("-2") in SERVICES:
                self.compose("exec", "-T", service, "service", "ready", within=within)

    def containers(self):
        """What `docker inspect` says of every container, by the service's name and number."""
        ids = self.compose("ps", "-a", "-q").split()
        found = json.loads(subprocess.run(
            ["docker", "inspect", *ids], env=self.environment, check=True, capture_output=True).stdout)
        return {one["Config"]["Labels"]["com.docker.compose.service"]: one for one in found}

    def inspect(self, service):
        """What `docker inspect` says of one container."""
        return json.loads(self.docker("inspect", self.name(service)))[0]

    def memory(self):
        """What each container holds in memory now, in one line."""
        names = [self.name(service) for service in self.compose("ps", "--services").split()]
        text = self.docker("stats", "--no-stream", "--format", "{{.Name}} {{.MemUsage}}", *names)
        return "; ".join(line.removeprefix(f"{self.project}-").split(" /")[0] for line in text.splitlines())

    def as_it_stands(self, *words):
        """Runs a command of a runbook; gives exit code, output and nothing, as runbooks want it."""
        done = subprocess.run(
            words, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=1800, text=True, check=False)
        return done.returncode, done.stdout, ""

    def tool(self, *words, **more):
        """Runs a command of `mirrormate` in the tools container."""
        return self.compose("run", "--rm", "-T", "--no-deps", "tools", *words, **more)

    def docker(self, *words, **more):
        return self.run("docker", *words, **more)

    def name(self, service):
        return f"{self.project}-{service}-1"

    def doctor(self, *words, ok=()):
        """What the doctor says with everything started that it needs; `--no-deps` leaves it to what runs."""
        return self.compose("run", "--rm", "-T", *words, "tools", "doctor", ok=ok)

    def sql(self, text):
        """Rows of a statement as the database's owner, one a line, columns with | between."""
        return self.compose(
            "exec", "-T", "postgres", "sh", "-c",
            "PGPASSWORD=$(cat /run/secrets/db-admin) psql -X -q -A -t -v ON_ERROR_STOP=1 -h 127.0.0.1 -U postgres"
            " -d mirrormate -f -", input=text.encode()).strip()

    def last_words_of_all(self):
        return self.compose("ps", "-a", ok=()) + self.compose("logs", "--no-color", "--tail", "15", ok=())[-12000:]

    def remove(self):
        if os.environ.get("SSL_CERT_FILE") == self.authority:
            del os.environ["SSL_CERT_FILE"]
        # Also when a test was stopped while there were no settings.
        self.environment |= {"PUBLIC_URL": self.url, "KAFKA_CLUSTER_ID": "none"}
        self.compose("--profile", "*", "down", "-v", "-t", "5", "--remove-orphans", ok=(), within=600)
        shutil.rmtree(self.folder, ignore_errors=True)
