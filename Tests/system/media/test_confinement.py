"""The media helper with an ffmpeg that somebody has taken over: what it may not do, does not happen, and the attempt has failed."""
import concurrent.futures
import json
import os
import resource
import shutil
import signal
import subprocess
import tempfile
import time

import pytest

from support import captured as programs
from support.processes import family, has_landlock
from support.waiting import wait


@pytest.fixture(scope="module")
def place():
    """A folder that everybody may enter, as the folders of real programs are."""
    folder = tempfile.mkdtemp(prefix="mirrormate-captured-")
    os.chmod(folder, 0o755)
    yield folder
    shutil.rmtree(folder)


class Captured:
    """The helper, an ffprobe that believes everything, and an ffmpeg that tries a deed."""

    def __init__(self, helper, place, folder):
        self.helper, self.place, self.folder = helper, place, folder
        self.input = folder / "any.mp4"
        self.input.write_bytes(b"any" * 1000)

    def programs(self, deed, target, probe):
        """A folder for PATH; without `probe`, ffprobe tries the deed too."""
        path = tempfile.mkdtemp(dir=self.place)
        os.chmod(path, 0o755)
        for name, shape in (("ffprobe", ["PROBE"] if probe else []), ("ffmpeg", [])):
            programs.program(os.path.join(path, name), *shape, f"DEED={deed}", f'TARGET="{target}"')
        return path

    path = ""

    def run(self, deed, target="", probe=True, limit=None, user=None):
        """Its error, or None for a result, and the seconds that it took."""
        self.path = self.programs(deed, target, probe)
        scratch = tempfile.mkdtemp(dir=self.place if user else self.folder)
        if user:
            os.chown(scratch, user, user)
        words = [self.helper, "analyze", "--input", str(self.input), "--models", scratch, "--scratch", scratch]
        began = time.monotonic()
        done = subprocess.run(words, env={"PATH": self.path}, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=480, check=False, preexec_fn=limit, user=user, group=user, extra_groups=[] if user else None)
        self.seconds = time.monotonic() - began
        assert os.listdir(scratch) == [], "nothing is left in the scratch folder"
        return json.loads(done.stdout.splitlines()[-1]).get("error")


@pytest.fixture
def captured(build, place, tmp_path):
    return Captured(os.path.join(build, "mirrormate-media"), place, tmp_path)


def test_what_does_nothing_forbidden_is_measured(captured):
    assert captured.run("NOTHING") is None, "so an error below is one of the deed's"


CALLS = ["SOCKET", "BOMB", "DAEMON", "GROUP", "TRACE", "PEEK", "MOUNT", "NAMESPACE", "RING", "KEYS", "BPF", "ROOT", "LIMITS",
         "OUTLIVE", "OWNER", "PRIORITY", "TERMINAL", "MODE", "TIMES", "TRUNCATE", "ATTRIBUTE"]


@pytest.mark.parametrize("deed", CALLS)
def test_a_call_that_nobody_needs_ends_the_attempt(captured, deed):
    error = captured.run(deed)
    assert error and (error["code"], error["retryable"]) == ("internal", True), error
    assert captured.seconds < 30, "at once"


@pytest.mark.parametrize("deed", ["SOCKET", "BOMB", "DAEMON"])
def test_the_probe_is_held_to_the_same(captured, deed):
    assert captured.run(deed, probe=False)["code"] in ("internal", "unreadable")


@pytest.mark.parametrize("deed", CALLS[:6])
def test_it_is_no_matter_who_starts_it(captured, deed):
    if os.geteuid() != 0:
        pytest.skip("needs root, to start it as somebody else")
    readable_to_all(captured)
    assert captured.run("NOTHING", user=65534) is None
    assert captured.run(deed, user=65534)["code"] == "internal"


def readable_to_all(captured):
    """Copies what a user without rights has to reach out of folders that are closed to it."""
    if not captured.helper.startswith(captured.place):
        captured.helper = shutil.copy(captured.helper, captured.place)
        captured.input = captured.place + "/any.mp4"
        with open(captured.input, "wb") as file:
            file.write(b"any" * 1000)


# MARK: files

@pytest.fixture
def landlock():
    if not has_landlock():
        pytest.skip("this kernel has no Landlock")


