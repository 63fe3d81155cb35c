"""Stripe's API, as much of it as is asked for pages: over HTTP, on this machine.

The members of answers and errors, and what is done with a repeated key, are those of https://docs.stripe.com/api/checkout/sessions/object,
https://docs.stripe.com/api/customer_portal/sessions/object, https://docs.stripe.com/api/errors and https://docs.stripe.com/api/idempotent_requests, as
the types of github.com/stripe/stripe-python (16.1.0) have them; they were made up, not recorded. Tests let Stripe's own client speak to it.
"""
import collections
import http.server
import json
import re
import threading
import time
import urllib.parse

from support.provider import Server

Asked = collections.namedtuple("Asked", "path headers fields")

CHECKOUT, PORTAL = "/v1/checkout/sessions", "/v1/billing_portal/sessions"
# What each page takes here; whatever else comes is refused, as Stripe does it.
TAKEN = {
    CHECKOUT: re.compile(
        r"mode|success_url|cancel_url|client_reference_id|customer|line_items\[0\]\[(price|quantity)\]"
        r"|subscription_data\[(trial_period_days|metadata\]\[[a-z_]+)\]"),
    PORTAL: re.compile(r"customer|return_url"),
}


class StripeAPI:
    """Listens until it is left; `asked` has what came, `failures` the answers (status, error, fields) that the next requests get instead of a page."""

    def __init__(self, key, prices=("price_1",), customers=(), address="127.0.0.1", port=0):
        self.key, self.prices, self.customers = key, set(prices), set(customers)
        self.asked, self.failures, self._kept = [], [], {}
        api = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                headers = {name.lower(): value for name, value in self.headers.items()}
                fields = dict(urllib.parse.parse_qsl(body, keep_blank_values=True, strict_parsing=bool(body)))
                api.asked.append(Asked(self.path, headers, fields))
                status, answer, more = api._answer(self.path, headers, fields)
                answer = json.dumps(answer).encode()
                self.send_response(status)
                told = {"Content-Type": "application/json", "Content-Length": str(len(answer)), "Request-Id": f"req_{len(api.asked)}", **more}
                for name, value in told.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        self._server = Server((address, port), Handler)
        self.url = f"http://{address}:{self._server.server_port}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, path, headers, fields):
        if headers.get("authorization") != f"Bearer {self.key}":
            return 401, error("invalid_request_error", "Invalid API Key provided: planted"), {}
        if path not in TAKEN:
            return 404, error("invalid_request_error", f"Unrecognized request URL (POST: {path}). planted"), {}
        if self.failures:
            return self.failures.pop(0)
        unknown = next((name for name in fields if not TAKEN[path].fullmatch(name)), None)
        if unknown:
            return 400, error("invalid_request_error", f"Received unknown parameter: {unknown}", "parameter_unknown", unknown), {}
        key = headers.get("idempotency-key")
        if key in self._kept:
            before, answer = self._kept[key]
            if before != (path, fields):
                return 400, error("idempotency_error", "Keys for idempotent requests can only be used with the same parameters. planted"), {}
            return 200, answer, {"Idempotent-Replayed": "true"}
        missing = self._missing(path, fields)
        if missing:
            return 400, error("invalid_request_error", f"No such thing: {missing} planted", "resource_missing", missing), {}
        answer = self._checkout(fields) if path == CHECKOUT else self._portal(fields)
        if key:
            self._kept[key] = (path, fields), answer
        return 200, answer, {}

    def _missing(self, path, fields):
        """The parameter that names what is not there."""
        if "customer" in fields and fields["customer"] not in self.customers:
            return "customer"
        if path == CHECKOUT and fields.get("line_items[0][price]") not in self.prices:
            return "line_items[0][price]"
        return None

    def _checkout(self, fields):
        identity = f"cs_test_{len(self._kept)}a1b2c3"
        now = int(time.time())
        return {
            "id": identity, "object": "checkout.session", "mode": fields["mode"], "status": "open", "payment_status": "unpaid", "livemode": False,
            "created": now, "expires_at": now + 86_400, "currency": "eur", "amount_subtotal": 999, "amount_total": 999,
            "client_reference_id": fields.get("client_reference_id"), "customer": fields.get("customer"), "customer_details": None,
            "subscription": None, "metadata": {}, "success_url": fields.get("success_url"), "cancel_url": fields.get("cancel_url"),
            "url": f"https://checkout.stripe.com/c/pay/{identity}#fidkdWxOYHwnPyd1blpxYHZxWjA0",
        }

    def _portal(self, fields):
        return {
            "id": "bps_1a2b3c", "object": "billing_portal.session", "configuration": "bpc_1a2b3c", "created": int(time.time()),
            "customer": fields["customer"], "flow": None, "livemode": False, "locale": None, "on_behalf_of": None,
            "return_url": fields.get("return_url"), "url": "https://billing.stripe.com/p/session/test_YWNjdF8x",
        }


def error(kind, message, code=None, parameter=None):
    """The body of an error."""
    told = {"type": kind, "message": message, "request_log_url": "https://dashboard.stripe.com/test/logs/req_planted"}
    return {"error": told | ({"code": code} if code else {}) | ({"param": parameter} if parameter else {})}
