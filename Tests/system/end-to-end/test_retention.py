"""Recordings that are kept to be looked at again: ranged, at a signed address, without the place where they were made, and gone in time."""
import base64
import os
import subprocess
import tempfile

import pytest

from support import object_server
from support.api import send, small_video
from support.stack import Stack
from support.users import ended, new_user
from support.waiting import wait

FAST = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac"
PLACE = "+47.3769+008.5417/"
SOURCE = "-f lavfi -i testsrc2=s=160x120:r=10:d=3 -f lavfi -i sine=f=440:d=3"
# What a drone writes into a track of subtitles while it flies.
FLOWN = base64.b64encode(f"1\n00:00:00,000 --> 00:00:02,000\nGPS {PLACE}\n".encode()).decode()
TRACK = f"-f srt -i data:application/x-subrip;base64,{FLOWN} -map 0 -map 1 -map 2 -c:s mov_text"
# What each writes its place in: media type, ffmpeg's words, and bytes that are there only with the place.
MADE = {
    "a camera's.mp4": ("video/mp4", f"{FAST} -metadata location={PLACE}", b"loci"),
    "a fragmented.mp4": ("video/mp4", f"{FAST} -metadata location={PLACE} -movflags frag_keyframe+empty_moov", b"loci"),
    "a phone's.mov": (
        "video/quicktime", f"{FAST} -metadata com.apple.quicktime.location.ISO6709={PLACE} -movflags use_metadata_tags", PLACE.encode()),
    "an older phone's.mov": ("video/quicktime", f"{FAST} -metadata location={PLACE}", PLACE.encode()),
    "a drone's.mp4": ("video/mp4", f"{TRACK} {FAST}", PLACE.encode()),
    "a drone's.mov": ("video/quicktime", f"{TRACK} {FAST} -movflags faststart", PLACE.encode()),
    "an editor's.mp4": ("video/mp4", f"{FAST} -metadata comment={PLACE}", PLACE.encode()),
    "an editor's.webm": (
        "video/webm", f"-c:v libvpx -deadline realtime -cpu-used 8 -c:a libvorbis -metadata title={PLACE}", PLACE.encode()),
    "a browser's.webm": (
        "video/webm", f"-c:v libvpx -deadline realtime -cpu-used 8 -c:a libvorbis -live 1 -metadata LOCATION={PLACE}", PLACE.encode()),
}
# A day of keeping lasts so long.
DAY = 25


def s3_folder():
    return pytest.param("s3", marks=pytest.mark.skipif(
        not os.environ.get("S3_TEST_SERVER"), reason="set S3_TEST_SERVER to the program versitygw"))


@pytest.fixture(scope="module", params=["folder", s3_folder()])
def placed(request, ground):
    """A stack of which a day of keeping is short, and the folder in which its objects lie as files."""
    names = ("SYSTEM_TEST_S3", "OBJECT_STORE", "S3_ENDPOINT", "S3_ACCESS_KEY", "S3_SECRET_KEY")
    before = {name: os.environ.pop(name, None) for name in names}
    server = None
    stack = Stack.recorded()
    try:
        if request.param == "s3":
            os.environ["SYSTEM_TEST_S3"] = "1"
            server = object_server.start()
        stack.programs.set("sessions", NETWORK_ANALYSES="100000", MEDIA_RETENTION_DAY=f"{DAY}s")
        stack.up()
        folder = server[1] if server else os.path.join(stack.state, "objects")
        yield stack, folder
        # It goes with the sweeper's next round, for which each of these tests would wait alone.
        for name, user in stack.kept("sealed", dict).items():
            wait(f"what was uploaded of {name} is gone", lambda user=user: stored(folder, user, "uploads") == [])
    finally:
        stack.down()
        object_server.stop(server)
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def stored(folder, user, place="media"):
    """The files of a user's recordings."""
    return [os.path.join(base, name) for base, _, names in os.walk(folder) for name in names
            if f"/{place}/{user.id}" in base]


def choose(user, days):
    answer = user.call("PUT", "/v1/retention", {"keepMediaDays": days})
    assert (answer.status, answer.json.get("keepMediaDays")) == (200, days), answer


def completed(user, media, **more):
    session = user.send_video(media, **more)
    state = ended(user, session)
    assert state["status"] == "complete", state
    return session


def address(user, session):
    answer = user.call("GET", f"/v1/sessions/{session}/media-url")
    assert answer.status == 200, answer
    return answer.json["url"]


def recording(user, session):
    """What the report says of the recording."""
    report = user.call("GET", f"/v1/reports/{session}").json
    assert report["madeBy"] == "software" and report["notice"] and report["kept"]["report"]
    return report["kept"]["recording"]


def frames(file):
    return subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", file, "-f", "framemd5", "-"], check=True, capture_output=True).stdout