@pytest.mark.parametrize("user", [None, 65534])
@pytest.mark.parametrize("target", ["/etc/passwd", "/proc/1/cmdline", "{open}"])
def test_a_file_that_is_not_its_own_is_not_read(landlock, captured, target, user):
    if os.geteuid() == 0:
        readable_to_all(captured)
    elif user:
        pytest.skip("needs root, to start it as somebody else")
    secret = os.path.join(captured.place, "secret")
    with open(secret, "w", encoding="utf-8") as file:
        file.write("everybody may read this")
    os.chmod(secret, 0o644)
    assert captured.run("SECRET", target.format(open=secret), user=user), "Landlock keeps even what everybody may read"


def test_the_helpers_environment_is_not_read(captured):
    assert captured.run("ENVIRONMENT")


def test_nothing_is_written_elsewhere(captured, place):
    target = os.path.join(place, "open-to-all")
    os.makedirs(target, exist_ok=True)
    os.chmod(target, 0o777)
    if not has_landlock() and os.geteuid() == 0:
        pytest.skip("this kernel has no Landlock, and what is open to all is open")
    assert captured.run("WRITE", os.path.join(target, "written")) and os.listdir(target) == []


def test_a_decoder_writes_no_file_of_its_own(landlock, captured):
    assert captured.run("CREATE"), "however many, they would fill the disk"


@pytest.mark.parametrize("deed", ["MODE", "MODE_NEWLY", "TIMES", "TRUNCATE", "ATTRIBUTE"])
def test_a_file_of_the_same_user_stays_as_it_is(captured, deed):
    """Landlock leaves mode, times and attributes to a file's owner, and before its version 3 its length to whoever may write it."""
    user = 65534 if os.geteuid() == 0 else None
    if user:
        readable_to_all(captured)
    path = os.path.join(captured.place, "own")
    with open(path, "w", encoding="utf-8") as file:
        file.write("own")
    os.chmod(path, 0o644)
    os.utime(path, (1, 1))
    if user:
        os.chown(path, user, user)
    assert captured.run(deed, path, user=user)
    facts = os.stat(path)
    assert (facts.st_mode & 0o777, facts.st_mtime, facts.st_size, os.listxattr(path)) == (0o644, 1, 3, [])


def test_no_other_program_is_executed(landlock, captured):
    other = captured.programs("NOTHING", "", True)
    assert captured.run("EXECUTE", os.path.join(other, "ffmpeg")), "that one would say by its pictures that it was executed"


def test_no_process_outside_gets_a_signal(captured):
    with subprocess.Popen(["sleep", "60"]) as sleeper:
        assert captured.run("SIGNAL", sleeper.pid)["code"] == "internal", "it is ended by the call"
        assert sleeper.poll() is None
        sleeper.kill()


# MARK: limits

def test_memory_is_limited(captured):
    assert captured.run("MEMORY")


def test_a_decoder_may_write_not_a_byte_into_a_file(captured):
    assert captured.run("FILESIZE"), "also where the kernel has no Landlock"


def test_threads_are_limited(captured):
    if os.geteuid() != 0:
        pytest.skip("only a user of its own has a limit of its own")
    assert captured.run("THREADS"), "more would leave none for the others of a container"


def test_processor_time_is_limited(captured):
    less = captured.run("PROCESSOR", limit=lambda: resource.setrlimit(resource.RLIMIT_CPU, (3, 3)))
    assert less["code"] == "internal", "of two minutes as of these three seconds"


# MARK: who takes long

