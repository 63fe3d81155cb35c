"""At two instances of every service, somebody is let in while somebody else makes worthless what that rests on: refreshing and
signing in at the moment of a sign-out, a new password or an erasure. Whatever the order was, the answers are
those of one order, and afterwards nothing that was given out opens anything, at any instance of any service.

The in-process tests (`RaceTests`, `LoginGuardTests`) hold one request at the place that matters; here the real processes meet where
they happen to."""
import collections

import pytest

from support.api import send
from support.kept import kept_stacks
from support.mails import code, mail_with
from support.notes import note
from support.parallel import at_once
from support.stack import MANY_PEOPLE, Stack
from support.users import new_user
from support.waiting import wait

ROUNDS = 8
# One route of every other service that has any.
PATHS = {"quota": "/v1/quota", "sessions": "/v1/sessions", "reporting": "/v1/reports"}


def crowded():
    stack = Stack.recorded()
    # All of these people come from one address.
    many = dict.fromkeys(["LIMIT_PASSWORD_RESET", "LIMIT_CODE", "LIMIT_REFRESH"], "100000/1h")
    stack.programs.set("identity", **MANY_PEOPLE, **many, MAIL_RETRY="2s")
    return stack


@pytest.fixture(scope="module")
def kept_pair(ground):
    yield from kept_stacks(crowded, instances=2)


@pytest.fixture
def pair(kept_pair, request):
    with kept_pair.lent_in_file(request) as stack:
        yield stack


def instances(stack, service):
    urls = [one["url"] for one in stack.document["services"] if one["name"].split("-")[0] == service]
    assert len(set(urls)) == 2, f"{service} has two instances with addresses of their own: {urls}"
    return urls


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def entered(url, person):
    """A login session of somebody, begun at an instance: its access and refresh token."""
    answer = send(url, "POST", "/v1/auth/sign-in", {"email": person.email, "password": person.password})
    assert answer.status == 200, answer
    return answer.json["accessToken"], answer.json["refreshToken"]


class Ending:
    """What somebody does, and what it makes worthless."""

    def __init__(self, prepare, act, signing_in):
        # Gives what the act needs.
        self.prepare = prepare
        # Gives its answer.
        self.act = act
        # What a sign-in with the old password may answer at the same moment, by its status; nothing: it is not tried.
        self.signing_in = signing_in


def reset_code(stack, person):
    assert send(stack.url, "POST", "/v1/auth/password-reset", {"email": person.email}).status == 202
    return code(mail_with(stack, person, "Choose a new password"))


ENDINGS = {
    "a sign-out": Ending(
        lambda stack, person: None,
        lambda url, person, access, _: send(url, "POST", "/v1/auth/sign-out", {}, bearer(access)), None),
    "a new password by mail": Ending(
        reset_code,
        lambda url, person, access, given: send(
            url, "POST", "/v1/auth/password", {"resetToken": given, "newPassword": "another long one for this"}), {200, 401}),
    "an erasure": Ending(
        lambda stack, person: None,
        lambda url, person, access, _: send(url, "DELETE", "/v1/me", None, bearer(access)), {200, 401}),
}


def race(stack, person, ending, round_number):
    """Lets them happen at once at both instances; gives the act's answer and all tokens that were given out."""
    urls = instances(stack, "identity")
    access, refresh = entered(urls[0], person)
    given = ending.prepare(stack, person)
    # The act is at one instance in one round and at the other in the next, and so are the first of the others.
    here, there = urls[round_number % 2], urls[(round_number + 1) % 2]
    tasks = [lambda: ending.act(here, person, access, given)]
    for url in (there, here, there):
        tasks.append(lambda url=url: send(url, "POST", "/v1/auth/refresh", {"refreshToken": refresh}))
    if ending.signing_in:
        body = {"email": person.email, "password": person.password}
        tasks += [lambda url=url: send(url, "POST", "/v1/auth/sign-in", body) for url in (there, here)]
    answers = at_once(len(tasks), lambda index: tasks[index]())
    failures = [answer for answer in answers if isinstance(answer, Exception)]
    assert not failures, failures
    act, refreshed, signed_in = answers[0], answers[1:4], answers[4:]
    assert {answer.status for answer in refreshed} <= {200, 401}, refreshed
    assert {answer.status for answer in signed_in} <= (ending.signing_in or set()), signed_in
    # One login session has one next token: two refreshes never give two.
    assert len({answer.json["refreshToken"] for answer in refreshed if answer.status == 200}) <= 1, refreshed
    tokens = [(access, refresh)]
    tokens += [(answer.json["accessToken"], answer.json["refreshToken"]) for answer in answers[1:] if answer.status == 200]
    return act, tokens, collections.Counter(answer.status for answer in answers[1:])


