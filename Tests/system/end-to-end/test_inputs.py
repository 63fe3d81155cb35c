"""Every kind of bad or odd input, over HTTP and with the real media helper: a clear answer, no charge, nobody dies."""
import base64
import hashlib
import os
import socket
import subprocess
import tempfile
import urllib.parse
import uuid

import pytest

from support.api import send, small_video
from support.places import ROOT
from support.users import ended, new_user, used
from support.waiting import wait

GATEWAY_LOG = "logs/gateway.log"


@pytest.fixture
def stack(measuring_stack):
    return measuring_stack


@pytest.fixture
def user(stack):
    return new_user(stack)


@pytest.fixture(autouse=True)
def nobody_dies(stack):
    before = {name: stack.pid(name) for name in stack.services()}
    yield
    assert {name: stack.pid(name) for name in stack.services()} == before, "no service died of it"


FAST = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p"
TONE = "-f lavfi -i sine=f=440:d=4"
SILENCE = "-f lavfi -i anullsrc=r=16000 -t 4"
# Spoken by ffmpeg's synthesiser, which reads the file `said`.
SPOKEN = "-f lavfi -i flite=textfile=said:voice=slt,apad=whole_dur=12"
SAID = "We start early in the morning, so we will arrive before the evening, and everybody can see the river."
# What ffmpeg makes, and what comes of it: a code for an error, None for a report.
MADE = {
    "nobody in the picture": ("mp4", f"-f lavfi -i testsrc2=s=160x120:r=10:d=12 {SPOKEN} -shortest {FAST} -c:a aac", None),
    "index in front": (
        "mp4", f"-f lavfi -i testsrc2=s=160x120:r=10:d=12 {SPOKEN} -shortest {FAST} -c:a aac -movflags +faststart", None),
    "a turned picture": (
        "mov", f"-f lavfi -i testsrc2=s=160x120:r=10:d=12 {SPOKEN} -shortest {FAST} -c:a aac -metadata:s:v rotate=90", None),
    "a varying frame rate": (
        "mp4", f"-f lavfi -i testsrc2=s=160x120:r=30:d=12 {SPOKEN} -shortest -vf select='gt(random(0),0.6)' -vsync vfr {FAST} "
        "-c:a aac", None),
    "HEVC with ten bits": (
        "mp4", f"-f lavfi -i testsrc2=s=160x120:r=10:d=12 {SPOKEN} -shortest -c:v libx265 -x265-params log-level=none "
        "-preset ultrafast -pix_fmt yuv420p10le -tag:v hvc1 -c:a aac", None),
    "WebM": (
        "webm", f"-f lavfi -i testsrc2=s=160x120:r=10:d=12 {SPOKEN} -shortest -c:v libvpx -deadline realtime -cpu-used 8 "
        "-c:a libvorbis", None),
    "a browser's recording": (
        "webm", f"-f lavfi -i testsrc2=s=160x120:r=10:d=12 {SPOKEN} -shortest -c:v libvpx-vp9 -deadline realtime -cpu-used 8 "
        "-c:a libopus -live 1", None),
    "no speech": ("mp4", f"-f lavfi -i testsrc2=s=160x120:r=10:d=4 {TONE} -shortest {FAST} -c:a aac", "no-speech"),
    "a silent microphone": ("mp4", f"-f lavfi -i testsrc2=s=160x120:r=10:d=4 {SILENCE} {FAST} -c:a aac", "no-sound"),
    "no sound and no face": ("mp4", f"-f lavfi -i color=gray:s=320x240:r=5:d=4 {FAST}", "no-sound"),
    "a black picture": ("mp4", f"-f lavfi -i color=black:s=160x120:r=10:d=12 {SPOKEN} -shortest {FAST} -c:a aac", "black-picture"),
    "sound by Windows Media": (
        "webm", f"-f lavfi -i testsrc2=s=160x120:r=10:d=4 {TONE} -shortest {FAST} -c:a wmav2 -f matroska", "unsupported-codec"),
    "8K": ("mp4", f"-f lavfi -i color=gray:s=7680x4320:r=1:d=4 {FAST}", "too-large-picture"),
    "two seconds": ("mp4", f"-f lavfi -i testsrc2=s=160x120:r=10:d=2 {FAST}", "too-short"),
    "a hundred seconds": ("mp4", f"-f lavfi -i color=gray:s=160x120:r=2:d=100 {FAST}", "too-long"),
    "sound alone": ("mp4", f"{TONE} -c:a aac", "no-video"),
}
TYPES = {"mp4": "video/mp4", "mov": "video/quicktime", "webm": "video/webm"}


