"""What supabase-py does with the storage of a running stack; run by test_supabase_storage.py with a Python that has it.

    supabase_storage_calls.py CALLS URL ANON-KEY SERVICE-KEY
"""
import hashlib
import json
import os
import sys
import urllib.request
import uuid

from storage3.exceptions import StorageApiError
from supabase import ClientOptions, create_client

URL, ANON, SERVICE = sys.argv[2:5]
VIDEO = bytes([0, 0, 0, 16]) + b"ftypisom" + bytes(4096)
LARGE = bytes([0, 0, 0, 16]) + b"ftypisom" + os.urandom(3_000_000)


def client_with(key):
    return create_client(URL, key, ClientOptions(auto_refresh_token=False, persist_session=False))


def signed_in():
    client = client_with(ANON)
    client.auth.sign_up({"email": f"user-{uuid.uuid4().hex}@example.org", "password": uuid.uuid4().hex})
    assert client.auth.get_session() is not None, "sign-up gives a session"
    return client


def begin(client):
    body = {"maxDurationSec": 60, "deviceId": str(uuid.uuid4())}
    return json.loads(client.functions.invoke("init-session", invoke_options={"body": body}))


def finalize(client, session):
    return json.loads(client.functions.invoke("finalize-session", invoke_options={"body": {"sessionId": session}}))


def refused(call):
    """The error of a call that is refused: code and status."""
    try:
        answer = call()
    except StorageApiError as error:
        assert error.message and error.code != "InternalError", error.message
        return error.code, str(error.status)
    raise AssertionError(f"it was answered: {answer!r}")


def fetch(address, **headers):
    with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=60) as answer:
        return answer.status, answer.read()


def app():
    """The app's own upload, by the token of init-session, anonymous and signed in."""
    for client in (client_with(ANON), signed_in()):
        begun = begin(client)
        bucket = client.storage.from_("videos")
        path, token = begun["uploadPath"], begun["uploadToken"]
        stored = bucket.upload_to_signed_url(path, token, VIDEO, {"content-type": "video/mp4"})
        assert stored.full_path == f"videos/{path}" and stored.path == path, stored
        assert refused(lambda: bucket.upload_to_signed_url(path, token, VIDEO))[0] == "Duplicate"
        assert refused(lambda: bucket.upload_to_signed_url(path, token + "A", VIDEO))[0] == "InvalidSignature"
        other = f"{uuid.uuid4()}.mp4"
        assert refused(lambda: bucket.upload_to_signed_url(other, token, VIDEO))[0] == "InvalidSignature"
        assert finalize(client, begun["sessionId"]) == {"status": "queued"}


