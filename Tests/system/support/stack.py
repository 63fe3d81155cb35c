"""A stack of its own: started by the command line, looked into by psql and kcat, always taken down again."""
import contextlib
import json
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import threading

from support import deaths
from support.places import BINARIES, MODELS, ROOT
from support.programs import SERVICES, Programs
from support.reach import reachable
from support.waiting import wait

# Nobody who tests comes into the limits of signing up, and of analyses from one network.
MANY_PEOPLE = {"LIMIT_SIGN_UP": "100000/1h", "LIMIT_SIGN_IN": "100000/1h", "LIMIT_EMAIL_TAKEN": "100000/1h"}

MANY_ANALYSES = {"NETWORK_ANALYSES": "1000000", "REFUSED_CREATIONS": "1000000", "CONFIRM_ADDRESS": "false"}


class StackError(Exception):
    pass


def data_of(out):
    """What a command says with --json, out of its envelope."""
    document = json.loads(out)
    assert document["version"] == 1 and document["kind"], document
    return document["data"]


class Stack:
    """One state folder, its programs and what runs of it."""

    running = []
    is_over = False
    # Stacks that choose their ports at the same time may choose the same ones.
    _choosing = threading.Lock()
    _listing = threading.Lock()

    def __init__(self, real_kafka=True):
        # Otherwise the development broker, whatever KAFKA_HOME says.
        self.real_kafka = real_kafka
        # The project's folder, as the command line sees it.
        self.home = ROOT
        # Who gives the commands, as an entry of the accounts; None for whoever tests.
        self.user = None
        # What stands in the environment of whoever gives them, besides.
        self.environment = {}
        self.folder = tempfile.mkdtemp(prefix="mirrormate-test-")
        # PostgreSQL runs as another user when root starts it, and must be able to pass.
        os.chmod(self.folder, 0o711)
        self.state = os.path.join(self.folder, "state")
        os.makedirs(self.state)
        # For what services write there, whoever they run as.
        self.marks = os.path.join(self.folder, "marks")
        os.makedirs(self.marks)
        os.chmod(self.marks, 0o1777)
        self.programs = Programs(os.path.join(self.folder, "bin"), BINARIES)
        # What identity was mailing when it was killed is due again at once: a minute would be as long as tests wait.
        self.programs.set("identity", **MANY_PEOPLE, MAIL_RETRY="2s")
        self.programs.set("sessions", **MANY_ANALYSES)
        self.document = {}
        self._kept = {}
        self._closed = False
        self._commands = set()
        self._starting = threading.Lock()
        self._ending = threading.Lock()
        if os.path.isdir(MODELS):
            os.symlink(reachable(MODELS), os.path.join(self.state, "models"))
        with Stack._listing:
            if Stack.is_over:
                shutil.rmtree(self.folder, ignore_errors=True)
                raise StackError("the test is over")
            Stack.running.append(self)

    @classmethod
    def recorded(cls):
        """A stack with a recorded media helper and short leases: a dead worker's job is taken up soon."""
        stack = cls()
        stack.programs.use_recorded_media(True)
        stack.programs.set("analysis", JOB_LEASE="3s")
        return stack

    def belong_to(self, name):
        """Gives the state folder to another user, who from now on gives the commands; for root alone, before the start."""
        self.user = pwd.getpwnam(name)
        # The folder above too, or they could not delete theirs.
        for path in (self.folder, self.state):
            os.chown(path, self.user.pw_uid, self.user.pw_gid)

    @classmethod
    def end(cls):
        """Takes all stacks down; there will be no others. Gives what went wrong."""
        with cls._listing:
            cls.is_over = True
        problems = []
        while cls.running:
            stack = cls.running[0]
            try:
                stack.down()
            except (StackError, OSError, subprocess.SubprocessError) as error:
                problems.append(str(error))
            if stack in cls.running:
                cls.running.remove(stack)
        return problems

    def kept(self, name, make):
        """What is made once for this stack, when it is first wanted."""
        if name not in self._kept:
            self._kept[name] = make()
        return self._kept[name]

    # MARK: the command line

    def command(self, *words, timeout=960, **more):
        """Runs a command to its end: exit code, output and notes."""
        with self.running_command(*words, **more) as running:
            out, notes = running.communicate(timeout=timeout)
        return running.returncode, out, notes

    @contextlib.contextmanager
    def running_command(self, *words, closing=False, state=None, variables=None, program=None, **streams):
        """A command that runs, and is killed in the end when it still does; of another file than the build's with `program`."""
        environment = dict(os.environ, MIRRORMATE_HOME=self.home)
        # Another's Kafka has the topics of another state.
        for name in ("MIRRORMATE_STATE", "KAFKA_BOOTSTRAP_SERVERS", *([] if self.real_kafka else ["KAFKA_HOME"])):
            environment.pop(name, None)
        environment.update(self.environment)
        environment.update(variables or {"NO_COLOR": "1"})
        giver = {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **giver, **streams}
        with self._starting:
            if self._closed and not closing:
                raise StackError("the stack was taken down")
            running = subprocess.Popen(
                [program or os.path.join(BINARIES, "mirrormate"), *words, "--state", state or self.state], env=environment,
                # Ctrl-C is for the test alone, which then takes the stack down.
                text=True, start_new_session=True, **pipes)
            self._commands.add(running)
            deaths.waited_for.add(running.pid)
        try:
            yield running
        finally:
            if running.poll() is None:
                running.kill()
                running.communicate()
            with self._starting:
                self._commands.discard(running)
            deaths.waited_for.discard(running.pid)

    def up(self, instances=None):
        """Starts whatever does not run."""
        # Tests kill, and want to see what follows.
        words = ["up", "--no-restart", "--json", "--bin", self.programs.folder]
        if instances:
            words += ["--instances", str(instances)]
        with contextlib.ExitStack() as held:
            if not self.document:
                held.enter_context(Stack._choosing)
            code, out, notes = self.command(*words)
            if code == 4 and not self.document:
                # Somebody else may have taken a port between its choice and its use.
                code, out, notes = self.command(*words)
        if code != 0:
            raise StackError(f"mirrormate up ended with {code}: {notes[-1500:]}")
        self.document = data_of(out)

    def down(self):
        """Stops everything and deletes the folder; kills what does not stop. A second call waits for the first."""
        with self._ending:
            # An `up` of another thread would start again what is stopped here.
            with self._starting:
                self._closed = True
                for running in self._commands:
                    running.kill()
            if not os.path.exists(self.folder):
                return
            try:
                # Ending in order, it would take most of the time to keep what is deleted next. A supervisor would start it anew.
                if not self.pid("supervisor"):
                    self.kill("kafka")
                code, _, notes = self.command("down", "--erase", "--yes", timeout=480, closing=True)
                if code != 0:
                    raise StackError(f"mirrormate down ended with {code}: {notes[-1500:]}")
            finally:
                for name in self.parts():
                    self.kill(name)
                shutil.rmtree(self.folder, ignore_errors=True)
                if self in Stack.running:
                    Stack.running.remove(self)

    # MARK: processes

    @property
    def url(self):
        return self.document["url"]

    def parts(self):
        """The names of everything that was started."""
        try:
            return [name[:-4] for name in sorted(os.listdir(os.path.join(self.state, "run"))) if name.endswith(".pid")]
        except OSError:
            return []

    def services(self):
        return [part for part in self.parts() if part.split("-")[0] in SERVICES]

    def pid(self, name):
        """The number of a part that runs; None when it does not."""
        try:
            with open(os.path.join(self.state, "run", name + ".pid"), encoding="utf-8") as file:
                number, ticks = file.read().split()[:2]
            with open(f"/proc/{number}/stat", encoding="utf-8", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
        except (OSError, ValueError):
            return None
        return int(number) if fields[19] == ticks and fields[0] not in "XZ" else None

    def environment_of(self, name):
        """The variables that a part which runs was started with."""
        with open(f"/proc/{self.pid(name)}/environ", encoding="utf-8", errors="replace") as file:
            return dict(variable.split("=", 1) for variable in file.read().split("\0") if "=" in variable)

    def kill(self, name, how=signal.SIGKILL):
        """Ends a part, and waits until it has ended. Gives whether it ran."""
        number = self.pid(name)
        if number is None:
            return False
        try:
            os.kill(number, how)
        except ProcessLookupError:
            return False
        wait(f"{name} has ended", lambda: self.pid(name) is None, within=30, every=0.01)
        return True

    # MARK: looking inside

    def sql(self, query, role="postgres", scope=None):
        """Rows of a query as dictionaries; as the administrator, or as a service's login role by its password."""
        wrapped = f"select coalesce(json_agg(one_row), '[]') from ({query}) one_row"
        return json.loads(self.psql(wrapped, role, scope))

    def psql(self, statement, role="postgres", scope=None):
        secret = "db-admin" if role == "postgres" else f"db-{role}"
        with open(os.path.join(self.state, "secrets", secret), encoding="utf-8") as file:
            password = file.read().strip()
        place = self.document["postgres"]
        options = "" if scope is None else f"-c mirrormate.scope={scope}"
        environment = {"PATH": os.environ["PATH"], "PGPASSWORD": password, "PGOPTIONS": options, "LC_ALL": "C"}
        words = ["psql", "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-v", "VERBOSITY=verbose", "-h",
                 place["socket"], "-p", str(place["port"]), "-U", role, "-d", "mirrormate", "-c", statement]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=240, check=False)
        if done.returncode != 0:
            raise StackError(f"psql as {role}: {done.stderr.strip()[:500]}")
        return done.stdout

    def events(self, service, condition):
        """Events of a service's log in order; the condition is SQL over stream, type and data."""
        return self.sql(f"select position, stream, version, type, data from {service}.events where {condition} "
                        "order by position")

    def topics(self):
        """Every record of every topic: (topic, key, headers, value) as text."""
        records = []
        for service in SERVICES:
            done = subprocess.run(
                ["kcat", "-C", "-e", "-q", "-o", "beginning", "-b", self.document["kafka"]["bootstrap"], "-t",
                 f"mirrormate.{service}.v1", "-f", "%t\\x1f%k\\x1f%h\\x1f%s\\x1e"],
                capture_output=True, text=True, timeout=240, check=False)
            if done.returncode != 0:
                raise StackError(f"kcat: {done.stderr.strip()[:500]}")
            records += [tuple(record.split("\x1f")) for record in done.stdout.split("\x1e") if record]
        return records

    def logs(self):
        """The text of every log file by its path within the state folder."""
        found = {}
        for folder, _, names in os.walk(self.state):
            for name in names:
                if name.endswith(".log"):
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8", errors="replace") as file:
                        found[os.path.relpath(path, self.state)] = file.read()
        return found

    def keep_logs(self, folder):
        for name, text in self.logs().items():
            path = os.path.join(folder, os.path.basename(name))
            os.makedirs(folder, exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)

    def last_words(self, name, lines=12):
        return "\n".join(self.logs().get(f"logs/{name}.log", "").splitlines()[-lines:])

    def last_words_of_all(self):
        return "\n".join(f"{name}:\n{self.last_words(name)}" for name in self.parts())
