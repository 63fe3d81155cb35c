"""The media helper behind a socket, as it runs in a container of its own: the same answers, and nothing is left of whoever goes away."""
import collections
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import tempfile

import pytest

from support import captured, samples
from support.processes import family, is_running
from support.waiting import wait

Told = collections.namedtuple("Told", "code lines")


class Server:
    """`mirrormate-media serve` with a socket and a scratch folder of its own, and the client that asks it."""

    def __init__(self, build, models, folder, path=None):
        self.helper = os.path.join(build, "mirrormate-media")
        self.client = os.path.join(build, "mirrormate-media-client")
        self.models = models or str(folder)
        self.folder = folder
        self.scratch = os.path.join(folder, "scratch")
        os.makedirs(self.scratch, exist_ok=True)
        # The path of a socket has at most 107 bytes.
        self.place = tempfile.mkdtemp(prefix="mm-")
        self.socket = os.path.join(self.place, "socket")
        self.environment = {"PATH": path or os.environ["PATH"]}
        self.process = None

    def start(self, *more):
        self.process = subprocess.Popen(
            [self.helper, "serve", "--socket", self.socket, "--models", self.models, "--scratch", self.scratch, *more],
            env=self.environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        wait("the server answers", lambda: self.ask("version").code == 0)

    def end(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        self.process.wait(20)
        self.process.stderr.close()

    def words(self, command, *more):
        return [self.client, command, "--socket", self.socket, *more]

    def ask(self, command, *more):
        done = subprocess.run(self.words(command, *more), stdin=subprocess.DEVNULL, capture_output=True, timeout=500, check=False)
        assert done.stderr == b""
        return Told(done.returncode, [json.loads(line) for line in done.stdout.splitlines()])

    def analyze(self, name, *more):
        return self.ask("analyze", "--input", os.path.join(self.folder, name), *more)

    def runs(self):
        return os.listdir(self.scratch)

    def processes(self):
        """The processes below the server."""
        found, parents = [], [self.process.pid]
        while parents:
            try:
                children = family(parents[0])[1:]
            except FileNotFoundError:
                children = []
            found += children
            parents = parents[1:] + children
        return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("serve")
    samples.make_all(path)
    return str(path)


@pytest.fixture
def make_server(build, models, folder):
    made = []

    def make(path=None, *more):
        made.append(Server(build, models, folder, path))
        made[-1].start(*more)
        return made[-1]
    yield make
    for one in made:
        if one.process.poll() is None:
            one.end()
        shutil.rmtree(one.place)


@pytest.fixture
def server(make_server):
    return make_server()


def directly(server, name):
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(
            [server.helper, "analyze", "--input", os.path.join(server.folder, name), "--models", server.models, "--scratch", scratch],
            stdin=subprocess.DEVNULL, capture_output=True, timeout=500, check=False)
    return Told(done.returncode, [json.loads(line) for line in done.stdout.splitlines()])


def test_a_video_is_measured_as_by_the_helper_itself(server):
    told, own = server.analyze("speech.mp4"), directly(server, "speech.mp4")
    assert told.code == own.code == 0 and told.lines[-1] == own.lines[-1] and "result" in own.lines[-1]
    # Sound and picture are measured beside each other, so their stages come in either order.
    assert sorted(map(str, told.lines)) == sorted(map(str, own.lines))
    assert server.runs() == [], "nothing is left"


@pytest.mark.parametrize("name", ["random.mp4", "short.mp4", "empty.mp4"])
def test_a_refusal_is_the_same_with_the_same_exit_code(server, name):
    told = server.analyze(name)
    assert told == directly(server, name) and told.code == 3


def test_the_longest_length_is_passed_on(server):
    assert server.analyze("speech.mp4", "--max-seconds", "5").lines[-1]["error"]["code"] == "too-long"


def test_the_sound_is_taken_out_as_by_the_helper_itself(server):
    told = server.ask("sound", "--input", os.path.join(server.folder, "speech.mp4"))
    assert told.code == 0 and told.lines[-1]["result"]["durationMs"] > 3000 and told.lines[-1]["result"]["ogg"]
    assert server.ask("sound", "--input", os.path.join(server.folder, "short.mp4")).code == 3
    assert server.runs() == [], "nothing is left"


def test_pictures_are_taken_out_as_by_the_helper_itself(server):
    told = server.ask("frames", "--input", os.path.join(server.folder, "speech.mp4"))
    assert told.code == 0 and len(told.lines[-1]["result"]["frames"]) == 8
    assert server.ask("frames", "--input", os.path.join(server.folder, "short.mp4")).code == 3
    assert server.runs() == [], "nothing is left"


def test_words_of_somebody_else_are_handed_over_with_the_video(server, tmp_path):
    (tmp_path / "words").write_text("someone\nmodel\n0 300 hello\n400 700 there\n")
    told = server.analyze("speech.mp4", "--words", str(tmp_path / "words"))
    assert told.code == 0 and told.lines[-1]["result"]["engines"]["asr"] == "someone"
    (tmp_path / "words").write_text("nothing of that form")
    assert server.analyze("speech.mp4", "--words", str(tmp_path / "words")).lines[-1]["error"]["code"] == "internal"
    assert server.analyze("speech.mp4", "--words", str(tmp_path / "none")).code not in (0, 3, 4)
    assert server.runs() == [], "nothing is left"


def test_the_engines_are_told(server):
    assert "ffmpeg" in json.dumps(server.ask("version").lines)


def test_a_file_in_a_folder_that_is_closed_to_the_server_is_measured(build, models, folder, make_server):
    if os.geteuid() != 0:
        pytest.skip("needs root, to start the server as somebody else")
    server = make_server()
    with tempfile.TemporaryDirectory() as closed:
        shutil.copy(os.path.join(folder, "speech.mp4"), closed)
        os.chmod(os.path.join(closed, "speech.mp4"), 0o400)
        assert server.ask("analyze", "--input", os.path.join(closed, "speech.mp4")).code == 0


def test_several_are_measured_at_once(server):
    asked = [subprocess.Popen(server.words("analyze", "--input", os.path.join(server.folder, "speech.mp4")),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) for _ in range(4)]
    results = [json.loads(one.communicate(timeout=500)[0].splitlines()[-1]) for one in asked]
    assert all(result == results[0] and "result" in result for result in results)
    assert server.runs() == []


@pytest.fixture
def make_slow(make_server):
    """Makes a server with an ffmpeg that works until it is ended."""
    place = tempfile.mkdtemp(prefix="mirrormate-slow-")
    os.chmod(place, 0o755)
    captured.program(os.path.join(place, "ffprobe"), "PROBE")
    captured.program(os.path.join(place, "ffmpeg"), "DEED=SLEEP", 'TARGET=""')
    yield lambda *more: make_server(place, *more)
    shutil.rmtree(place)


@pytest.fixture
def slow(make_slow):
    return make_slow()


def begun(server):
    client = subprocess.Popen(server.words("analyze", "--input", os.path.join(server.folder, "speech.mp4")),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    wait("it is measured", lambda: len(server.processes()) >= 2)
    return client


def test_a_run_ends_with_its_client_and_leaves_nothing(slow):
    client = begun(slow)
    client.kill()
    client.communicate()
    wait("the run and its ffmpeg are gone", lambda: slow.processes() == [] and slow.runs() == [], within=5)


def test_whoever_asks_hears_that_a_run_was_killed(slow):
    client = begun(slow)
    os.kill(slow.processes()[0], signal.SIGKILL)
    client.communicate(timeout=60)
    assert client.returncode not in (0, 3, 4), "a crash, to be tried again"
    wait("nothing is left", lambda: slow.processes() == [] and slow.runs() == [], within=5)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_all_runs_end_with_the_server_and_the_next_one_takes_its_place(slow, how):
    client = begun(slow)
    running = slow.processes()
    slow.end(how)
    client.communicate(timeout=60)
    assert client.returncode not in (0, 3, 4)
    wait("no process is left", lambda: not any(map(is_running, running)), within=5)
    slow.environment = {"PATH": os.environ["PATH"]}
    slow.start()
    assert slow.runs() == [] and slow.analyze("speech.mp4").code == 0


def test_a_client_waits_for_a_server_that_is_about_to_start(server):
    server.end(signal.SIGKILL)
    early = subprocess.Popen(server.words("version"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    server.start()
    early.communicate(timeout=120)
    assert early.returncode == 0


def test_a_health_check_starts_nothing(server):
    before = server.processes()
    assert server.ask("reach") == Told(0, []) and server.processes() == before == []


@pytest.mark.parametrize("command", ["version", "reach"])
def test_a_client_without_a_server_says_so(server, command):
    server.end()
    assert server.ask(command).code == 69


def test_a_second_server_does_not_take_the_socket(server):
    second = subprocess.run([server.helper, "serve", "--socket", server.socket, "--models", "/", "--scratch", server.scratch],
                            capture_output=True, timeout=80, check=False)
    assert second.returncode == 4 and b"--socket" in second.stderr
    assert server.ask("version").code == 0


@pytest.mark.parametrize("request_", [b"analyze 95\n", b"analyze -1\n", b"analyze x\n", b"delete\n", b"\n", b"", b"version", b"A" * 5000])
def test_what_is_no_request_is_hung_up_on(server, request_):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(10)
        connection.connect(server.socket)
        connection.sendall(request_)
        connection.shutdown(socket.SHUT_WR)
        try:
            assert connection.recv(100) == b""
        except ConnectionResetError:
            pass
    assert server.ask("version").code == 0 and server.runs() == []


def test_the_socket_is_for_its_user_and_group_alone(server):
    assert os.stat(server.socket).st_mode & 0o777 == 0o660


@pytest.fixture
def connect(server):
    """Connects, and says nothing."""
    opened = []

    def make():
        opened.append(socket.socket(socket.AF_UNIX))
        opened[-1].settimeout(20)
        opened[-1].connect(server.socket)
        return opened[-1]
    yield make
    for one in opened:
        one.close()


def is_hung_up(connection):
    """Whether the server has closed its end."""
    events = select.poll()
    events.register(connection, select.POLLRDHUP)
    return bool(events.poll(0))


@pytest.mark.parametrize("count", [10, 100])
def test_those_who_say_nothing_keep_nobody_out(server, connect, count):
    silent = []

    def is_answered_before_they_are_gone():
        silent[:] = [connect() for _ in range(count)]
        assert server.ask("version").code == 0
        return not is_hung_up(silent[-min(count, 50)])
    # A server that listened to one after the other would fail each time; a busy machine may need a second try.
    wait("who asks behind them is answered while they are still silent", is_answered_before_they_are_gone, within=60)
    for one in silent:
        try:
            assert one.recv(100) == b"", "and each is hung up on"
        except ConnectionResetError:
            pass


def test_one_who_never_listens_keeps_nobody_out(server, connect):
    deaf = connect()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    deaf.sendall(b"version\n")
    wait("it is answered", lambda: server.processes() == [])
    assert server.ask("version").code == 0


def test_who_asks_while_all_places_are_taken_waits_for_one(make_slow):
    server = make_slow("--at-once", "1")
    first = begun(server)
    second = subprocess.Popen(server.words("analyze", "--input", os.path.join(server.folder, "speech.mp4")),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    third = subprocess.Popen(server.words("version"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    with socket.socket(socket.AF_UNIX) as connection:
        # Behind them, so they have been heard, too.
        connection.settimeout(20)
        connection.connect(server.socket)
        assert connection.recv(100) == b""
    runs = server.runs()
    assert len(runs) == 1 and second.poll() is None and third.poll() is None
    # Who goes away while waiting is forgotten.
    second.kill()
    second.communicate()
    first.kill()
    first.communicate()
    third.communicate(timeout=60)
    assert third.returncode == 0
    wait("nothing is left", lambda: server.processes() == [] and server.runs() == [], within=5)


def told(server, request_, file):
    """What is said to whoever hands over this descriptor."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(20)
        connection.connect(server.socket)
        socket.send_fds(connection, [request_], [file])
        text = b""
        while part := connection.recv(1000):
            text += part
    return text


@pytest.mark.parametrize("request_", [b"analyze 95\n", b"photo png 1\n"])
def test_what_is_no_plain_file_is_not_read(server, request_):
    for file in os.pipe(), (os.open("/dev/zero", os.O_RDONLY),), (os.open("/", os.O_RDONLY),):
        try:
            assert told(server, request_, file[0]) == b'{"exit":4}\n'
        finally:
            for one in file:
                os.close(one)
    assert server.runs() == []


def test_what_is_too_large_is_not_copied(make_server):
    server = make_server(None, "--largest", "1000")
    assert server.analyze("speech.mp4") == Told(4, []) and server.runs() == []
    with tempfile.TemporaryFile() as picture:
        picture.truncate((8 << 20) + 1)
        assert told(server, b"photo png 1\n", picture.fileno()) == b'{"exit":4}\n'
        picture.truncate(8 << 20)
        assert b'"unreadable"' in told(server, b"photo png 1\n", picture.fileno())


@pytest.mark.parametrize("more", [["--at-once", "0"], ["--at-once", "65"], ["--largest", "0"], ["--largest", "x"]])
def test_a_server_without_places_or_files_does_not_start(server, more):
    done = subprocess.run([server.helper, "serve", "--socket", server.socket + "-", "--models", "/", "--scratch", server.scratch, *more],
                          capture_output=True, timeout=80, check=False)
    assert done.returncode == 2 and b"usage" in done.stderr
