"""Cookies through the gateway: whom they reach."""
import pytest

from support.api import send
from support.users import new_user

# More than a service reads of a request's head (16 KiB), in lines that the gateway takes (8 KiB each): whoever gets it refuses it.
MUCH = {name: "a=" + "x" * 7_000 for name in ("Cookie", "cookie", "COOKIE")}


@pytest.fixture
def token(stack):
    user = new_user(stack)
    answer = send(stack.url, "POST", "/v1/auth/sign-in", {"email": user.email, "password": user.password})
    assert answer.status == 200, answer
    return answer.json["accessToken"]


@pytest.mark.parametrize("path", ["/v1/auth/providers", "/api/auth/google"])
def test_the_routes_that_let_in_get_them(stack, path):
    answer = send(stack.url, "GET", path, headers=MUCH)
    assert answer.status == 431, answer


@pytest.mark.parametrize("path", [
    "/v1/me", "/v1/me/photo", "/v1/sessions", "/v1/quota", "/v1/reports", "/v1/practice/sessions", "/v1/practice/settings", "/v1/progress",
    "/v1/goals", "/openapi.json"])
def test_nobody_else_does(stack, token, path):
    answer = send(stack.url, "GET", path, headers={**MUCH, "Authorization": f"Bearer {token}"})
    assert answer.status in (200, 404) and answer.code != "not-found", answer


@pytest.mark.parametrize("path", ["/v1/auth/../quota", "/v1/auth/%2e%2e/quota"])
def test_a_path_that_only_looks_like_theirs_is_refused(stack, token, path):
    answer = send(stack.url, "GET", path, headers={"Authorization": f"Bearer {token}"})
    assert answer.status == 400 and answer.code == "malformed-request", answer
