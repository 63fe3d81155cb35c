"""Every kind of bad or odd input, over HTTP and with the real media helper: a clear answer, no charge, nobody dies."""
import os
import subprocess
import tempfile

from api import send, small_video
from flow import ended, new_user, used
from stack import HOME

FAST = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p"
TONE = "-f lavfi -i sine=f=440:d=4"
# What ffmpeg makes, and what comes of it: a code for an error, None for a report.
MADE = {
    "no speech": ("mp4", f"-f lavfi -i testsrc2=s=160x120:r=10:d=4 {TONE} -shortest {FAST} -c:a aac", None),
    "no sound and no face": ("mp4", f"-f lavfi -i color=gray:s=320x240:r=5:d=4 {FAST}", None),
    "a turned picture": ("mov", f"-f lavfi -i testsrc2=s=160x120:r=10:d=4 {FAST} -metadata:s:v rotate=90", None),
    "a varying frame rate": (
        "mp4", f"-f lavfi -i testsrc2=s=160x120:r=30:d=4 -vf select='gt(random(0),0.6)' -vsync vfr {FAST}", None),
    "HEVC with ten bits": (
        "mp4", "-f lavfi -i testsrc2=s=160x120:r=10:d=4 -c:v libx265 -x265-params log-level=none -preset ultrafast "
        "-pix_fmt yuv420p10le -tag:v hvc1", None),
    "WebM": ("webm", "-f lavfi -i testsrc2=s=160x120:r=10:d=4 -c:v libvpx -deadline realtime -cpu-used 8", None),
    "8K": ("mp4", f"-f lavfi -i color=gray:s=7680x4320:r=1:d=4 {FAST}", "too-large-picture"),
    "two seconds": ("mp4", f"-f lavfi -i testsrc2=s=160x120:r=10:d=2 {FAST}", "too-short"),
    "a hundred seconds": ("mp4", f"-f lavfi -i color=gray:s=160x120:r=2:d=100 {FAST}", "too-long"),
    "sound alone": ("mp4", f"{TONE} -c:a aac", "no-video"),
}
TYPES = {"mp4": "video/mp4", "mov": "video/quicktime", "webm": "video/webm"}


