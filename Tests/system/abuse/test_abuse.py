"""What is meant to cost much, from several addresses, while somebody honest uses the same stack.

Nobody judges times: they are told at the end. What must hold is that the honest one is served, the others are refused with the
right codes, and everything still answers afterwards.
"""
import base64
import collections
import contextlib
import itertools
import json
import os
import socket
import struct
import threading
import time
import urllib.parse
import uuid

import pytest

from support.api import Unreachable, send, small_video
from support.notes import note
from support.users import ended, new_user
from support.waiting import wait

# The whole network is this machine's, so the gateway sees each of them as another client. The honest one is 127.0.0.1.
SOURCES = [f"127.0.0.{number}" for number in range(2, 8)]


@pytest.fixture
def honest(stack):
    return new_user(stack)


def seconds_of_sign_in(user):
    begin = time.monotonic()
    user.sign_in()
    return time.monotonic() - begin


def usual(user):
    return sorted(seconds_of_sign_in(user) for _ in range(3))[1]


class Abuse:
    """Does something again and again, from each address in a thread of its own, and counts how it was answered."""

    def __init__(self, once):
        self.once = once
        self.answers = collections.Counter()
        self.lock = threading.Lock()
        self.over = threading.Event()
        self.threads = [threading.Thread(target=self.run, args=(source,), daemon=True) for source in SOURCES]

    def run(self, source):
        while not self.over.is_set():
            try:
                code = self.once(source)
            except Unreachable:
                code = "unreachable"
            with self.lock:
                self.answers[code] += 1

    def count(self):
        with self.lock:
            return sum(self.answers.values())

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        wait("the abuse is going on", lambda: self.count() >= len(SOURCES))
        return self

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join(timeout=60)


def compare(stack, honest, what, abuse, calm):
    """Signs in a few times meanwhile, and tells how long it took."""
    with abuse:
        meanwhile = [seconds_of_sign_in(honest) for _ in range(5)]
        assert honest.call("GET", "/v1/quota").status == 200
    tell(what, calm, meanwhile, abuse.answers)
    assert honest.call("GET", "/v1/me").status == 200, "and afterwards"
    return abuse.answers


def tell(what, calm, meanwhile, answers):
    note(f"{what}: an honest sign-in takes {calm * 1000:.0f} ms, meanwhile {min(meanwhile) * 1000:.0f} to "
         f"{max(meanwhile) * 1000:.0f} ms; answers {dict(answers)}")


def test_bodies_of_thousands_of_members_are_refused_and_block_nobody(stack, honest):
    members = json.dumps({f"m{number}": number for number in range(4500)}).encode()
    deep = b'{"email":' + b"[" * 30000 + b"]" * 30000 + b"}"
    many = b'{"email":[' + b"{}," * 20000 + b"{}]}"
    bodies = itertools.cycle([members, deep, many])
    assert max(map(len, (members, deep, many))) < 65536

    def once(source):
        headers = {"Content-Type": "application/json"}
        return send(stack.url, "POST", "/v1/auth/sign-in", next(bodies), headers, source=source).code

    answers = compare(stack, honest, "large bodies", Abuse(once), usual(honest))
    assert set(answers) == {"invalid-json"}, answers


def forged():
    """A token with a key that nobody has, another one each time."""
    def part(value):
        return base64.urlsafe_b64encode(value).rstrip(b"=").decode()
    header = {"alg": "ES256", "typ": "at+jwt", "kid": str(uuid.uuid4())}
    return f"{part(json.dumps(header).encode())}.{part(b'{}')}.{part(os.urandom(64))}"


def test_tokens_with_unknown_keys_are_refused_and_hold_nobody_up(stack, honest):
    def once(source):
        return send(stack.url, "GET", "/v1/quota", headers={"Authorization": f"Bearer {forged()}"}, source=source).code

    # More than may wait of one address.
    abuse = Abuse(once)
    abuse.threads += [threading.Thread(target=abuse.run, args=(SOURCES[0],), daemon=True) for _ in range(20)]
    answers = compare(stack, honest, "unknown keys", abuse, usual(honest))
    assert set(answers) <= {"token-unknown-key", "temporarily-unavailable"}, answers
    assert answers["temporarily-unavailable"] > 0, "not all of one address wait"


