"""Storage of the compatible surface, as supabase-py, the app and clients of tus call it."""
import base64
import os
import subprocess

import pytest

from support import supabase_sdk
from support.api import send, sha256, small_video
from support.waiting import wait

CALLS = "supabase_storage_calls.py"


@pytest.mark.parametrize("calls", ["app", "owned", "buckets"])
def test_supabase_py_gets_what_it_expects(stack, calls):
    supabase_sdk.run(stack, CALLS, calls)


def test_a_recording_that_is_not_kept_is_gone_after_its_analysis(stack):
    running = supabase_sdk.start(stack, CALLS, "gone", stdin=subprocess.PIPE)
    try:
        session = running.stdout.readline().strip()
        assert session, running.communicate(timeout=60)
        ending = f"select 1 from sessions.session_list where key = '{session}' and status in ('complete', 'error')"
        wait("its analysis is over", lambda: stack.sql(ending), within=60)
        out, notes = running.communicate("go\n", timeout=120)
        assert running.returncode == 0, out + notes
    finally:
        if running.poll() is None:
            running.kill()
            running.communicate()


def test_a_recording_comes_in_pieces(stack):
    path, token = supabase_sdk.run(stack, CALLS, "pieces")
    anon, _ = supabase_sdk.keys(stack)
    media = small_video() + os.urandom(2_000_000)

    def word(text):
        return base64.b64encode(text.encode()).decode()

    fields = {"Tus-Resumable": "1.0.0", "apikey": anon, "Authorization": f"Bearer {token}"}
    begun = send(stack.url, "POST", "/storage/v1/upload/resumable", b"", {
        **fields, "Upload-Length": str(len(media)), "x-upsert": "true",
        "Upload-Metadata": f"bucketName {word('videos')},objectName {word(path)},contentType {word('video/mp4')},cacheControl {word('3600')}"})
    assert begun.status == 201 and begun.headers["location"].startswith(f"{stack.url}/storage/v1/upload/resumable/"), begun
    for offset in range(0, len(media), 700_000):
        answer = send(stack.url, "PATCH", begun.headers["location"], media[offset:offset + 700_000], {
            **fields, "Upload-Offset": str(offset), "Content-Type": "application/offset+octet-stream"})
        assert answer.status == 204, answer
        told = send(stack.url, "HEAD", begun.headers["location"], headers=fields)
        assert told.headers["upload-offset"] == answer.headers["upload-offset"], told
    got = send(stack.url, "GET", f"/storage/v1/object/videos/{path}", headers=fields)
    assert got.status == 200 and sha256(got.body) == sha256(media)
    # Another's token opens nothing.
    other = supabase_sdk.run(stack, CALLS, "pieces")[1]
    stranger = send(stack.url, "HEAD", begun.headers["location"], headers={**fields, "Authorization": f"Bearer {other}"})
    assert stranger.status == 403, stranger

