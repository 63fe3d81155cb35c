"""What `submit` promises: going on, sending in the place of another session, and what Ctrl-C does; its advice is followed word by word."""
import contextlib
import os
import re
import select
import shlex
import shutil
import signal
import subprocess

import pytest

from support.api import small_video
from support.cutting_proxy import CuttingProxy
from support.users import ended, new_user, used
from support.waiting import wait


@pytest.fixture
def video(tmp_path):
    """The path of a video that nobody else sends."""
    file = tmp_path / "talk.mp4"
    file.write_bytes(small_video())
    return str(file)


@contextlib.contextmanager
def standing_still(stack, service):
    number = stack.pid(service)
    os.kill(number, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(number, signal.SIGCONT)


class Running:
    """A command that runs, and all that it has said so far."""

    def __init__(self, process):
        self.process, self.said = process, ""

    def until(self, pattern):
        """Waits until it has said something; gives the match."""

        def found():
            if select.select([self.process.stdout], [], [], 0.5)[0]:
                part = os.read(self.process.stdout.fileno(), 65536).decode("utf-8", "replace")
                self.said += part
                assert part or re.search(pattern, self.said), f"it ended: {self.said}"
            return re.search(pattern, self.said)
        return wait(f"{pattern} in what is said", found, within=60)

    def session(self):
        return self.until(r"session ([0-9a-f-]{36})").group(1)

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)

    def end(self):
        """Waits for its end; gives the exit code and all that it said."""
        self.said += self.process.communicate(timeout=480)[0]
        return self.process.returncode, self.said


@contextlib.contextmanager
def running(stack, *words, **variables):
    with stack.running_command(*words, variables={"NO_COLOR": "1", **variables}, stderr=subprocess.STDOUT) as process:
        yield Running(process)


def follow(stack, said, name, video=None, **variables):
    """Runs the command that is advised; it names the stack's folder too."""
    advised = re.search(rf"`mirrormate ({name}[^`]*)`", said)
    assert advised, said
    words = shlex.split(advised.group(1).replace("VIDEO", video or "VIDEO"))
    place = words.index("--state")
    assert words[place + 1] == stack.state, words
    return stack.command(*words[:place], *words[place + 2:], variables={"NO_COLOR": "1", **variables})


def status(stack, session):
    return stack.sql(f"select status from sessions.session_list where key = '{session}'")[0]["status"]


def by_address(user):
    """The words for somebody's own account."""
    return ("--email", user.email), {"MIRRORMATE_PASSWORD": user.password}


# MARK: Ctrl-C

def test_ctrl_c_before_the_video_is_there_cancels_the_session(stack, video):
    with standing_still(stack, "quota"), running(stack, "submit", video, "--new-user") as submit:
        session = submit.session()
        submit.interrupt()
        code, said = submit.end()
    assert code == 1 and f"The session {session} was cancelled and costs nothing." in said, said
    wait("it is cancelled", lambda: status(stack, session) == "cancelled")


def test_ctrl_c_during_the_analysis_leaves_it_and_says_how_to_see_the_report(stack, video):
    with standing_still(stack, "analysis"), running(stack, "submit", video, "--new-user") as submit:
        session = submit.session()
        submit.until("waiting, 0 before it")
        submit.interrupt()
        code, said = submit.end()
    assert code == 1 and f"The session {session} is analysed further" in said, said
    code, out, notes = follow(stack, said, "submit --continue")
    assert code == 0 and out.strip(), notes
    assert status(stack, session) == "complete"


def test_a_second_ctrl_c_leaves_a_session_that_cannot_be_cancelled_and_says_so(stack, video):
    with standing_still(stack, "quota"), running(stack, "submit", video, "--new-user") as submit:
        session = submit.session()
        with standing_still(stack, "sessions"):
            submit.interrupt()
            submit.until("Ctrl-C again leaves it")
            submit.interrupt()
            code, said = submit.end()
    assert code == 1 and f"Whether the session {session} was cancelled is not known." in said, said
    code, out, notes = follow(stack, said, "sessions cancel")
    assert code == 0 and session in out, notes
    wait("it is cancelled", lambda: status(stack, session) == "cancelled")


@contextlib.contextmanager
def beginning(stack, video, user):
    """A submission whose request for a session is on its way, and the service that would answer stands still."""
    words, variables = by_address(user)
    proxy = CuttingProxy(stack.url)
    try:
        with standing_still(stack, "sessions"), running(stack, "submit", video, *words, "--url", proxy.url, **variables) as submit:
            wait("a session is asked for", lambda: proxy.requests(rb"POST /v1/sessions HTTP"), within=60)
            submit.interrupt()
            submit.until("Finding out whether a session was begun; Ctrl-C again leaves it")
            yield submit, proxy
    finally:
        proxy.close()


def sessions_of(stack, user):
    return stack.sql(f"select key, status from sessions.session_list where owner_id = '{user.id}'")


