"""The sample client for apps, `Examples/ios-client`: it builds, its own tests pass, and its program gets a report."""
import os
import re
import subprocess

import pytest

from support import places
from support.api import User
from support.cutting_proxy import CuttingProxy
from support.users import new_user
from support.waiting import wait

PACKAGE = os.path.join(places.ROOT, "Examples", "ios-client")
SCRATCH = os.path.join(places.KEPT, "sample-client")


def swift(command, *words):
    found = subprocess.run([os.path.join(places.ROOT, "infra", "find-swift")], capture_output=True, text=True, check=True)
    return subprocess.run(
        [found.stdout.strip(), command, "--package-path", PACKAGE, "--scratch-path", SCRATCH, *words],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


@pytest.fixture(scope="module")
def program(build):
    """The path of `coach-sample`, built with its tests; a warning is an error."""
    path = os.path.join(SCRATCH, "debug", "coach-sample")
    if not (os.environ.get("SYSTEM_TEST_SKIP_BUILD") and os.path.exists(path)):
        built = swift("build", "--build-tests", "-Xswiftc", "-warnings-as-errors")
        assert built.returncode == 0, built.stdout[-4000:]
    return path


@pytest.fixture
def proxy(measuring_stack):
    proxy = CuttingProxy(measuring_stack.url)
    yield proxy
    proxy.close()


@pytest.fixture
def sample(program, tmp_path):
    """Runs the program, in a home that nobody was in before."""
    def run(url, *words, password=None):
        environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
        if password:
            environment["MIRRORMATE_PASSWORD"] = password
        return subprocess.run([program, url, *words], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=600, check=False)
    return run


def test_its_own_tests_pass(program):
    tested = swift("test", "--skip-build", "--disable-xctest", "-Xswiftc", "-warnings-as-errors")
    assert tested.returncode == 0, tested.stdout[-4000:]


def test_it_gets_a_report_although_upload_and_events_are_cut_once(sample, measuring_stack, proxy, demo_video):
    user = new_user(measuring_stack)
    upload = proxy.cut(rb"PATCH /v1/uploads/", sent=len(demo_video) // 2)
    events = proxy.cut(rb"GET /v1/sessions/\S+/events ", heard=rb"id: ?\d+\n.*?\n\n")
    done = sample(proxy.url, places.DEMO, "--email", user.email, password=user.password)
    assert done.returncode == 0, done.stdout + done.stderr
    [item] = wait("the report in the history", lambda: user.call("GET", "/v1/reports").json["items"])
    report = user.call("GET", f"/v1/reports/{item['sessionId']}").json
    lines = done.stdout.splitlines()
    score, low, high = report["confidenceScore"], report["scoreRange"]["low"], report["scoreRange"]["high"]
    assert lines[:2] == [f"{score} of 100 ({low} to {high})", report["feedback"]], done.stdout
    assert f"First: {report['firstStep']['what']}" in lines, done.stdout
    assert f"signed in as {user.email}" in done.stderr and "uploading, 100 %" in done.stderr, done.stderr
    # Both were cut, and taken up again as they should be.
    assert upload.is_done and events.is_done
    offsets = [int(re.search(rb"(?i)upload-offset: *(\d+)", head).group(1)) for head in proxy.requests(rb"PATCH /v1/uploads/")]
    assert offsets[0] == 0 < offsets[-1] and offsets == sorted(offsets), "what has come is not sent again"
    assert len(proxy.requests(rb"POST /v1/uploads/")) == 1, "it is one upload"
    streams = proxy.requests(rb"GET /v1/sessions/\S+/events ")
    assert [b"last-event-id:" in head.lower() for head in streams[:2]] == [False, True], streams
    assert len(proxy.requests(rb"POST /v1/sessions HTTP")) == 1, "it is one session"


def test_what_the_server_says_of_a_second_session_is_what_it_says(sample, measuring_stack, speaker, demo_video):
    user = speaker.user
    done = sample(measuring_stack.url, places.DEMO, "--email", user.email, password=user.password)
    assert done.returncode == 1 and not done.stdout, done.stdout
    refused = user.create(demo_video)
    assert refused.json["detail"] in done.stderr and f"({refused.code})" in done.stderr, done.stderr


def test_somebody_without_an_account_gets_a_report(sample, measuring_stack, demo_video):
    done = sample(measuring_stack.url, places.DEMO, "--scenario", "pitch")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "signed in as an anonymous device" in done.stderr
    assert " of 100 (" in done.stdout.splitlines()[0], done.stdout
    assert "Left: 0" in done.stdout, done.stdout


def test_a_wrong_password_is_said_at_once(sample, measuring_stack):
    user = User(measuring_stack.url)
    done = sample(measuring_stack.url, places.DEMO, "--email", user.email, password="not this one")
    assert done.returncode == 1 and "(credentials-invalid)" in done.stderr, done.stderr