def nothing_opens(stack, tokens):
    """No token opens anything at any instance: at once at identity, soon everywhere else."""
    urls = instances(stack, "identity")
    for access, refresh in tokens:
        for url in urls:
            refused = send(url, "GET", "/v1/me", None, bearer(access))
            assert refused.status == 401 and refused.code in ("login-session-ended", "user-gone"), refused
            refused = send(url, "POST", "/v1/auth/refresh", {"refreshToken": refresh})
            assert (refused.status, refused.code) == (401, "refresh-token-invalid"), refused
    for service, path in PATHS.items():
        for url in instances(stack, service):
            def all_refused(url=url, path=path):
                return all(send(url, "GET", path, None, bearer(access)).status == 401 for access, _ in tokens)
            wait(f"{service} at {url} refuses all of them", all_refused)


@pytest.mark.parametrize("name", ENDINGS)
def test_nothing_that_is_given_out_meanwhile_outlasts(pair, name):
    ending, seen = ENDINGS[name], collections.Counter()
    for round_number in range(ROUNDS):
        person = new_user(pair)
        act, tokens, statuses = race(pair, person, ending, round_number)
        # 200: every service has already confirmed the erasure.
        assert act.status in (200, 202, 204), act
        seen += statuses
        nothing_opens(pair, tokens)
        rows = pair.sql(f"select count(*) n from identity.logins where user_id = '{person.id}'")
        # Signing up began one more, which a sign-out of another leaves.
        assert rows[0]["n"] == (1 if name == "a sign-out" else 0), rows
    note(f"{name} beside {sum(seen.values())} that refreshed or signed in: {dict(seen)}")


def test_of_two_new_passwords_by_one_code_one_counts(pair):
    for _ in range(ROUNDS):
        person, urls = new_user(pair), instances(pair, "identity")
        given = reset_code(pair, person)
        chosen = [f"a long one, number {index}" for index in range(4)]
        answers = at_once(4, lambda index: send(
            urls[index % 2], "POST", "/v1/auth/password", {"resetToken": given, "newPassword": chosen[index]}))
        failures = [answer for answer in answers if isinstance(answer, Exception)]
        assert not failures, failures
        assert sorted(answer.status for answer in answers) == [204, 401, 401, 401], answers
        for index, answer in enumerate(answers):
            body = {"email": person.email, "password": chosen[index]}
            assert send(urls[index % 2], "POST", "/v1/auth/sign-in", body).status == (200 if answer.status == 204 else 401)


def test_two_erasures_at_once_are_one(pair):
    for _ in range(ROUNDS):
        person, urls = new_user(pair), instances(pair, "identity")
        answers = at_once(4, lambda index: send(urls[index % 2], "DELETE", "/v1/me", None, bearer(person.token)))
        failures = [answer for answer in answers if isinstance(answer, Exception)]
        assert not failures, failures
        # Whoever comes behind the end has no login session any more, but may ask for the receipt of what they began.
        assert {answer.status for answer in answers} <= {200, 202, 401} and any(answer.status in (200, 202) for answer in answers), answers
        assert len(pair.events("identity", f"type = 'UserErased' and data->>'userId' = '{person.id}'")) == 1
        body = {"email": person.email, "password": person.password}
        assert send(pair.url, "POST", "/v1/auth/sign-in", body).status == 401
        again = send(pair.url, "POST", "/v1/auth/sign-up", body)
        assert again.status == 201, f"the address is free again: {again}"
