"""Recordings in pieces, by tus: a client, the gateway and the service are killed in between, and the whole arrives as it was sent."""
import contextlib
import os
import queue
import signal
import subprocess
import tempfile
import threading

import pytest

from support import places, tools
from support.api import send, sha256, small_video
from support.users import ended, new_user
from support.waiting import wait

MEBIBYTE = 1 << 20
SENDER = os.path.join(places.ROOT, "Tests", "system", "end-to-end", "tus_sender.py")
TUS = {"Tus-Resumable": "1.0.0"}
# Each of them dies in the middle; a service leaves its lease behind, which somebody waits for.
KILLS = ["client", "gateway", "client", "gateway", "sessions"] * 4


@pytest.fixture(scope="module")
def python():
    return tools.python_with("Tests/system/end-to-end/tus.txt", "tuspy")


class Sender:
    """A client of tus in a process of its own, started again whenever it was killed."""

    def __init__(self, python, folder, file, chunk, beginning, **variables):
        self.words = [python, "-B", SENDER, os.path.join(folder, "address"), file, str(chunk), *beginning]
        self.environment = dict(os.environ, **variables)
        self.lines = queue.Queue()
        self.said = []
        self.process = None

    def start(self):
        self.process = subprocess.Popen(self.words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        text=True, env=self.environment)
        threading.Thread(target=self._listen, args=[self.process.stdout], daemon=True).start()

    def _listen(self, out):
        for line in out:
            self.said.append(line.strip())
            if line.strip().isdigit():
                self.lines.put(int(line))

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def heard(self, offset):
        """Waits until the server has said that so much has come."""
        def came():
            with contextlib.suppress(queue.Empty):
                while True:
                    if self.lines.get_nowait() >= offset:
                        return True
            assert self.process.poll() in (None, 0), self.said[-8:]
            return self.process.poll() == 0
        return wait(f"{offset} bytes have come; said: {self.said[-3:]}", came, within=120)

    def end(self):
        if self.process and self.process.poll() is None:
            self.kill()


@pytest.fixture
def sender(python):
    with tempfile.TemporaryDirectory(prefix="mirrormate-tus-") as folder:
        started = []

        def make(media, chunk, beginning, **variables):
            file = os.path.join(folder, "recording.mp4")
            with open(file, "wb") as out:
                out.write(media)
            started.append(Sender(python, folder, file, chunk, beginning, **variables))
            return started[-1]

        yield make
        for one in started:
            one.end()


def beginning(stack, user, session):
    return [f"{stack.url}/v1/uploads/{session}/resumable", user.token]


def part_of(stack, name):
    return next(part for part in stack.parts() if part.split("-")[0] == name)