def decoders_time(path):
    """The processor time that a running decoder of a folder has used, in seconds; 0 when there is none."""
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{number}/exe") != os.path.join(path, "ffmpeg"):
                continue
            with open(f"/proc/{number}/stat", encoding="ascii", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except OSError:
            continue
    return 0


@pytest.fixture(scope="module")
def long(build, place, tmp_path_factory):
    """What comes of programs that take long, all at the same time: an error or None, the seconds, and the decoder's processor time."""
    def run(name):
        captured = Captured(os.path.join(build, "mirrormate-media"), place, tmp_path_factory.mktemp(name.lower()))
        with concurrent.futures.ThreadPoolExecutor(1) as one:
            ending = one.submit(captured.run, name.removeprefix("PROBE_"), probe=not name.startswith("PROBE_"))
            most = 0
            while not concurrent.futures.wait([ending], timeout=0.1).done:
                most = max(most, decoders_time(captured.path))
            return ending.result(), captured.seconds, most

    with concurrent.futures.ThreadPoolExecutor() as all_at_once:
        runs = {name: all_at_once.submit(run, name) for name in ("BURN", "SLOW", "FALL_SILENT", "SLEEP", "PROBE_SLEEP")}
        return {name: ending.result() for name, ending in runs.items()}


# Of a video of four seconds.
CLOCK = 30 + 4


def test_a_decoder_that_waits_is_stopped_by_the_clock(long):
    error, seconds, _ = long["SLEEP"]
    assert (error["code"], error["retryable"]) == ("internal", True) and 30 < seconds < 60


def test_a_probe_that_waits_is_stopped(long):
    error, seconds, _ = long["PROBE_SLEEP"]
    assert (error["code"], error["retryable"]) == ("internal", True) and seconds < 60


def test_a_decoder_that_falls_silent_is_ended(long):
    error, seconds, _ = long["FALL_SILENT"]
    assert error and (error["code"], error["retryable"]) == ("internal", True) and "Decoding" in error["message"], error
    assert seconds > CLOCK - 1, "it had that long to say something"


def test_a_decoder_that_is_slow_and_goes_on_writing_goes_on(long):
    error, seconds, _ = long["SLOW"]
    assert error is None and seconds > CLOCK, "longer than a silent one may"


def test_a_running_decoder_uses_up_the_clocks_processor_time(long):
    """It is ended by the time of two processors, before it has what the kernel allows one process alone."""
    error, seconds, used = long["BURN"]
    assert error and (error["code"], error["retryable"]) == ("internal", True), error
    assert used < 2 * CLOCK + 5, used
    assert used > 2 * CLOCK - 10 or seconds > 4 * CLOCK - 1, "else only others' work ended it, by the wall"


# MARK: who it is

def test_started_by_root_it_is_a_user_of_its_own(captured):
    if os.geteuid() != 0:
        pytest.skip("it is started by root only where the services are")
    scratch = tempfile.mkdtemp(dir=captured.folder)
    path = captured.programs("SLEEP", "", True)
    words = [captured.helper, "analyze", "--input", str(captured.input), "--models", scratch, "--scratch", scratch]
    with subprocess.Popen(words, env={"PATH": path}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as running:
        try:
            wait("helper and decoder run", lambda: len(family(running.pid)) >= 2, within=20, every=0.02)
            for process in family(running.pid):
                status = fields(process)
                assert set(status["Uid"].split()) == set(status["Gid"].split()) and int(status["Uid"].split()[0]) > 65535, status
                assert status["Groups"].strip() == "" and int(status["CapEff"], 16) == 0, status
                assert (status["NoNewPrivs"].strip(), status["Seccomp"].strip()) == ("1", "2"), status
        finally:
            running.kill()


def user_alone(captured, command, *more):
    """The user that a run becomes which is the first process among its own, as in a container; all such runs have the same number."""
    scratch = tempfile.mkdtemp(dir=captured.folder)
    words = [captured.helper, command, "--input", str(captured.input), "--models", scratch, "--scratch", scratch, *more]
    with subprocess.Popen([shutil.which("unshare"), "--pid", "--fork", "--mount-proc", "--kill-child", *words],
                          env={"PATH": captured.programs("SLEEP", "", True)}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as running:
        def user():
            own = fields(family(running.pid)[1])
            return own["NSpid"].split()[-1] == "1" and int(own["Uid"].split()[0])
        try:
            wait("there is a process of its own", lambda: len(family(running.pid)) > 1, within=20, every=0.02)
            return wait("it is nobody's any more", user, within=20, every=0.02)
        finally:
            # All of its namespace ends with it, and so does who made that.
            for process in family(running.pid)[1:]:
                os.kill(process, signal.SIGKILL)
            running.kill()


def test_a_run_for_a_picture_and_one_for_a_video_share_no_user_whatever_their_containers(captured):
    if os.geteuid() != 0 or subprocess.run(["unshare", "--pid", "--fork", "true"], check=False).returncode != 0:
        pytest.skip("needs root, and the right to make a namespace of processes")
    # Two blocks of 64 times as many numbers as processes have.
    between = 1_500_000_000 + (64 << 22)
    assert user_alone(captured, "analyze") < between <= user_alone(captured, "photo", "--form", "jpeg", "--orientation", "1")


def fields(process):
    with open(f"/proc/{process}/status", encoding="utf-8") as file:
        return dict(line.split(":", 1) for line in file)