def raw(stack, source, text):
    """A connection on which a request was sent, or a part of one."""
    address = urllib.parse.urlsplit(stack.url)
    connection = socket.create_connection((address.hostname, address.port), timeout=30, source_address=(source, 0))
    connection.sendall(text)
    return connection


def status(connection):
    head = b""
    while b"\r\n\r\n" not in head:
        piece = connection.recv(4096)
        if not piece:
            break
        head += piece
    return int(head.split(b" ", 2)[1]) if head else None


def test_event_streams_beyond_their_number_are_refused_and_a_report_still_comes(stack, honest):
    calm = usual(honest)
    statuses = collections.Counter()
    with contextlib.ExitStack() as held:
        for number in range(6):
            abuser = new_user(stack)
            session = abuser.create(small_video()).json["id"]
            request = (f"GET /v1/sessions/{session}/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {abuser.token}\r\n\r\n").encode()
            of_user = collections.Counter()
            for _ in range(20):
                # Half of them share an address.
                connection = raw(stack, SOURCES[0] if number % 2 else SOURCES[number], request)
                held.callback(connection.close)
                of_user[status(connection)] += 1
            assert of_user[200] <= 16, "of one user"
            statuses += of_user
        assert set(statuses) == {200, 429}, statuses
        session = honest.send_video(small_video())
        assert ended(honest, session)["status"] == "complete"
        assert list(honest.follow(session))[-1][2]["status"] == "complete", "an honest stream"
        assert honest.call("GET", f"/v1/reports/{session}").status == 200
        tell("event streams", calm, [seconds_of_sign_in(honest) for _ in range(3)], statuses)
    assert honest.call("GET", "/v1/me").status == 200


def test_uploads_beside_each_other_are_refused_and_one_that_waits_works(stack, honest):
    calm = usual(honest)
    abuser, media = new_user(stack), small_video()
    session = abuser.create(media).json["id"]
    upload = wait("an address", lambda: abuser.session(session)["upload"])
    target = urllib.parse.urlsplit(upload["url"])
    head = f"PUT {target.path}?{target.query} HTTP/1.1\r\nHost: a\r\nContent-Type: video/mp4\r\nContent-Length: {len(media)}\r\n\r\n"
    slow = raw(stack, SOURCES[0], head.encode() + media[:1024])
    wait("the slow one has its lease", lambda: stack.sql("select 1 from sessions.upload_turns"))

    def once(source):
        answer = send(stack.url, "PUT", upload["url"], media, upload["headers"], source=source)
        assert answer.status == 200 or "retry-after" in answer.headers, answer
        return answer.code or answer.status

    answers = compare(stack, honest, "uploads", Abuse(once), calm)
    slow.close()
    # The slow one's lease ends when nothing comes, so that one of the others may have had it.
    assert set(answers) <= {"upload-in-progress", 200} and answers["upload-in-progress"] > 0, answers
    wait("one that waits works", lambda: abuser.upload({"upload": upload}, media).status == 200)


def test_requests_that_are_given_up_cost_no_connection_of_the_database(stack, honest):
    calm = usual(honest)
    made = "select sum(sessions)::int as made from pg_stat_database where datname = 'mirrormate'"
    before = stack.sql(made)[0]["made"]
    request = (f"GET /v1/sessions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {honest.token}\r\n\r\n").encode()

    def once(source):
        connection = raw(stack, source, request)
        # A reset, at once.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
        return "given up"

    answers = compare(stack, honest, "given up requests", Abuse(once), calm)
    cost = stack.sql(made)[0]["made"] - before
    note(f"given up requests: {answers['given up']} of them, {cost} connections to PostgreSQL made meanwhile")
    # What looks from outside connects too.
    assert cost <= 20 + answers["given up"] / 10


def test_an_address_is_nobody_elses_word(stack, honest):
    """Whoever claims another address for each request has one count all the same."""
    codes = collections.Counter()
    for number in range(12):
        body = {"email": honest.email, "password": "a wrong one"}
        claimed = {"X-Forwarded-For": f"198.51.100.{number}", "Forwarded": f"for=198.51.100.{number}"}
        codes[send(stack.url, "POST", "/v1/auth/sign-in", body, claimed, source=SOURCES[5]).code] += 1
    assert codes["too-many-attempts"] == 2, codes
    honest.sign_in()
