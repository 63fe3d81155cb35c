"""Mail, keys and settings, with the real processes; and everybody's work while identity is down."""
import os
import signal
import subprocess
import uuid

import pytest

from support.api import send
from support.mails import code, mail_with
from support.programs import SERVICES
from support.stack import data_of
from support.users import new_user
from support.waiting import wait


@pytest.fixture
def user(stack):
    return new_user(stack)


def test_an_address_is_verified_by_the_mail_of_sign_up(stack, user):
    token = code(mail_with(stack, user, "Confirm your address"))
    answer = send(stack.url, "POST", "/v1/auth/verify-email", {"token": token})
    verified = user.call("GET", "/v1/me").json["user"]["emailVerified"]
    assert (answer.status, verified) == (204, True), answer


def test_a_reset_that_was_answered_is_mailed_although_identity_dies_by_kill_9(stack, user):
    answer = send(stack.url, "POST", "/v1/auth/password-reset", {"email": user.email.upper()})
    stack.kill("identity")
    stranger = f"nobody-{uuid.uuid4().hex}@example.org"
    stack.up()
    unknown = send(stack.url, "POST", "/v1/auth/password-reset", {"email": stranger})
    assert (unknown.status, unknown.body) == (answer.status, answer.body), "nobody's reset is answered alike"
    token = code(mail_with(stack, user, "Choose a new password"))
    user.password = f"a new one {uuid.uuid4().hex}"
    body = {"resetToken": token, "newPassword": user.password}
    statuses = [send(stack.url, "POST", "/v1/auth/password", body).status for _ in range(2)]
    assert statuses == [204, 401], "a mailed code survives kill -9 and works once"
    assert user.sign_in().status == 200, "the new password lets in"
    wait("the outbox is empty", lambda: stack.psql("select count(*) from identity.mail_outbox").strip() == "0")


def keys(stack):
    return [key["kid"] for key in send(stack.url, "GET", "/.well-known/jwks.json").json["keys"]]


def test_a_new_signing_key_leaves_the_tokens_of_the_old_one_good(stack, user):
    first = keys(stack)
    exit_code, _, notes = stack.command("keys", "rotate", "--bin", stack.programs.folder)
    assert exit_code == 0, notes
    assert keys(stack)[:len(first)] == first and len(keys(stack)) == len(first) + 1, "keys rotate adds a key"
    assert user.call("GET", "/v1/quota").status == 200, "what the old one signed is still good"


def test_tokens_of_a_revoked_key_are_refused_everywhere(stack, user):
    first = keys(stack)
    exit_code, _, notes = stack.command("keys", "rotate", "--revoke", "--yes", "--bin", stack.programs.folder)
    assert exit_code == 0, notes
    wait("old tokens are refused", lambda: user.call("GET", "/v1/quota").status == 401)
    assert not set(first) & set(keys(stack))
    wait("new tokens are good", lambda: user.sign_in() and user.call("GET", "/v1/quota").status == 200, within=60)


def test_a_key_of_other_tokens_is_changed_by_its_name(stack):
    kept = "select count(*), count(ends_at) from identity.kept_keys where name ~ '^sign-in-nonces'"
    before = stack.psql(kept).strip()
    exit_code, out, notes = stack.command("keys", "change", "sign-in-nonces", "--json", "--bin", stack.programs.folder)
    assert exit_code == 0, notes
    assert data_of(out) == {"secret": "sign-in-nonces", "revoked": False}
    assert stack.psql(kept).strip() != before, "there is another key, and the one before ends"
    exit_code, _, notes = stack.command("keys", "change", "devices", "--bin", stack.programs.folder)
    assert exit_code != 0, "rows are found by what that key makes"


def test_the_key_that_seals_changes_and_nobody_is_signed_out(stack, user):
    path = os.path.join(stack.state, "secrets", "key-encryption-key")
    with open(path, encoding="ascii") as file:
        old = file.read().strip()
    new = os.urandom(32).hex()
    refresh = user.sign_in().json["refreshToken"]
    for lines in ([new, old], [new]):
        with open(path, "w", encoding="ascii") as file:
            file.write("".join(line + "\n" for line in lines))
        stack.kill("identity", signal.SIGTERM)
        stack.up()
        for _ in range(2):
            exit_code, out, notes = stack.command("keys", "reseal", "--json", "--bin", stack.programs.folder)
            assert exit_code == 0, notes
        assert "first key: 0." in data_of(out)["answer"], out
        answer = send(stack.url, "POST", "/v1/auth/refresh", {"refreshToken": refresh})
        assert answer.status == 200, answer
        refresh = answer.json["refreshToken"]
        assert user.call("GET", "/v1/me").status == 200, "the access token of before is still good"


