"""What the public Python SDK does with accounts, call by call; run by test_supabase_auth.py with a Python that has it.

    supabase_auth_calls.py URL ANON-KEY SERVICE-KEY FOLDER-OF-MAILS
"""
import glob
import os
import re
import sys
import time
import uuid

import httpx
from supabase import ClientOptions, create_client
from supabase_auth.errors import AuthApiError, AuthWeakPasswordError

URL, ANON, SERVICE, MAILS = sys.argv[1:5]
PASSWORD = f"a password {uuid.uuid4().hex}"


def client(key=ANON):
    return create_client(URL, key, ClientOptions(auto_refresh_token=False, persist_session=False))


def address():
    return f"sdk-{uuid.uuid4().hex[:12]}@example.org"


def refused(code, work, *words, error=AuthApiError, **more):
    try:
        work(*words, **more)
    except error as refusal:
        assert refusal.code == code, (code, refusal.code, refusal.message)
        return refusal
    raise AssertionError(f"{code} was not said")


def mailed(user, subject):
    """The code of the last mail of a subject; mails go out soon after they are wanted."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for path in sorted(glob.glob(os.path.join(MAILS, user, "*.eml")), reverse=True):
            with open(path, encoding="ascii") as file:
                text = file.read()
            if f"\nSubject: {subject}\n" in text:
                return re.search(r"^([A-Za-z0-9_-]{43})$", text, re.MULTILINE).group(1)
        time.sleep(0.1)
    raise AssertionError(f"no mail: {subject}")


def signed_up(email=None, data=None):
    sdk = client()
    answer = sdk.auth.sign_up({
        "email": email or address(), "password": PASSWORD, "options": {"data": data or {"display_name": "Ada"}}})
    assert answer.session and answer.user, answer
    return sdk, answer


def signing_up_and_in():
    email = address()
    _, answer = signed_up(email)
    assert answer.user.email == email and answer.user.user_metadata["display_name"] == "Ada"
    assert answer.session.expires_in > 3500 and answer.user.app_metadata["provider"] == "email"
    refused("user_already_exists", client().auth.sign_up, {"email": email.upper(), "password": PASSWORD})
    weak = refused("weak_password", client().auth.sign_up, {"email": address(), "password": "short"},
                   error=AuthWeakPasswordError)
    assert weak.reasons == ["length"]
    sdk = client()
    for wrong in (email, "no address"):
        refused("invalid_credentials", sdk.auth.sign_in_with_password, {"email": wrong, "password": "wrong"})
    there = sdk.auth.sign_in_with_password({"email": email, "password": PASSWORD})
    assert there.user.id == answer.user.id
    assert sdk.auth.get_user().user.email == email


def claims_are_checked_with_the_published_keys():
    sdk, answer = signed_up()
    claims = sdk.auth.get_claims()["claims"]
    assert claims["sub"] == answer.user.id and claims["role"] == "authenticated" and claims["aal"] == "aal1"
    assert claims["amr"][0]["method"] == "password" and claims["iss"] == f"{URL}/auth/v1"


def refreshing():
    sdk, answer = signed_up()
    first = answer.session.refresh_token
    second = sdk.auth.refresh_session(first).session
    assert second.refresh_token != first
    # The answer was lost: the same successor again.
    assert client().auth.refresh_session(first).session.refresh_token == second.refresh_token
    client().auth.refresh_session(second.refresh_token)
    refused("refresh_token_already_used", client().auth.refresh_session, first)
    refused("refresh_token_not_found", client().auth.refresh_session, second.refresh_token)


def signing_out(scope, here_is_over, there_is_over):
    email = address()
    here, _ = signed_up(email)
    there = client()
    there.auth.sign_in_with_password({"email": email, "password": PASSWORD})
    tokens = [sdk.auth.get_session().refresh_token for sdk in (here, there)]
    here.auth.sign_out({"scope": scope})
    for token, over in zip(tokens, (here_is_over, there_is_over)):
        if over:
            refused("refresh_token_not_found", client().auth.refresh_session, token)
        else:
            assert client().auth.refresh_session(token).session


def changing_the_user():
    email = address()
    sdk, _ = signed_up(email, {"display_name": "Ada", "theme": "dark"})
    changed = sdk.auth.update_user({"data": {"theme": None, "level": 3}}).user.user_metadata
    assert (changed["level"], changed["display_name"], "theme" in changed) == (3, "Ada", False), changed
    sdk.auth.update_user({"password": f"{PASSWORD} anew"})
    assert client().auth.sign_in_with_password({"email": email, "password": f"{PASSWORD} anew"}).session
    waiting = sdk.auth.update_user({"email": address()}).user
    assert waiting.email == email and waiting.new_email


def recovering():
    email = address()
    _, answer = signed_up(email)
    client().auth.reset_password_for_email(email)
    client().auth.reset_password_for_email(address())
    sdk = client()
    code = mailed(answer.user.id, "Choose a new password")
    recovered = sdk.auth.verify_otp({"email": email, "token": code, "type": "recovery"})
    assert recovered.session and recovered.user.email_confirmed_at
    sdk.auth.update_user({"password": f"{PASSWORD} anew"})
    refused("otp_expired", client().auth.verify_otp, {"email": email, "token": code, "type": "recovery"})
    assert client().auth.sign_in_with_password({"email": email, "password": f"{PASSWORD} anew"}).session


def recovering_on_the_page():
    """The app asks for the mail and has no place for its code; the page takes it."""
    email = address()
    sdk, answer = signed_up(email)
    client().auth.reset_password_for_email(email)
    taken = httpx.post(f"{URL}/v1/auth/password", json={
        "resetToken": mailed(answer.user.id, "Choose a new password"), "newPassword": f"{PASSWORD} anew"})
    assert taken.status_code == 204, taken.text
    assert client().auth.sign_in_with_password({"email": email, "password": f"{PASSWORD} anew"}).session
    refused("refresh_token_not_found", client().auth.refresh_session, sdk.auth.get_session().refresh_token)


def confirming():
    email = address()
    _, answer = signed_up(email)
    client().auth.resend({"type": "signup", "email": email})
    code = mailed(answer.user.id, "Confirm your address")
    verified = client().auth.verify_otp({"email": email, "token": code, "type": "signup"})
    assert verified.user.email_confirmed_at and verified.session is None
    refused("otp_disabled", client().auth.sign_in_with_otp, {"email": email})


def anonymous_users():
    sdk = client()
    answer = sdk.auth.sign_in_anonymously({"options": {"data": {"theme": "dark"}}})
    assert answer.user.is_anonymous and answer.session
    email = address()
    linked = sdk.auth.update_user({"email": email, "password": PASSWORD}).user
    assert linked.id == answer.user.id and not linked.is_anonymous
    assert client().auth.sign_in_with_password({"email": email, "password": PASSWORD}).user.id == linked.id


def administering():
    admin = client(SERVICE).auth.admin
    email = address()
    made = admin.create_user({
        "email": email, "password": PASSWORD, "email_confirm": True, "user_metadata": {"display_name": "Bert"}}).user
    assert made.email_confirmed_at and admin.get_user_by_id(made.id).user.email == email
    refused("email_exists", admin.create_user, {"email": email, "password": PASSWORD})
    assert made.id in [user.id for user in admin.list_users(page=1, per_page=1000)]
    sdk = client()
    sdk.auth.sign_in_with_password({"email": email, "password": PASSWORD})
    refused("not_admin", client().auth.admin.list_users)
    admin.delete_user(made.id)
    refused("user_not_found", admin.get_user_by_id, made.id)
    refused("invalid_credentials", client().auth.sign_in_with_password, {"email": email, "password": PASSWORD})


def keys_and_browsers():
    assert httpx.get(f"{URL}/auth/v1/settings").status_code == 401
    assert httpx.get(f"{URL}/auth/v1/settings", headers={"apikey": "nonsense"}).status_code == 401
    settings = httpx.get(f"{URL}/auth/v1/settings", headers={"apikey": ANON}).json()
    assert settings["external"]["email"] and not settings["disable_signup"]
    assert httpx.get(f"{URL}/auth/v1/health", headers={"apikey": ANON}).json()["name"] == "GoTrue"
    asked = httpx.request("OPTIONS", f"{URL}/auth/v1/token", headers={
        "Origin": "https://app.example", "Access-Control-Request-Method": "POST"})
    assert asked.status_code in (200, 204) and asked.headers["access-control-allow-origin"] == "*"
    sdk, _ = signed_up()
    token = sdk.auth.get_session().access_token
    native = httpx.get(f"{URL}/v1/me", headers={"Authorization": f"Bearer {token}"})
    assert native.status_code == 401, "the native surface takes no token of this one"
    for bearer in ("nonsense", token[:-4] + "AAAA"):
        answer = httpx.get(f"{URL}/auth/v1/user", headers={"apikey": ANON, "Authorization": f"Bearer {bearer}"})
        assert (answer.status_code, answer.json()["code"]) == (403, "bad_jwt")


signing_up_and_in()
claims_are_checked_with_the_published_keys()
refreshing()
signing_out("global", True, True)
signing_out("local", True, False)
signing_out("others", False, True)
changing_the_user()
recovering()
recovering_on_the_page()
confirming()
anonymous_users()
administering()
keys_and_browsers()
print("all")
