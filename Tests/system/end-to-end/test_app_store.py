"""Purchases in the App Store, through the gateway: what Apple's own library takes for signed is taken, and nothing else."""
import json
import os
import subprocess

from support import places, tools
from support.api import send
from support.users import new_user
from support.waiting import wait

CALLS = "Tests/system/end-to-end/app_store_calls.py"
# What the library's verdicts are here: status and code.
ANSWERS = {
    "OK": (200, None), "VERIFICATION_FAILURE": (400, "app-store-signature-wrong"),
    "INVALID_CERTIFICATE": (400, "app-store-signature-wrong"), "INVALID_CHAIN_LENGTH": (400, "app-store-signature-wrong"),
    "INVALID_APP_IDENTIFIER": (422, "app-store-app-wrong"), "INVALID_ENVIRONMENT": (422, "app-store-environment-refused"),
}


def library(*words):
    python = tools.python_with("Tests/system/end-to-end/app_store.txt", "Apple's library for the App Store")
    told = subprocess.run([python, "-B", CALLS, *words], cwd=places.ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False, timeout=120)
    assert told.returncode == 0, told.stdout + told.stderr
    return [json.loads(line) for line in told.stdout.splitlines()]


def told(stack, user, case):
    """Tells quota of a case, as the App Store or an app does."""
    if case["kind"] == "notification":
        return send(stack.url, "POST", "/v1/webhooks/apple", {"signedPayload": case["signed"]})
    return user.call("POST", "/v1/purchases/apple", {"signedTransaction": case["signed"]})


def test_what_apples_library_takes_is_taken_and_gives_its_plan(new_stack):
    folder = new_stack.folder
    library("make", folder)
    new_stack.programs.set("quota", APPLE_ROOT_FILE=os.path.join(folder, "root.pem"), APPLE_BUNDLES="org.example.app",
                           APPLE_PRODUCTS="app.plus.monthly=premium")
    new_stack.up()
    user = new_user(new_stack)
    cases = library("judge", folder, user.id)
    assert {case["verdict"] for case in cases} >= {"OK", "VERIFICATION_FAILURE", "INVALID_APP_IDENTIFIER", "INVALID_ENVIRONMENT"}
    refused = [case for case in cases if case["verdict"] != "OK"]
    assert len(refused) > 20 and len(cases) - len(refused) == 4
    for case in refused:
        answer = told(new_stack, user, case)
        assert (answer.status, answer.code) == ANSWERS[case["verdict"]], (case["kind"], case["name"], answer)
    assert user.call("GET", "/v1/entitlements").json["isPremium"] is False
    assert new_stack.sql("select count(*) as kept from quota.purchase_notices") == [{"kept": 0}]

    for case in cases:
        if case["verdict"] == "OK":
            answer = told(new_stack, user, case)
            assert answer.status == 200, (case["kind"], case["name"], answer)
    standing = user.call("GET", "/v1/entitlements").json
    assert (standing["plan"], standing["reason"], standing["renews"]) == ("premium", "paid", True), standing
    assert [one["purchase"] for one in standing["purchases"]] == ["apple/2000000000000001"]
    assert user.quota()["plan"] == "premium"

    # Somebody else who hands it in gets nothing, until whoever has it is gone.
    other = new_user(new_stack)
    good = next(case for case in cases if case["verdict"] == "OK" and case["kind"] == "transaction")
    answer = told(new_stack, other, good)
    assert (answer.status, answer.code) == (409, "purchase-of-another-account"), answer
    assert user.erase().status in (200, 202, 204)
    restored = wait("the purchase is free", lambda: next(
        (answer for answer in [told(new_stack, other, good)] if answer.status == 200), None), within=60)
    assert restored.json["isPremium"] is True