def owned():
    """Everything that an owner does with a recording, and what nobody else can."""
    client = signed_in()
    path = begin(client)["uploadPath"]
    bucket = client.storage.from_("videos")
    assert not bucket.exists(path) and bucket.list() == []
    made = bucket.create_signed_upload_url(path)
    assert made["path"] == path and made["signed_url"].startswith(URL), made
    assert bucket.upload_to_signed_url(path, made["token"], LARGE).path == path
    assert bucket.exists(path) and bucket.download(path) == LARGE
    assert refused(lambda: bucket.create_signed_upload_url(path))[0] == "Duplicate"
    assert refused(lambda: bucket.upload(path, VIDEO)) == ("Duplicate", "409")
    replaced = bucket.upload(path, VIDEO, {"upsert": "true", "content-type": "video/mp4"})
    assert replaced.path == path and bucket.download(path) == VIDEO
    assert bucket.update(path, LARGE, {"content-type": "video/quicktime"}).path == path
    upper = path.split(".")[0].upper() + ".mov"
    assert hashlib.sha256(bucket.download(upper)).digest() == hashlib.sha256(LARGE).digest()

    info = bucket.info(path)
    assert info["size"] == len(LARGE) and info["content_type"] == "video/mp4", info
    listed = bucket.list("", {"limit": 10, "sortBy": {"column": "created_at", "order": "desc"}})
    assert [entry["name"] for entry in listed] == [path] and listed[0]["metadata"]["size"] == len(LARGE), listed
    assert bucket.list("folder") == [] and bucket.list("", {"offset": 1}) == []
    page = bucket.list_v2({"limit": 10})
    assert [entry.name for entry in page.objects] == [path] and not page.hasNext, page

    signed = bucket.create_signed_url(path, 60, {"download": "talk.mp4"})["signedURL"]
    assert fetch(signed) == (200, LARGE)
    assert fetch(signed, Range="bytes=4-7") == (206, b"ftyp")
    several = bucket.create_signed_urls([path, f"{uuid.uuid4()}.mp4"], 60)
    assert fetch(several[0]["signedURL"]) == (200, LARGE) and several[1]["error"], several

    for other in (client_with(ANON), signed_in()):
        theirs = other.storage.from_("videos")
        assert not theirs.exists(path) and theirs.list() == [] and theirs.remove([path]) == []
        for call in (lambda: theirs.download(path), lambda: theirs.info(path), lambda: theirs.create_signed_url(path, 60)):
            assert refused(call) == ("not_found", "404")
        for call in (lambda: theirs.upload(path, VIDEO, {"upsert": "true"}), lambda: theirs.update(path, VIDEO),
                     lambda: theirs.create_signed_upload_url(path)):
            assert refused(call) == ("Unauthorized", "403")
    assert client_with(SERVICE).storage.from_("videos").download(path) == LARGE

    assert bucket.move(path, upper)["message"]
    assert refused(lambda: bucket.copy(path, upper))[0] == "Duplicate"
    assert refused(lambda: bucket.copy(path, f"{uuid.uuid4()}.mp4")) == ("Unauthorized", "403")
    assert [entry["name"] for entry in bucket.remove([path, "nothing.mp4"])] == [path]
    assert not bucket.exists(path) and bucket.list() == []
    assert bucket.upload(path, VIDEO).path == path, "it takes another one"


def buckets():
    """One bucket, which is there to be read."""
    client = signed_in()
    found = client.storage.list_buckets()
    assert [bucket.id for bucket in found] == ["videos"] and not found[0].public and found[0].file_size_limit > 0
    assert "video/mp4" in client.storage.get_bucket("videos").allowed_mime_types
    assert refused(lambda: client.storage.get_bucket("photos")) == ("Bucket not found", "404")
    assert refused(lambda: client.storage.from_("photos").list())[0] == "Bucket not found"
    for call in (lambda: client.storage.create_bucket("photos"), lambda: client.storage.empty_bucket("videos"),
                 lambda: client.storage.delete_bucket("videos"), lambda: client.storage.update_bucket("videos", {"public": True})):
        assert refused(call) == ("Unauthorized", "403")
    path = begin(client)["uploadPath"]
    bucket = client.storage.from_("videos")
    assert refused(lambda: bucket.upload(path, b"#!/bin/sh\n" * 100, {"content-type": "video/mp4"})) == ("invalid_mime_type", "415")
    assert refused(lambda: bucket.upload("folder/a.mp4", VIDEO)) == ("Unauthorized", "403")


def gone():
    """A recording that is not kept is no object when its analysis is over; prints its session and token for the test."""
    client = signed_in()
    begun = begin(client)
    bucket = client.storage.from_("videos")
    bucket.upload(begun["uploadPath"], VIDEO)
    assert finalize(client, begun["sessionId"]) == {"status": "queued"}
    print(begun["sessionId"], flush=True)
    sys.stdin.readline()
    assert refused(lambda: bucket.download(begun["uploadPath"])) == ("not_found", "404")
    assert not bucket.exists(begun["uploadPath"]) and bucket.list() == []


def pieces():
    """Prints what is needed to send a recording in pieces: its path, and the token of its owner."""
    client = signed_in()
    print(begin(client)["uploadPath"], client.auth.get_session().access_token, flush=True)


{"app": app, "owned": owned, "buckets": buckets, "gone": gone, "pieces": pieces}[sys.argv[1]]()