def test_a_recording_is_looked_at_again_and_goes_in_time_and_its_report_says_so(placed):
    stack, folder = placed
    user, media = new_user(stack), small_video(size=900_000)
    choose(user, 1)
    session = completed(user, media)
    url = address(user, session)
    state = user.session(session)["media"]
    assert state["kept"] and state["until"]
    wait("the report says that it is kept", lambda: recording(user, session) == {"kept": True, "until": state["until"]})
    whole = send(stack.url, "GET", url)
    assert whole.status == 200 and whole.body == media
    fields = {name: whole.headers.get(name) for name in (
        "content-type", "content-disposition", "cache-control", "x-content-type-options", "accept-ranges")}
    assert fields == {"content-type": "video/mp4", "content-disposition": "inline", "cache-control": "private, no-store",
                      "x-content-type-options": "nosniff", "accept-ranges": "bytes"}
    part = send(stack.url, "GET", url, headers={"Range": "bytes=100000-699999", "If-Range": whole.headers["etag"]})
    assert part.status == 206 and part.body == media[100_000:700_000]
    assert part.headers["content-range"] == f"bytes 100000-699999/{len(media)}"
    assert send(stack.url, "GET", url, headers={"Range": f"bytes={len(media)}-"}).status == 416
    assert send(stack.url, "HEAD", url).headers["content-length"] == str(len(media))
    assert send(stack.url, "GET", url[:-1] + "!").code == "media-address-invalid"
    assert len(stored(folder, user)) == 1, "the search finds it while it is there"
    wait("its time is over", lambda: not user.session(session)["media"]["kept"], within=DAY + 30)
    wait("its bytes are gone", lambda: not stored(folder, user))
    assert send(stack.url, "GET", url).status in (403, 404)
    wait("the report says that it is gone", lambda: recording(user, session) == {"kept": False, "until": None})
    wait("nothing is left to be swept", lambda: stack.sql(
        f"select count(*) n from sessions.object_intents where subject = '{user.id}'") == [{"n": 0}])
    # A signature is nowhere, though the path is.
    signature = url.rsplit("signature=", 1)[1]
    logs = stack.logs()
    assert any(f"/v1/media/{session}" in text for name, text in logs.items() if "gateway" in name), "the gateway logs the path"
    assert [name for name, text in logs.items() if signature in text] == []


@pytest.mark.parametrize("name", MADE)
def test_the_place_is_removed_at_once_and_nothing_else_changes(placed, name):
    stack, folder = placed
    kind, words, sign = MADE[name]
    user = new_user(stack)
    with tempfile.TemporaryDirectory() as made:
        file, kept = os.path.join(made, "original-" + name), os.path.join(made, "kept-" + name)
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", *SOURCE.split(), *words.split(), "-shortest", file], check=True)
        with open(file, "rb") as content:
            media = content.read()
        assert sign in media, "the recording says where it was made"
        choose(user, 30)
        created = user.create(media, contentType=kind)
        assert created.status == 201, created
        assert user.upload(created.json, media).status == 200
        session = created.json["id"]
        assert user.finalize(session).status == 202
        # At once: before anybody has looked at it, and whatever becomes of it.
        sealed = stored(folder, user)
        assert len(sealed) == 1
        for path in sealed:
            with open(path, "rb") as content:
                assert sign not in content.read()
        assert ended(user, session)["status"] == "complete"
        answer = send(stack.url, "GET", address(user, session))
        assert (answer.status, answer.headers["content-type"]) == (200, kind), answer
        assert len(answer.body) == len(media) and sign not in answer.body
        with open(kept, "wb") as content:
            content.write(answer.body)
        assert frames(kept) == frames(file), "every picture and sound is the same"
    # That what was uploaded is gone is asked of all of them together, in the end.
    stack.kept("sealed", dict)[name] = user


def test_less_is_kept_at_once_when_less_is_chosen(placed):
    stack, folder = placed
    user = new_user(stack)
    choose(user, 30)
    session = completed(user, small_video())
    assert len(stored(folder, user)) == 1
    choose(user, 0)
    wait("it is not kept", lambda: not user.session(session)["media"]["kept"])
    wait("its bytes are gone", lambda: not stored(folder, user))


def test_a_deleted_session_and_an_erased_user_keep_nothing(placed):
    stack, folder = placed
    user = new_user(stack)
    choose(user, 30)
    session = completed(user, small_video())
    assert len(stored(folder, user)) == 1
    url = address(user, session)
    assert user.call("DELETE", f"/v1/sessions/{session}").status == 204
    assert send(stack.url, "GET", url).status == 404
    wait("its bytes are gone", lambda: not stored(folder, user))
    other = new_user(stack)
    choose(other, 30)
    completed(other, small_video())
    assert len(stored(folder, other)) == 1
    rows = f"select count(*) n from sessions.media_choices where owner_id = '{other.id}'"
    assert stack.sql(rows) == [{"n": 1}], "the search finds the choice while it is there"
    other.erase()
    wait("the receipt is complete", lambda: other.call("GET", "/v1/me/erasure").status == 200)
    assert stored(folder, other) == [] and stack.sql(rows) == [{"n": 0}]


def test_a_kill_in_between_leaves_nothing_behind(placed):
    stack, folder = placed
    user = new_user(stack)
    choose(user, 1)
    completed(user, small_video())
    assert len(stored(folder, user)) == 1
    # Nobody looks while its time runs out.
    stack.kill("sessions")
    stack.up()
    wait("its bytes are gone", lambda: not stored(folder, user), within=DAY + 60)