PLAYLIST = b"#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n"
# What is put together here of a video and of one with its index in front, and the code of the error.
BROKEN = {
    "a file cut in half": (lambda whole, _: whole[:len(whole) // 2], "unreadable"),
    "a file that ends early": (lambda _, front: front[:len(front) // 3], "ends-early"),
    "a fragmented file that ends early": (lambda whole, _: through_ffmpeg(whole, "-movflags empty_moov -frag_duration 1000000")[:-2000], "ends-early"),
    "a video's head before noise": (lambda *_: small_video() + os.urandom(50_000), "unreadable"),
    "a playlist behind a video's head": (lambda *_: small_video()[:24] + PLAYLIST * 100, "unreadable"),
}

# What is refused at the door: what it begins with, and the type that is said.
DISGUISED = {
    "a playlist": (b"#EXTM3U\n#EXTINF:10,\nhttp://127.0.0.1/\n", "video/mp4"),
    "a script": (b"#!/bin/sh\nexit\n", "video/quicktime"),
    "a concat list": (b"ffconcat version 1.0\nfile /etc/passwd\n", "video/webm"),
    "text": (b"not a video at all, whatever its name says", "video/mp4"),
    "a WebM file named MP4": (b"\x1a\x45\xdf\xa3" + b"\x00" * 60, "video/mp4"),
}



def through_ffmpeg(video, words):
    """The same pictures and sound in another MP4."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in (("from.mp4", video), ("to.mp4", b"")):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content)
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", "from.mp4", "-c", "copy", *words.split(), "to.mp4"],
                       cwd=folder, check=True)
        with open(os.path.join(folder, "to.mp4"), "rb") as file:
            return file.read()


def made(folder, name):
    """A file that ffmpeg makes: its bytes."""
    kind, words, _ = MADE[name]
    path = folder / f"made.{kind}"
    (folder / "said").write_text(SAID, encoding="ascii")
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *words.split(), path], cwd=folder, check=True)
    return path.read_bytes()


@pytest.mark.parametrize("name", [name for name, (_, _, code) in MADE.items() if code is None])
def test_an_odd_video_has_a_report_that_says_what_could_not_be_measured(user, tmp_path, name):
    session = user.send_video(made(tmp_path, name), contentType=TYPES[MADE[name][0]])
    state = ended(user, session, within=180)
    assert state["status"] == "complete", state
    report = user.call("GET", f"/v1/reports/{session}")
    assert report.status == 200 and report.json["confidenceScore"] is None, report
    assert report.json["measures"]["eyeContactPct"]["reason"], "what could not be measured is said"


@pytest.mark.parametrize("name", [name for name, (_, _, code) in MADE.items() if code is not None])
def test_what_cannot_be_used_is_an_error_in_words_and_costs_nothing(user, tmp_path, name):
    kind, _, code = MADE[name]
    ends_in_error(user, made(tmp_path, name), TYPES[kind], code)


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_whole_video_is_an_error_in_words_and_costs_nothing(user, tmp_path, name):
    broken, code = BROKEN[name]
    ends_in_error(user, broken(made(tmp_path, "no speech"), made(tmp_path, "index in front")), "video/mp4", code)


def test_three_recordings_a_day_that_cannot_be_used_cost_nothing_and_the_fourth_does(user, tmp_path):
    media = made(tmp_path, "no sound and no face")
    for count in (0, 0, 0, 1):
        session = ended(user, user.send_video(media), within=180)
        assert session["error"]["code"] == "no-sound", session
        assert used(user, count), f"{count} charged"
    refused = user.create(media)
    assert (refused.status, refused.code) == (429, "quota-exceeded"), refused


def ends_in_error(user, media, kind, code):
    session = ended(user, user.send_video(media, contentType=kind), within=180)
    error = session.get("error") or {}
    assert (session["status"], error.get("code"), error.get("retryable")) == ("error", code, False), session
    assert " " in error.get("title", ""), f"it is told in words: {session}"
    assert used(user, 0), "it costs nothing"


# MARK: refused at once

ANNOUNCED = {
    "an empty file": (400, None, {"contentLength": 0}),
    "more than 100 MiB": (413, "body-too-large", {"contentLength": 104_857_601}),
    "a type that is no video's": (415, "media-type-unsupported", {"contentType": "text/html"}),
}


@pytest.mark.parametrize("what", ANNOUNCED)
def test_a_wrong_announcement_is_refused(user, what):
    status, code, wish = ANNOUNCED[what]
    body = {"kind": "mirrormate", "contentType": "video/mp4", "contentLength": 10, **wish}
    answer = user.call("POST", "/v1/sessions", body, what)
    assert answer.status == status and answer.code and (code or answer.code) == answer.code, answer
    assert answer.json["detail"].endswith("."), answer
    assert used(user, 0), "it costs nothing"


@pytest.mark.parametrize("name", DISGUISED)
def test_a_disguise_is_refused_while_it_is_uploaded(user, name):
    begin, kind = DISGUISED[name]
    media = begin + b" " * (2_000 - len(begin))
    created = user.create(media, contentType=kind)
    answer = user.upload(created.json, media)
    assert (answer.status, answer.code) == (415, "media-type-mismatch"), answer
    user.call("POST", f"/v1/sessions/{created.json['id']}/cancel", {})
    assert used(user, 0), "it costs nothing"


def memory(number, name):
    with open(f"/proc/{number}/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name)) // 1024


def test_the_largest_upload_goes_through_the_service_in_pieces(stack, user):
    media = small_video()[:64] + bytes(104_857_600 - 64)
    session = user.create(media).json
    number = stack.pid("sessions")
    # From here on the peak is counted anew.
    with open(f"/proc/{number}/clear_refs", "w", encoding="ascii") as file:
        file.write("5")
    before = memory(number, "VmRSS")
    answer = user.upload(session, media)
    grown = memory(number, "VmHWM") - before
    assert (answer.status, answer.json["sizeBytes"]) == (200, len(media)), answer
    assert grown < 32, f"the service's memory grew by {grown} MiB"
    user.call("POST", f"/v1/sessions/{session['id']}/cancel", {})


# MARK: the gateway

@pytest.mark.parametrize("path, name, kind", [
    ("/openapi.json", "openapi.json", "application/json"), ("/docs", "api.html", "text/html; charset=utf-8")],
    ids=["openapi.json", "docs"])
def test_the_description_of_the_api_comes_as_it_lies_in_docs(stack, path, name, kind):
    with open(os.path.join(ROOT, "docs", name), "rb") as file:
        expected = file.read()
    answer = send(stack.url, "GET", path)
    assert (answer.status, answer.headers.get("content-type")) == (200, kind)
    assert answer.body == expected, f"{path} is docs/{name}"


def test_the_description_of_the_api_is_found_with_a_slash_behind_it_too(stack):
    answer = send(stack.url, "GET", "/docs/")
    assert (answer.status, answer.headers.get("location")) == (308, "/docs"), answer
    assert_cautious(answer)


# What nginx answers itself is a problem document of the same list.
AT_THE_GATEWAY = {
    "an unknown route": (404, "not-found", "GET", "/v2/nothing", None, {}),
    "an unknown method": (405, "method-not-allowed", "TRACE", "/v1/sessions", None, {}),
    "a wrong method": (405, "method-not-allowed", "PATCH", "/v1/sessions", b"{}", {}),
    "too large a body": (413, "body-too-large", "POST", "/v1/sessions", b" " * 70_000, {}),
    "too long an address": (414, "target-too-long", "GET", "/v1/sessions?" + "a" * 9_000, None, {}),
    "a field that is none": (400, "malformed-request", "GET", "/v1/quota", None, {"Content-Length": "x"}),
    "a huge field": (431, "head-too-large", "GET", "/v1/quota", None, {"X-Large": "a" * 40_000}),
    "no route of operators": (404, "not-found", "POST", "/operator/users/find", b"{}", {}),
}


@pytest.mark.parametrize("what", AT_THE_GATEWAY)
def test_the_gateways_own_answers_are_problems_too(stack, what):
    status, code, method, path, body, headers = AT_THE_GATEWAY[what]
    answer = send(stack.url, method, path, body, headers)
    assert (answer.status, answer.code) == (status, code), answer
    assert answer.json.get("type", "").endswith(code) and answer.json.get("detail"), answer
    assert answer.headers.get("server") == "nginx", "its version is nobody's business"
    assert_cautious(answer)


def test_a_head_that_nobody_finishes_holds_no_connection_for_long(stack):
    address = urllib.parse.urlsplit(stack.url)
    with socket.create_connection((address.hostname, address.port), timeout=30) as slow:
        slow.sendall(b"GET /v1/quota HTTP/1.1\r\nHost: a\r\n")
        answer = slow.recv(4_096)
    assert answer == b"" or answer.startswith(b"HTTP/1.1 408"), answer


def assert_cautious(answer, policy="default-src 'none'; base-uri 'none'; frame-ancestors 'none'"):
    """What browsers are told, once: neither gateway nor service says it in the other's place."""
    for name, value in [("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"), ("content-security-policy", policy)]:
        assert [given for field, given in answer.fields if field == name] == [value], f"{name} of {answer}"


def test_browsers_are_told_once_what_they_may_do(stack, user):
    assert_cautious(send(stack.url, "GET", "/v1/quota", headers={"Authorization": f"Bearer {user.token}"}))
    refused = send(stack.url, "GET", "/v1/quota")
    assert_cautious(refused)
    assert (refused.status, refused.headers.get("cache-control")) == (401, "no-store")
    page = send(stack.url, "GET", "/docs")
    style = page.body.split(b"<style>")[1].split(b"</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style).digest()).decode()
    assert_cautious(page, f"default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'sha256-{digest}'; form-action 'none'; "
                    "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'")


def test_the_signature_of_an_upload_address_is_in_no_log(stack, user):
    address = user.create(small_video()).json["upload"]["url"]
    assert "signature=" in address
    path = urllib.parse.urlsplit(address)
    # Refused by nginx, which says why in its own log, with the request's first line.
    answer = send(stack.url, "PUT", f"{path.path}?{path.query}", headers={"Content-Length": str(200 << 20)}, body=b"")
    assert answer.status == 413, answer
    signature = urllib.parse.parse_qs(path.query)["signature"][0]
    logs = logs_that_tell(stack, path.path)
    assert [name for name, text in logs.items() if signature in text] == []


@pytest.mark.parametrize("path", ["/v1/uploads/x", "/v1/media/x", "/v1/exports/x/archive", "/v1/exports/x", "/v1/erasures/x",
                                  "/storage/v1/object/upload/sign/videos/x"])
def test_no_signature_is_in_the_gateways_own_log_of_what_it_refuses(stack, path):
    signature = uuid.uuid4().hex
    answer = send(stack.url, "PUT", f"{path}?expires=1&signature={signature}", headers={"Content-Length": str(200 << 20)}, body=b"")
    assert answer.status == 413, answer
    logs = logs_that_tell(stack, path)
    assert [name for name, text in logs.items() if signature in text] == []


def logs_that_tell(stack, path):
    """Every log once the gateway's has a line of a request: nginx writes it after the answer, when the connection is let go."""

    def told():
        logs = stack.logs()
        return logs if path in logs.get(GATEWAY_LOG, "") else None

    return wait(f"the gateway's log tells of {path}", told)


@pytest.mark.parametrize("shown", ["nothing", "another key", "a caller's token"])
def test_nobody_without_the_operators_key_changes_what_is_logged(stack, user, shown):
    headers = {"nothing": {}, "another key": {"Authorization": "Bearer " + "0" * 64}, "a caller's token": {"Authorization": f"Bearer {user.token}"}}
    for service in stack.document["services"]:
        answer = send(service["adminUrl"], "PUT", "/operator/log-level", {"level": "error"}, headers[shown])
        assert (answer.status, answer.code) == (401, "operator-key-wrong"), f"{service['name']}: {answer}"