def children(number):
    """The processes that a process has started."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as file:
            if int(file.read().rpartition(")")[2].split()[1]) == number:
                found.append(int(entry))
    return found


def kill(stack, name):
    """Ends a part at once, with what it has started: the workers of a killed gateway go on by themselves."""
    part = part_of(stack, name)
    workers = children(stack.pid(part))
    assert stack.kill(part)
    for worker in workers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)


def memory(stack, kind):
    """What a service has of memory, in bytes: VmRSS now, VmHWM at most."""
    with open(f"/proc/{stack.pid(part_of(stack, 'sessions'))}/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith(kind))


def stored(stack, session):
    """The SHA-256 of what the session has, as its event says; None before it has anything."""
    events = stack.events("sessions", f"stream = 'session-{session}' and type = 'UploadStored'")
    return events[-1]["data"]["media"]["sha256"] if events else None


def test_a_hundred_mebibytes_arrive_although_client_gateway_and_service_are_killed(new_stack, sender):
    stack = new_stack
    stack.up()
    user = new_user(stack)
    media = small_video() + os.urandom(100 * MEBIBYTE - 4096)
    created = user.create(media, sha256=sha256(media))
    assert created.status == 201, created
    session = created.json["id"]
    one = sender(media, 2 * MEBIBYTE, beginning(stack, user, session))
    one.start()
    steps = len(KILLS) + 2
    for step, victim in enumerate(KILLS, start=1):
        one.heard(step * len(media) // steps)
        if victim == "client":
            one.kill()
            one.start()
        else:
            kill(stack, victim)
            stack.up()
    # Of the last service that was started: it takes the rest, and brings the whole together.
    before = memory(stack, "VmRSS")
    one.heard(len(media))
    assert one.process.wait(60) == 0, one.said[-8:]
    assert stored(stack, session) == sha256(media)
    assert memory(stack, "VmHWM") - before < 48 * MEBIBYTE, "it is not held in memory"
    assert user.finalize(session).status == 202
    # The recorded helper takes whatever comes for the demo video.
    assert ended(user, session, within=120)["status"] in ("complete", "error")


def test_pieces_of_six_mebibytes_with_checksums_arrive_and_leave_no_parts(stack, sender):
    user = new_user(stack)
    media = small_video() + os.urandom(20 * MEBIBYTE)
    session = user.create(media).json["id"]
    one = sender(media, 6 * MEBIBYTE, beginning(stack, user, session), CHECKSUM="1")
    before = memory(stack, "VmRSS")
    one.start()
    one.heard(len(media))
    assert one.process.wait(60) == 0, one.said[-8:]
    assert stored(stack, session) == sha256(media)
    assert memory(stack, "VmHWM") - before < 48 * MEBIBYTE, "it is not held in memory"
    assert stack.sql(f"select 1 from sessions.upload_parts where owner_id = '{user.id}'") == []
    wanted = f"select 1 from sessions.object_intents where subject = '{user.id}' and not unwanted"
    wait("its parts go", lambda: len(stack.sql(wanted)) == 1)


def test_whoever_asks_waits_for_nobody_and_hears_what_is_there_for_good(stack):
    user = new_user(stack)
    media = small_video(size=3 * MEBIBYTE)
    session = user.create(media).json["id"]
    begun = user.call("POST", f"/v1/uploads/{session}/resumable", **TUS, **{"Upload-Length": str(len(media))})
    assert begun.status == 201, begun
    address = begun.headers["location"]
    assert address.startswith(stack.url)

    def patch(offset, piece):
        return send(stack.url, "PATCH", address, piece, {
            **TUS, "Upload-Offset": str(offset), "Content-Type": "application/offset+octet-stream"})

    answers = []

    def ask():
        answers.extend(send(stack.url, "HEAD", address, headers=TUS) for _ in range(20))

    asking = [threading.Thread(target=ask) for _ in range(5)]
    for thread in asking:
        thread.start()
    for offset in range(0, len(media), MEBIBYTE):
        assert patch(offset, media[offset:offset + MEBIBYTE]).status == 204
    for thread in asking:
        thread.join()
    assert {answer.status for answer in answers} == {200}
    assert {int(answer.headers["upload-offset"]) for answer in answers} <= set(range(0, len(media) + 1, MEBIBYTE // 2))
    assert stored(stack, session) == sha256(media)


def test_an_upload_that_nobody_goes_on_with_is_erased_with_its_owner(stack):
    user = new_user(stack)
    media = small_video(size=2 * MEBIBYTE)
    session = user.create(media).json["id"]
    begun = user.call("POST", f"/v1/uploads/{session}/resumable", media[:MEBIBYTE], **TUS, **{
        "Upload-Length": str(len(media)), "Content-Type": "application/offset+octet-stream"})
    assert (begun.status, begun.headers["upload-offset"]) == (201, str(MEBIBYTE)), begun

    def files():
        return [name for base, _, names in os.walk(os.path.join(stack.state, "objects")) for name in names if user.id in base]

    if not os.environ.get("SYSTEM_TEST_S3"):
        assert len(files()) == 2
    assert user.erase().status in (200, 202)
    for table in ("resumable_uploads", "upload_parts"):
        rows = f"select 1 from sessions.{table} where owner_id = '{user.id}'"
        wait(f"no row in {table}", lambda rows=rows: stack.sql(rows) == [])
    wait("its parts are gone", lambda: files() == [])