def test_every_other_service_starts_and_serves_while_identity_is_down(stack, user):
    stack.kill("identity")
    for service in SERVICES[1:]:
        stack.kill(service, signal.SIGTERM)
    stack.programs.hold("identity")
    try:
        exit_code, _, _ = stack.command("up", "--bin", stack.programs.folder, timeout=480)
        answer = send(stack.url, "GET", "/.well-known/jwks.json")
        assert (exit_code != 0, answer.status, answer.code) == (True, 503, "temporarily-unavailable"), "identity is down"
        for path in ("/v1/quota", "/v1/sessions", "/v1/reports"):
            # The command gives up without waiting for the services that it has started.
            wait(f"{path} is served", lambda path=path: user.call("GET", path).status == 200, within=60)
            assert stack.pid("identity") is None, f"{path} is served by a service that started without identity"
        created = user.create(b"\0" * 4096)
        assert created.status in (201, 202), created
        path = f"/v1/sessions/{created.json['id']}"
        wait("quota has decided", lambda: user.call("GET", path).json["status"] == "awaitingUpload", within=60)
        assert user.call("POST", path + "/cancel", {}).json["status"] == "cancelled"
    finally:
        stack.programs.release("identity")
        stack.up()


def test_an_address_changes_when_the_one_before_agrees_too(stack, user):
    confirm = code(mail_with(stack, user, "Confirm your address"))
    assert send(stack.url, "POST", "/v1/auth/verify-email", {"token": confirm}).status == 204
    new = f"new-{user.email}"
    assert user.call("POST", "/v1/me/email", {"email": new}).status == 202
    token = code(mail_with(stack, user, "Confirm your new address"))
    waiting = user.call("POST", "/v1/me/email", {"token": token}).json
    assert (waiting["user"]["email"], waiting["change"]["email"]) == (user.email, new)
    agreement = code(mail_with(stack, user, "Confirm the change of your address"))
    changed = user.call("POST", "/v1/me/email", {"oldAddressToken": agreement}).json
    assert (changed["user"]["email"], changed["change"]) == (new, None)
    keep = code(mail_with(stack, user, "Your account has another address"))
    assert send(stack.url, "POST", "/v1/auth/keep-email", {"token": keep}).status == 204, "the one before has it back"
    old = stack.psql(f"select email from identity.profiles where user_id = '{user.id}'").strip()
    assert old == user.email


def test_a_lost_device_lets_nobody_in_once_its_owner_says_so(stack, user):
    shown = {"deviceId": uuid.uuid4().hex}
    device = send(stack.url, "POST", "/v1/auth/device", shown).json
    shown["deviceSecret"] = device["deviceSecret"]
    signed_in = send(stack.url, "POST", "/v1/auth/sign-in", {"email": user.email, "password": user.password, **shown})
    assert signed_in.status == 200
    listed = user.call("GET", "/v1/me/devices").json["items"]
    assert [one["id"] for one in listed] == [device["user"]["id"]]
    assert user.call("DELETE", f"/v1/me/devices/{listed[0]['id']}").status == 204
    refused = send(stack.url, "POST", "/v1/auth/device", shown)
    assert (refused.status, refused.code) == (401, "device-secret-invalid")


def test_an_erasure_takes_the_mails_with_it(stack, user):
    mail_with(stack, user, "Confirm your address")
    answer = user.erase()
    wait("the receipt is complete", lambda: user.call("GET", "/v1/me/erasure").status == 200)
    folder = os.path.join(stack.state, "mail", user.id)
    wait("the user's mails are gone", lambda: not os.path.exists(folder))
    removed = answer.json["erasure"]["services"][0]["removed"]["rows"]
    assert removed >= 3, answer


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_names_every_mistake_of_its_settings_at_once(stack, service):
    """It opens nothing, and ends with 3."""
    environment = {"PATH": os.environ["PATH"], "DATABASE_PASSWORD": "change-me", "HTTP_PORT": "x",
                   "KEY_ENCRYPTION_KEY": "1" * 64, "UPLOAD_KEY": "secret"}
    # Behind a shell: the services' own processes are waited for by deaths.py.
    words = ["sh", "-c", '"$0" serve; exit $?', os.path.join(stack.programs.folder, service)]
    done = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                          check=False)
    said = done.stdout + done.stderr
    assert done.returncode == 3, said
    wanted = ["DATABASE_HOST", "DATABASE_PASSWORD", "KAFKA_BOOTSTRAP_SERVERS", "HTTP_PORT",
              "ANNOUNCEMENT_KEYS"]
    wanted += {"identity": ["KEY_ENCRYPTION_KEY", "ANNOUNCEMENT_KEY", "OBJECT_STORE"], "sessions": ["UPLOAD_KEY", "OBJECT_STORE"],
               "quota": ["OBJECT_STORE"], "notifications": ["WEBHOOK_KEY"]}.get(service, [])
    assert [name for name in wanted if name not in said] == [], said
    assert "change-me" not in said, "the password is not told"
