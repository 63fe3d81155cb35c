"""A report is shown to others by a link: what its card shows, who can make, see and end it, and that its last view is one."""
import json
import re
import uuid

import pytest

from support.api import send, small_video
from support.notes import note
from support.parallel import at_once
from support.users import Speaker, new_user
from support.waiting import wait

NOTHING = (404, "share-unknown")


@pytest.fixture
def stack(stack):
    # Everybody here is of one network.
    stack.psql("delete from reporting.shared_lookups")
    return stack


@pytest.fixture
def sharer(stack):
    return Speaker(stack, small_video())


def share(user, session, **wish):
    return user.call("POST", f"/v1/reports/{session}/shares", wish)


def token(answer):
    assert answer.status == 201, answer
    return answer.json["link"].partition("#")[2]


def look(stack, secret):
    """Asks for a card as somebody who has nothing but the link."""
    return send(stack.url, "POST", "/v1/shared", {"token": secret})


def shows_nothing(stack, secret):
    """A link shows nothing, and does not say why: all that differs from an unknown one is the request."""
    answer, unknown = look(stack, secret), look(stack, "A" * 43)
    assert (unknown.status, unknown.code) == NOTHING, unknown
    said = [{name: value for name, value in one.json.items() if name not in ("traceId", "instance")} for one in (answer, unknown)]
    return (answer.status, answer.code) == NOTHING and said[0] == said[1]


def shares(user):
    answer = user.call("GET", "/v1/shares")
    assert answer.status == 200, answer
    return answer.json["items"]


def test_a_card_shows_what_was_chosen_and_nothing_else(stack, sharer):
    user, report = sharer.user, sharer.report
    made = share(user, sharer.session, firstName="Zdenobia", maxViews=3)
    secret = token(made)
    assert made.json["link"].startswith(f"{stack.url}/shared#") and len(secret) == 43, made
    card = look(stack, secret)
    assert card.status == 200, card
    assert sorted(card.json) == sorted(
        ["firstName", "language", "confidenceScore", "scoreRange", "strengths", "workOn", "expiresAt"]), card
    assert card.json["firstName"] == "Zdenobia" and card.json["confidenceScore"] == report["confidenceScore"]
    assert {name: card.json[name] for name in made.json["card"]} == made.json["card"], "the owner was shown what viewers see"
    said = json.dumps(card.json).lower()
    hidden = [user.id, sharer.session, report["reportId"], made.json["shareId"], user.email.lower(), user.name.split()[1].lower()]
    runs = re.findall(r"(?=\b([a-z]+ [a-z]+ [a-z]+ [a-z]+)\b)", (report.get("transcript") or {}).get("text", "").lower())
    assert [words for words in hidden + runs if words in said] == []
    assert "no-store" in card.headers["cache-control"]
    nameless = look(stack, token(share(user, sharer.session, parts=["workOn", "score"])))
    assert nameless.json["firstName"] is None and nameless.json["strengths"] == []
    views = {item["shareId"]: item["views"] for item in shares(user)}
    assert sorted(views.values()) == [1, 1] and all("link" not in item for item in shares(user))
    # A view is no event, and nowhere is a token.
    told = stack.events("reporting", f"stream = 'shares-{user.id}'")
    assert [event["type"] for event in told] == ["ReportShared", "ReportShared"], told
    assert "Zdenobia" not in json.dumps(told, default=str)
    logs = stack.logs()
    assert any("/v1/shared" in text for text in logs.values()), "the logs tell of the requests"
    assert [name for name, text in logs.items() if secret in text] == []


def test_of_fifty_viewers_at_once_one_has_the_last_view(stack, sharer):
    secret = token(share(sharer.user, sharer.session, maxViews=2))
    assert look(stack, secret).status == 200
    answers = at_once(50, lambda _: look(stack, secret))
    statuses = sorted(getattr(answer, "status", repr(answer)) for answer in answers)
    note(f"50 viewers of one view: {statuses.count(200)} saw it, {statuses.count(404)} did not")
    assert statuses == [200] + 49 * [404], statuses
    assert shows_nothing(stack, secret)
    item, = shares(sharer.user)
    assert (item["views"], item["maxViews"], item["standing"]) == (2, 2, "used-up")


