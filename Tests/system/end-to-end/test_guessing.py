"""Strangers who guess a password lock nobody out but themselves, through the gateway and from several addresses."""
import os
import time

import pytest

from support.api import send
from support.mails import code, mail_with
from support.users import new_user

# The whole network is this machine's, so the gateway sees each of them as another client.
OWNER = "127.0.0.1"
ELSEWHERE = "127.0.0.3"


@pytest.fixture
def user(stack):
    return new_user(stack)


def sign_in(stack, user, source, password=None, cookie=None):
    body = {"email": user.email, "password": password or user.password}
    headers = {"Cookie": cookie} if cookie else {}
    return send(stack.url, "POST", "/v1/auth/sign-in", body, headers, source=source)


def cookie(answer):
    return answer.headers["set-cookie"].split(";")[0]


def guess(stack, user, source, count):
    return [sign_in(stack, user, source, "a wrong one").status for _ in range(count)]


def guessed_out(stack, user):
    """Guesses from one address after another until strangers have no attempt left for some time; gives how many there were."""
    taken = 0
    for number in range(250):
        for _ in range(9):
            answer = sign_in(stack, user, f"127.0.1.{number + 1}", "a wrong one")
            if answer.status == 401:
                taken += 1
                continue
            assert (answer.status, answer.code) == (429, "too-many-attempts"), answer
            if int(answer.headers["retry-after"]) > 20:
                return taken
    raise AssertionError(f"{taken} were taken")


def test_one_who_guesses_is_refused_and_the_owner_is_not(stack, user):
    assert guess(stack, user, "127.0.0.2", 11) == [401] * 10 + [429]
    assert sign_in(stack, user, "127.0.0.2").status == 429, "with the right password too"
    assert sign_in(stack, user, OWNER).status == 200
    claimed = {"X-Forwarded-For": OWNER}
    body = {"email": user.email, "password": user.password}
    answer = send(stack.url, "POST", "/v1/auth/sign-in", body, claimed, source="127.0.0.2")
    assert answer.status == 429, "an address is what the gateway sees"


def test_many_who_guess_leave_known_devices_and_a_new_password(stack, user):
    device = cookie(sign_in(stack, user, OWNER))
    begin = time.monotonic()
    taken = guessed_out(stack, user)
    # 100 an hour: what comes back while they guess is theirs too.
    assert 100 <= taken <= 101 + (time.monotonic() - begin) / 36
    refused = sign_in(stack, user, ELSEWHERE)
    assert (refused.status, refused.code) == (429, "too-many-attempts"), refused
    assert sign_in(stack, user, ELSEWHERE, cookie=device).status == 200, "from the device that signed in before"
    wanted = send(stack.url, "POST", "/v1/auth/password-reset", {"email": user.email}, source=ELSEWHERE)
    assert wanted.status == 202, wanted
    user.password += " and another"
    body = {"resetToken": code(mail_with(stack, user, "Choose a new password")), "newPassword": user.password}
    assert send(stack.url, "POST", "/v1/auth/password", body, source=ELSEWHERE).status == 204
    for source in (ELSEWHERE, OWNER):
        assert sign_in(stack, user, source).status == 200, "a new password opens the account again"


@pytest.mark.parametrize("source, shown, believed", [
    (OWNER, None, False), (OWNER, "0" * 64, False), (OWNER, "quota", False), (OWNER, "identity", True),
    ("127.0.0.9", "identity", False)])
def test_who_comes_past_the_gateway_cannot_say_another_address(stack, user, source, shown, believed):
    """Inside the network, only who is at the gateway's address and shows the service's own key of it is believed about the client's."""
    identity = next(one["url"] for one in stack.document["services"] if one["name"] == "identity")
    headers = {}
    if shown is not None:
        headers["X-Gateway-Key"] = shown if len(shown) == 64 else secret(stack, f"gateway-{shown}")
    body = {"email": user.email, "password": "a wrong one"}
    found = [send(identity, "POST", "/v1/auth/sign-in", body, {**headers, "X-Forwarded-For": f"198.51.100.{number}"},
                  source=source).status for number in range(11)]
    assert found == [401] * 10 + [401 if believed else 429]


def secret(stack, name):
    with open(os.path.join(stack.state, "secrets", name), encoding="ascii") as file:
        return file.read().strip()