def test_ctrl_c_while_the_session_is_begun_finds_it_and_cancels_it(stack, video):
    user = new_user(stack)
    with beginning(stack, video, user) as (submit, proxy):
        os.kill(stack.pid("sessions"), signal.SIGCONT)
        code, said = submit.end()
        keys = {re.search(rb"(?i)idempotency-key: (\S+)", head).group(1) for head in proxy.requests(rb"POST /v1/sessions HTTP")}
    cancelled = re.search("The session ([0-9a-f-]{36}) was cancelled and costs nothing.", said)
    assert code == 1 and cancelled, said
    assert len(keys) == 1, "the request is repeated, and no other one is made"
    wait("it is cancelled, and the only one", lambda: [(one["key"], one["status"]) for one in sessions_of(stack, user)]
         == [(cancelled.group(1), "cancelled")])


def test_a_second_ctrl_c_while_the_session_is_begun_says_how_to_go_on(stack, video):
    user = new_user(stack)
    with beginning(stack, video, user) as (submit, _):
        submit.interrupt()
        code, said = submit.end()
    assert code == 1 and "Whether a session was begun is not known." in said, said
    advised = re.search("`mirrormate submit VIDEO --replace --email (\\S+) ", said)
    assert advised and advised.group(1) == user.email, said
    words, variables = by_address(user)
    code, out, notes = stack.command("submit", video, "--replace", *words, variables={"NO_COLOR": "1", **variables})
    assert code == 0 and out.strip(), notes
    wait("nothing is left open", lambda: all(one["status"] in ("complete", "cancelled") for one in sessions_of(stack, user)))


# MARK: whose session it is

def test_what_is_advised_names_the_account_of_the_session(stack, video):
    assert stack.command("submit", video, "--new-user")[0] == 0, "another one is remembered here"
    user = new_user(stack)
    words, variables = by_address(user)
    with standing_still(stack, "analysis"), running(stack, "submit", video, *words, **variables) as submit:
        session = submit.session()
        submit.until("waiting, 0 before it")
        submit.interrupt()
        code, said = submit.end()
    assert code == 1 and f"--continue {session} --email {user.email}" in said, said
    code, _, notes = stack.command("submit", "--continue", session)
    assert code == 1 and f"This account has no session {session}." in notes and "--email" in notes, notes
    code, _, notes = follow(stack, said, "submit --continue", **variables)
    assert code == 0, notes


def test_a_session_of_the_demo_can_be_gone_on_with(stack, video):
    place = os.path.join(stack.state, "demo", "demo.mp4")
    os.makedirs(os.path.dirname(place), exist_ok=True)
    shutil.copy(video, place)
    with running(stack, "demo", "--bin", stack.programs.folder) as demo:
        session = demo.session()
        with standing_still(stack, "analysis"):
            demo.until("waiting, 0 before it")
            demo.interrupt()
            code, said = demo.end()
    assert code == 1 and re.search(rf"--continue {session} --email demo-\w+@example.org", said), said
    # The password of an account that was made here is known here.
    code, out, notes = follow(stack, said, "submit --continue")
    assert code == 0 and out.strip(), notes


# MARK: going on, and in the place of another one

def test_a_session_without_its_video_is_gone_on_with_by_sending_it(stack, video):
    user = new_user(stack)
    words, variables = by_address(user)
    with open(video, "rb") as file:
        session = user.create(file.read()).json["id"]
    variables = {"NO_COLOR": "1", **variables}
    code, _, notes = stack.command("submit", "--continue", session, *words, variables=variables)
    assert code == 2 and f"The session {session} waits for its video." in notes, notes
    code, out, notes = follow(stack, notes, "submit VIDEO", video=video, **variables)
    assert code == 0 and out.strip(), notes
    code, again, _ = stack.command("submit", "--continue", session[:13], *words, variables=variables)
    assert (code, again) == (0, out), "of one that is complete the report is shown again, also by its first digits"
    code, _, notes = stack.command("submit", "--continue", "00000000", *words, variables=variables)
    assert code == 2 and "This account has no session whose id begins with 00000000." in notes, notes
    used(user, 1)


def test_a_video_is_sent_in_the_place_of_a_session_that_is_open(stack, video):
    user = new_user(stack)
    words, variables = by_address(user)
    variables = {"NO_COLOR": "1", **variables}
    held = user.create(small_video()).json["id"]
    wait("it is admitted", lambda: user.session(held)["status"] == "awaitingUpload")
    code, _, notes = stack.command("submit", video, *words, variables=variables)
    assert code == 5 and f"It is {held}." in notes and "--replace sends this video" in notes, notes
    assert f"sessions cancel {held} --email {user.email}" in notes, notes
    code, out, notes = stack.command("submit", video, "--replace", *words, variables=variables)
    assert code == 0 and out.strip(), notes
    assert ended(user, held)["status"] == "cancelled"
    used(user, 1)