def test_a_link_shows_nothing_when_it_is_taken_back_over_or_gone_with_its_report(stack, sharer):
    user, session = sharer.user, sharer.session
    made = [share(user, session) for _ in range(3)]
    revoked, over, gone = [token(answer) for answer in made]
    assert [look(stack, secret).status for secret in (revoked, over, gone)] == [200, 200, 200]
    identity = made[0].json["shareId"]
    assert user.call("DELETE", f"/v1/shares/{identity}").status == 204
    assert shows_nothing(stack, revoked)
    assert user.call("DELETE", f"/v1/shares/{identity}").status == 404
    stack.psql(f"update reporting.report_shares set expires_at = now() where share_id = '{made[1].json['shareId']}'")
    assert shows_nothing(stack, over)
    assert sorted(item["standing"] for item in shares(user)) == ["expired", "open"]
    assert user.call("DELETE", f"/v1/sessions/{session}").status == 204
    wait("the share is gone with the report", lambda: shares(user) == [])
    assert shows_nothing(stack, gone)
    assert share(user, session).status == 404


def test_a_stranger_neither_shares_nor_sees_nor_ends_a_share(stack, sharer):
    stranger = new_user(stack)
    made = share(sharer.user, sharer.session)
    secret = token(made)
    identity, session = made.json["shareId"], sharer.session
    for method, path in (("POST", f"/v1/reports/{session}/shares"), ("GET", f"/v1/reports/{session}/shares"),
                         ("DELETE", f"/v1/shares/{identity}"), ("DELETE", f"/v1/shares/{uuid.uuid4()}")):
        answer = stranger.call(method, path, {} if method == "POST" else None)
        assert (answer.status, answer.code) == (404, "not-found"), (method, path, answer)
    assert shares(stranger) == []
    for method, path in (("GET", "/v1/shares"), ("DELETE", f"/v1/shares/{identity}"), ("POST", f"/v1/reports/{session}/shares")):
        assert send(stack.url, method, path, {} if method == "POST" else None).status == 401, path
    assert look(stack, secret).status == 200, "it is as it was"
    for wrong in (identity, session, secret[:-1], secret + "A", "", "x" * 300, secret.swapcase()):
        assert shows_nothing(stack, wrong), wrong


def test_a_link_shows_nothing_when_its_owner_is_erased(stack):
    speaker = Speaker(stack, small_video())
    secret = token(share(speaker.user, speaker.session, firstName="Zdenobia"))
    assert look(stack, secret).status == 200
    speaker.user.erase()
    wait("the receipt is complete", lambda: speaker.user.call("GET", "/v1/me/erasure").status == 200)
    assert shows_nothing(stack, secret)
    count = f"select count(*) n from reporting.report_shares where owner_id = '{speaker.user.id}'"
    assert stack.sql(count) == [{"n": 0}]


def test_the_page_of_a_card_is_served_to_nobody_in_particular(stack):
    page = send(stack.url, "GET", "/shared")
    assert page.status == 200 and b'<meta name="robots" content="noindex, nofollow">' in page.body
    assert page.headers["x-robots-tag"] == "noindex, nofollow"
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "connect-src 'self'" in policy
    assert "camera=()" in page.headers["permissions-policy"]
    assert (page.headers["referrer-policy"], page.headers["x-content-type-options"]) == ("no-referrer", "nosniff")
    text = page.body.decode()
    assert re.findall(r"<script(?![^>]*\bsrc=)|\bon[a-z]+=|<style|style=", text) == [], "no inline code"
    assert [address for address in re.findall(r'(?:src|href)="([^"]*)"', text) if not address.startswith("/web/")] == []
    assert send(stack.url, "GET", "/web/shared.html").status == 404
    assert "camera=(self)" in send(stack.url, "GET", "/").headers["permissions-policy"], "the app page alone has it"
    assert "x-robots-tag" not in send(stack.url, "GET", "/").headers
