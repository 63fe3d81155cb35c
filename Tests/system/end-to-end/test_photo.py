"""The photo of an account through the gateway, made by the real helper: it is its owner's alone, and only so large a picture is let through."""
import os

import pytest

from support import pictures
from support.api import send
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
    # As one that died with a picture in its hands leaves it.
    left = os.path.join(folder, "identity-left-behind", "one")
    os.makedirs(left)
    with open(os.path.join(left, "picture"), "wb") as file:
        file.write(b"left")
    # Root makes it here for whoever identity is.
    owner = os.stat(folder)
    for path in (os.path.dirname(left), left, os.path.join(left, "picture")):
        os.chown(path, owner.st_uid, owner.st_gid)
    code, _, notes = stack.command("restart", "identity", "--bin", stack.programs.folder)
    assert code == 0, notes
    wait("it is cleared away", lambda: files() == [])
    assert user.call("GET", PATH).status == 200, "and the photo is still there"
