"""Buying at Stripe: what is asked of its API is what its own client would ask, and what that client signs decides on the plan."""
import json
import os
import subprocess
import time
import uuid

import pytest

from support import supabase_sdk, tools
from support.api import User, send
from support.kept import kept_stacks
from support.places import ROOT, written
from support.stack import Stack, data_of
from support.stripe_api import CHECKOUT, PORTAL, StripeAPI, error
from support.users import new_user
from support.waiting import wait

FOLDER = "Tests/system/end-to-end"
KEY, SECRET = "rk_test_5f2d1c9b8a7e6f4d3c2b1a09", "whsec_5f2d1c9b8a7e6f4d3c2b1a09"
PAGES = {"success_url": "mirrormate://payment-success?session_id={CHECKOUT_SESSION_ID}", "cancel_url": "mirrormate://payment-cancel"}


def library(*words, given=""):
    """What Stripe's own client answers."""
    python = tools.python_with(f"{FOLDER}/stripe.txt", "Stripe's own client")
    done = subprocess.run([python, "-B", os.path.join(FOLDER, "stripe_calls.py"), *words], cwd=ROOT, input=given, capture_output=True,
                          text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def shop():
    with StripeAPI(KEY, prices=["price_1", "price_2"]) as one:
        yield one


@pytest.fixture
def stripe(shop):
    shop.asked.clear()
    shop.failures.clear()
    return shop


@pytest.fixture(scope="module")
def kept_selling(ground, shop):
    def selling():
        stack = Stack.recorded()
        stack.programs.set(
            "quota", STRIPE_WEBHOOK_SECRETS_FILE=written(stack.folder, "webhook", SECRET + "\n"), STRIPE_PRICES="price_1=premium,price_2=premium",
            STRIPE_SECRET_KEY_FILE=written(stack.folder, "key", KEY + "\n"), STRIPE_CHECKOUT_PRICES="price_1,price_2", STRIPE_TRIAL_DAYS="7",
            STRIPE_API_URL=shop.url)
        return stack

    yield from kept_stacks(selling)


@pytest.fixture
def selling(kept_selling, request):
    """A stack that sells something. Shared: every test has a customer of its own."""
    with kept_selling.lent_in_file(request) as stack:
        yield stack


@pytest.fixture
def customer(stripe):
    name = f"cus_{uuid.uuid4().hex[:14]}"
    stripe.customers.add(name)
    return name


def event(kind, told, created=None):
    """A notification around an object, as text: what is signed are its bytes."""
    created = int(time.time()) if created is None else created
    return json.dumps({
        "id": f"evt_{uuid.uuid4().hex}", "object": "event", "api_version": "2026-10-28.endive", "created": created, "livemode": False,
        "pending_webhooks": 1, "request": {"id": None, "idempotency_key": None}, "type": kind, "data": {"object": told}})


def subscription(customer, owner, status="trialing", **more):
    now = int(time.time())
    item = {"id": "si_1", "object": "subscription_item", "quantity": 1, "current_period_start": now - 60, "current_period_end": now + 604_800,
            "price": {"id": "price_1", "object": "price", "unit_amount": 999, "currency": "eur"}}
    return {"id": customer.replace("cus_", "sub_"), "object": "subscription", "customer": customer, "status": status, "created": now - 60, "start_date": now - 60,
            "cancel_at": None, "cancel_at_period_end": False, "canceled_at": None, "ended_at": None, "trial_end": now + 604_800,
            "metadata": {"user_id": owner} if owner else {}, "default_payment_method": {"card": {"brand": "visa", "last4": "4242"}},
            "items": {"object": "list", "data": [item]}, **more}


def notify(stack, text, signature=None):
    """Sends a notification with the signature of the library's own making."""
    signature = signature or library("sign", SECRET, given=text)
    return send(stack.url, "POST", "/v1/webhooks/stripe", text.encode(), {"Stripe-Signature": signature, "Content-Type": "application/json"})


def premium(user):
    answer = user.call("GET", "/v1/entitlements")
    assert answer.status == 200, answer
    return answer.json


def same_request(ours, theirs, path):
    """That what we ask is what Stripe's own client asks, but for what it says of itself."""
    assert ours.path == theirs.path == path and ours.fields == theirs.fields, (ours, theirs)
    for name in ("authorization", "stripe-version", "content-type"):
        assert ours.headers[name] == theirs.headers[name], name
    for one in (ours, theirs):
        assert len(one.headers["idempotency-key"]) >= 36, one.headers


def test_what_is_asked_for_is_what_stripes_own_client_asks(selling, stripe, customer):
    user = new_user(selling)
    answer = user.call("POST", "/v1/purchases/checkout", {}, key=str(uuid.uuid4()))
    assert answer.status == 200 and answer.json["url"].startswith("https://checkout.stripe.com/"), answer
    params = {"mode": "subscription", "line_items": [{"price": "price_1", "quantity": 1}], "client_reference_id": user.id,
              "subscription_data": {"metadata": {"user_id": user.id}, "trial_period_days": 7}, **PAGES}
    read = json.loads(library("checkout", stripe.url, KEY, given=json.dumps(params)))
    assert read["object"] == "checkout.session" and read["id"].startswith("cs_test_"), read
    same_request(*stripe.asked, CHECKOUT)
    assert stripe.asked[0].headers["stripe-version"] == library("version")

    stripe.asked.clear()
    assert notify(selling, event("checkout.session.completed", {
        "id": answer.json["id"], "object": "checkout.session", "customer": customer, "subscription": "sub_of_another_test",
        "client_reference_id": user.id, "customer_details": {"email": "planted@example.org"}})).status == 200
    answer = user.call("POST", "/v1/purchases/portal")
    assert answer.status == 200 and answer.json["url"].startswith("https://billing.stripe.com/"), answer
    read = json.loads(library("portal", stripe.url, KEY, given=json.dumps({"customer": customer, "return_url": "mirrormate://settings"})))
    assert read["url"] == answer.json["url"], read
    same_request(*stripe.asked, PORTAL)


def test_what_stripes_own_client_signs_decides_on_the_plan(selling, customer):
    user = new_user(selling)
    assert premium(user)["plan"] == "free"
    begun = event("customer.subscription.created", subscription(customer, user.id))
    signature = library("sign", SECRET, given=begun)
    # The client takes its own word, so the text and the secret are those that count.
    assert library("verify", SECRET, signature, given=begun) == json.loads(begun)["id"]
    for text, given in ((begun + " ", signature), (begun, library("sign", "whsec_of_somebody_else_altogether", given=begun))):
        answer = notify(selling, text, given)
        assert (answer.status, answer.code) == (400, "webhook-signature-wrong"), answer
    assert premium(user)["plan"] == "free"
    # Twice, as Stripe may.
    for _ in range(2):
        answer = notify(selling, begun, signature)
        assert answer.status == 200 and answer.json == {"received": True}, answer
    told = premium(user)
    assert (told["plan"], told["reason"], told["renews"]) == ("premium", "trial", True), told
    answer = user.call("POST", "/v1/purchases/checkout", {})
    assert (answer.status, answer.code) == (409, "purchase-in-force"), answer
    now = int(time.time()) + 5
    ended = subscription(customer, user.id, status="canceled", ended_at=now, canceled_at=now)
    assert notify(selling, event("customer.subscription.deleted", ended, created=now)).status == 200
    assert premium(user)["plan"] == "free"


def test_operators_see_what_shops_told_and_apply_it_again(selling, customer):
    user = new_user(selling)
    nobody = event("customer.subscription.updated", subscription(customer, None, status="active"))
    assert notify(selling, nobody).status == 200
    notice = "stripe/" + json.loads(nobody)["id"]
    done, out, notes = selling.command("purchases", "list", "--outcome", "waiting", "--json")
    assert done == 0 and [one["notice"] for one in data_of(out)["notices"]][:1] == [notice], notes
    named = event("checkout.session.completed", {"id": "cs_1", "object": "checkout.session", "customer": customer, "client_reference_id": user.id})
    assert notify(selling, named).status == 200
    done, out, _ = selling.command("purchases", "show", user.email)
    assert done == 0 and out.startswith("plan premium (paid, until "), out
    assert f"stripe/{customer.replace('cus_', 'sub_')}, active: gives premium" in out, out
    for words in ((), (notice,)):
        done, out, notes = selling.command("purchases", "replay", *words)
        assert done == 0 and "applied again" in out, out + notes
    done, _, notes = selling.command("purchases", "replay", "stripe/evt_of_nobody")
    assert done == 1 and "purchases list" in notes, notes
    done, out, _ = selling.command("purchases")
    assert done == 0 and all(f"stripe/{json.loads(one)['id']}" in out for one in (nobody, named)) and "4242" not in out, out


def test_a_shop_in_trouble_is_told_in_our_words_and_leaves_no_trace(selling, stripe):
    user = new_user(selling)
    stripe.failures = [(500, error("api_error", "planted"), {}), (429, error("invalid_request_error", "planted", "rate_limit"), {"Retry-After": "1"})]
    answer = user.call("POST", "/v1/purchases/checkout", {})
    assert answer.status == 200 and len(stripe.asked) == 3, answer
    assert len({one.headers["idempotency-key"] for one in stripe.asked}) == 1
    stripe.failures = [(402, error("card_error", "planted words of the shop", "card_declined"), {})]
    answer = user.call("POST", "/v1/purchases/checkout", {"price": "price_2"})
    assert (answer.status, answer.code) == (503, "purchases-unavailable") and int(answer.headers["retry-after"]) > 0, answer
    assert "planted" not in answer.body.decode(), answer
    answer = user.call("POST", "/v1/purchases/checkout", {"price": "price_of_nobody"})
    assert (answer.status, answer.code) == (422, "price-not-offered"), answer
    # The key is in no log, nor is what the shop said; what to do is.
    wait("it is in the log", lambda: "card_declined" in "".join(selling.logs().values()))
    logs = "".join(selling.logs().values())
    assert KEY not in logs and SECRET not in logs and "planted" not in logs and "checkout.stripe.com" not in logs


def test_the_apps_functions_lead_to_the_same_pages(selling, stripe, customer):
    anon, _ = supabase_sdk.keys(selling)
    email, password = f"user-{uuid.uuid4().hex}@example.org", uuid.uuid4().hex
    answer = send(selling.url, "POST", "/auth/v1/signup", {"email": email, "password": password}, {"apikey": anon})
    assert answer.status == 200, answer
    token, owner = answer.json["access_token"], answer.json["user"]["id"]
    # Without an API key, as the app sends it, and with links that nobody asked it for.
    headers = {"Authorization": f"Bearer {token}"}
    body = {"user_id": owner, "success_url": "https://elsewhere.example", "cancel_url": "https://elsewhere.example"}
    answer = send(selling.url, "POST", "/functions/v1/create-portal-session", {}, headers)
    assert (answer.status, answer.json["error"]) == (400, "No subscription found"), answer
    answer = send(selling.url, "POST", "/functions/v1/create-checkout-session", body, headers)
    assert answer.status == 200 and set(answer.json) == {"sessionId", "url"}, answer
    assert stripe.asked[-1].fields["client_reference_id"] == owner and stripe.asked[-1].fields["success_url"] == PAGES["success_url"]
    assert notify(selling, event("customer.subscription.created", subscription(customer, owner))).status == 200
    answer = send(selling.url, "POST", "/functions/v1/create-portal-session", {}, headers)
    assert answer.status == 200 and set(answer.json) == {"url"}, answer
    # What the app asks after it, in its own capitals: anything but a row is no plan to it.
    asked = f"/rest/v1/subscriptions?select=status&user_id=eq.{owner.upper()}&status=in.(active,trialing)"
    answer = send(selling.url, "GET", asked, headers={"apikey": anon, **headers})
    assert answer.status == 200 and answer.json == [{"status": "trialing"}], answer
    # The same account by the native API.
    user = User(selling.url, email=email)
    user.password = password
    user.sign_in()
    assert premium(user)["plan"] == "premium"