def make(folder):
    """The files: name → (bytes, media type, code)."""
    files = {}
    for number, (name, (kind, words, code)) in enumerate(MADE.items()):
        path = os.path.join(folder, f"{number}.{kind}")
        words = [word.replace("'", "") for word in words.split()] if "select" not in words else [
            word if not word.startswith("select") else "select='gt(random(0),0.6)'" for word in words.split()]
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *words, path], check=True)
        with open(path, "rb") as file:
            files[name] = (file.read(), TYPES[kind], code)
    whole = files["no speech"][0]
    files["a file cut in half"] = (whole[:len(whole) // 2], "video/mp4", "unreadable")
    files["a video's head before noise"] = (small_video() + os.urandom(50_000), "video/mp4", "unreadable")
    playlist = b"#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n"
    files["a playlist behind a video's head"] = (small_video()[:24] + playlist * 100, "video/mp4", "unreadable")
    return files


# What is refused at the door: what it begins with, and the type that is said.
DISGUISED = {
    "a playlist": (b"#EXTM3U\n#EXTINF:10,\nhttp://127.0.0.1/\n", "video/mp4"),
    "a script": (b"#!/bin/sh\nexit\n", "video/quicktime"),
    "a concat list": (b"ffconcat version 1.0\nfile /etc/passwd\n", "video/webm"),
    "text": (b"not a video at all, whatever its name says", "video/mp4"),
    "a WebM file named MP4": (b"\x1a\x45\xdf\xa3" + b"\x00" * 60, "video/mp4"),
}


def run(checks, stack):
    services = {name: stack.pid(name) for name in stack.services()}
    refused(checks, stack)
    gateway(checks, stack)
    documents(checks, stack)
    largest(checks, stack)
    with tempfile.TemporaryDirectory() as folder:
        files = make(folder)
    sent = {}
    for name, (media, kind, _) in files.items():
        user = new_user(stack)
        sent[name] = (user, user.send_video(media, contentType=kind))
    for name, (user, identity) in sent.items():
        code = files[name][2]
        session = ended(user, identity, within=180)
        if code is None:
            report = user.call("GET", f"/v1/reports/{identity}")
            checks.expect(session["status"] == "complete" and report.status == 200,
                          f"{name}: a report that says what could not be measured", session)
            continue
        error = session.get("error") or {}
        checks.expect(session["status"] == "error" and error.get("code") == code and " " in error.get("title", "")
                      and error.get("retryable") is False, f"{name}: an error that says {code} in words", session)
        checks.expect(used(user, 0), f"{name}: costs nothing")
    after = {name: stack.pid(name) for name in stack.services()}
    checks.equal(after, services, "no service died of any of them")


def refused(checks, stack):
    user = new_user(stack)
    for what, status, code, wish in (
            ("an empty file", 400, None, {"contentLength": 0}),
            ("more than 100 MiB", 413, "body-too-large", {"contentLength": 104_857_601}),
            ("a type that is no video's", 415, "media-type-unsupported", {"contentType": "text/html"})):
        body = {"kind": "mirrormate", "contentType": "video/mp4", "contentLength": 10, **wish}
        answer = user.call("POST", "/v1/sessions", body, what)
        checks.expect(answer.status == status and answer.code and (code or answer.code) == answer.code
                      and answer.json["detail"].endswith("."), f"{what} is refused when it is announced", answer)
    for name, (begin, kind) in DISGUISED.items():
        media = begin + b" " * (2_000 - len(begin))
        created = user.create(media, contentType=kind)
        answer = user.upload(created.json, media)
        checks.expect((answer.status, answer.code) == (415, "media-type-mismatch"),
                      f"{name} is refused while it is uploaded", answer)
        user.call("POST", f"/v1/sessions/{created.json['id']}/cancel", {})
    checks.expect(used(user, 0), "and none of them costs anything")


def memory(number, name):
    with open(f"/proc/{number}/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name)) // 1024


def largest(checks, stack):
    """The largest upload goes through the service in pieces."""
    user = new_user(stack)
    media = small_video()[:64] + bytes(104_857_600 - 64)
    session = user.create(media).json
    number = stack.pid("sessions")
    # From here on the peak is counted anew.
    with open(f"/proc/{number}/clear_refs", "w", encoding="ascii") as file:
        file.write("5")
    before = memory(number, "VmRSS")
    answer = user.upload(session, media)
    grown = memory(number, "VmHWM") - before
    checks.expect(answer.status == 200 and answer.json["sizeBytes"] == len(media), "100 MiB are taken", answer)
    checks.expect(grown < 32, f"while the service's memory grew by {grown} MiB at most")
    user.call("POST", f"/v1/sessions/{session['id']}/cancel", {})


def documents(checks, stack):
    """The API's description comes through the gateway as it lies in docs."""
    for path, name, kind in (("/openapi.json", "openapi.json", "application/json"), ("/docs", "api.html", "text/html; charset=utf-8")):
        with open(os.path.join(HOME, "docs", name), "rb") as file:
            expected = file.read()
        answer = send(stack.url, "GET", path)
        checks.expect((answer.status, answer.headers.get("content-type")) == (200, kind) and answer.body == expected,
                      f"{path} is docs/{name}", answer)


def gateway(checks, stack):
    """What nginx answers itself is a problem document of the same list."""
    for what, expected, method, path, body, headers in (
            ("an unknown route", (404, "not-found"), "GET", "/v2/nothing", None, {}),
            ("an unknown method", (405, "method-not-allowed"), "TRACE", "/v1/sessions", None, {}),
            ("a wrong method", (405, "method-not-allowed"), "PATCH", "/v1/sessions", b"{}", {}),
            ("too large a body", (413, "body-too-large"), "POST", "/v1/sessions", b" " * 70_000, {}),
            ("too long an address", (414, "target-too-long"), "GET", "/v1/sessions?" + "a" * 9_000, None, {}),
            ("a field that is none", (400, "malformed-request"), "GET", "/v1/quota", None, {"Content-Length": "x"}),
            ("a huge field", (431, "head-too-large"), "GET", "/v1/quota", None, {"X-Large": "a" * 40_000}),
            ("no route of operators", (404, "not-found"), "POST", "/operator/users/find", b"{}", {})):
        answer = send(stack.url, method, path, body, headers)
        checks.expect((answer.status, answer.code) == expected and answer.json.get("type", "").endswith(expected[1])
                      and answer.json.get("detail"), f"{what} is told as a problem", answer)
