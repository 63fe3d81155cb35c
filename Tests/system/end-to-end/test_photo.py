"""The photo of an account through the gateway, made by the real helper: it is its owner's alone, and only so large a picture is let through."""
import concurrent.futures
import os
import urllib.parse

import pytest

from support import pictures
from support.api import Unreachable, connect, send
from support.users import new_user
from support.waiting import wait

PATH = "/v1/me/photo"
LIMIT = 8 << 20


def set_photo(user, picture, kind="image/png"):
    return user.call("PUT", PATH, picture, **{"Content-Type": kind})


@pytest.fixture
def user(stack):
    return new_user(stack)


@pytest.fixture(scope="module")
def noise():
    """A PNG of nearly as many bytes as may be, which no compression makes fewer."""
    rows = [[tuple(pixel) for pixel in zip(*[iter(os.urandom(3 * 1600))] * 3)] for _ in range(1600)]
    picture = pictures.png(rows)
    assert LIMIT * 0.9 < len(picture) < LIMIT
    return picture


def test_it_is_set_and_read_and_nobody_elses(stack, user):
    other = new_user(stack)
    answer = set_photo(user, pictures.png(pictures.quarters(320, 200)))
    assert answer.status == 200, answer
    photo = user.call("GET", PATH)
    assert (photo.status, photo.headers["content-type"], photo.headers["cache-control"]) == (200, "image/jpeg", "private, no-cache")
    assert photo.headers["x-content-type-options"] == "nosniff"
    assert photo.headers["etag"] == answer.json["user"]["photo"]["etag"] == user.call("GET", "/v1/me").json["user"]["photo"]["etag"]
    assert pictures.shown_quarters(photo.body) == {name: name for name in pictures.COLOURS}
    assert user.call("GET", PATH, **{"If-None-Match": photo.headers["etag"]}).status == 304
    assert other.call("GET", PATH).code == "photo-missing" and send(stack.url, "GET", PATH).status == 401


def test_a_phones_picture_stands_upright_and_says_nothing_else(user):
    picture = pictures.convert(pictures.png(pictures.lying(pictures.quarters(400, 300), 6)))
    assert set_photo(user, pictures.with_metadata(picture, 6, ">"), "image/jpeg").status == 200
    photo = user.call("GET", PATH).body
    assert pictures.shown_quarters(photo) == {name: name for name in pictures.COLOURS}
    assert b"PLANTED" not in photo and b"Planted" not in photo


def test_a_large_picture_is_let_through_at_this_path_alone(user, noise):
    assert set_photo(user, noise).status == 200
    refused = user.call("PATCH", "/v1/me", noise[:100_000], **{"Content-Type": "application/json"})
    assert (refused.status, refused.code) == (413, "body-too-large"), refused
    assert "as a photo at most 8 MiB" in refused.json["detail"], "the gateway's word, and not the service's"


def test_a_larger_one_is_not(user, noise):
    answer = set_photo(user, noise + bytes(LIMIT + 1 - len(noise)))
    assert (answer.status, answer.code) == (413, "body-too-large"), answer
    assert user.call("GET", PATH).code == "photo-missing"


@pytest.mark.parametrize("what, kind, code", [
    ("a page", "image/png", "photo-type-unsupported"), ("a page", "text/html", "photo-type-unsupported"),
    ("a bomb", "image/png", "photo-too-many-pixels"), ("half", "image/png", "photo-unreadable")])
def test_what_is_no_good_picture_is_refused(user, what, kind, code):
    whole = pictures.png(pictures.quarters(64, 64))
    picture = {"a page": b"<html><script>alert(1)</script></html>", "half": whole[:len(whole) // 2],
               "a bomb": pictures.png(pictures.quarters(64, 64), size=(60_000, 60_000))}[what]
    answer = set_photo(user, picture, kind)
    assert answer.code == code and answer.json["detail"].endswith("."), answer


def test_nothing_is_left_of_a_picture_that_identity_was_killed_over(new_stack):
    stack = new_stack
    stack.up()
    user = new_user(stack)
    assert set_photo(user, pictures.png(pictures.quarters(64, 64))).status == 200
    folder = os.path.join(stack.state, "photos")

    def files():
        return [name for _, _, names in os.walk(folder) for name in names]
    assert files() == []
    # A helper that opens nothing, for as long as identity lives.
    waits = stack.programs.own("waits", 'while kill -0 "$PPID" 2>/dev/null; do sleep 0.05; done\n')
    stack.programs.set("identity", PHOTO_HELPER=waits)
    restart(stack)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        asked = pool.submit(set_photo, user, pictures.png(pictures.quarters(320, 200)))
        wait("it has the picture in its hands", files)
        assert stack.kill("identity")
        try:
            assert asked.result(90).status >= 500, "nobody is told that it is set"
        except Unreachable:
            pass
    assert files() != [], "whoever is killed clears nothing away"
    stack.programs.set("identity")
    stack.up()
    wait("it is cleared away", lambda: files() == [])
    assert user.call("GET", PATH).status == 200, "and the photo is still there"
    assert set_photo(user, pictures.png(pictures.quarters(320, 200))).status == 200


def test_whoever_never_ends_sending_keeps_nobody_else_from_a_photo(new_stack):
    """Slowly, through the gateway, with more of them than there are places; and one that hangs up half-way."""
    stack = new_stack
    stack.programs.set("identity", PHOTOS_AT_ONCE=2)
    stack.up()
    picture = pictures.png(pictures.quarters(320, 200))
    slow = [begun(stack, new_user(stack), picture) for _ in range(4)]
    try:
        assert set_photo(new_user(stack), picture).status == 200
        gone, owner = begun(stack, new_user(stack), picture)
        gone.close()
        wait("one who hung up may send another", lambda: set_photo(owner, picture).status == 200)
        for connection, owner in slow:
            connection.send(picture[len(picture) // 2:])
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200
            assert owner.call("GET", PATH).status == 200
    finally:
        for connection, _ in slow:
            connection.close()


def begun(stack, user, picture):
    """Half of a picture on its way, which is under way when this comes back: its connection and whose it is."""
    connection = connect(urllib.parse.urlsplit(stack.url), 60)
    connection.putrequest("PUT", PATH)
    for name, value in (("Authorization", f"Bearer {user.token}"), ("Content-Type", "image/png"), ("Content-Length", str(len(picture)))):
        connection.putheader(name, value)
    connection.endheaders()
    connection.send(picture[:len(picture) // 2])
    wait("it is under way", lambda: set_photo(user, picture).code == "photos-unavailable")
    return connection, user


def restart(stack):
    code, _, notes = stack.command("restart", "identity", "--bin", stack.programs.folder)
    assert code == 0, notes
