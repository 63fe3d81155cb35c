"""What Stripe's own client does for the tests of purchases; run by test_stripe.py with a Python that has it.

    stripe_calls.py sign SECRET                  a notification comes in; its signature goes out
    stripe_calls.py verify SECRET SIGNATURE      a notification comes in; the id of the event that the client reads goes out
    stripe_calls.py checkout|portal URL KEY      parameters come in as JSON; what the client reads of the page goes out as JSON
    stripe_calls.py version                      the version of the API that it speaks
"""
import json
import sys

import stripe

what, *words = sys.argv[1:]
text = "" if what == "version" else sys.stdin.read()
if what == "sign":
    print(stripe.WebhookSignature.generate_signature_header(text, words[0]))
elif what == "verify":
    print(stripe.Webhook.construct_event(text, words[1], words[0]).id)
elif what == "version":
    print(stripe.api_version)
else:
    client = stripe.StripeClient(words[1], base_addresses={"api": words[0]}, max_network_retries=0)
    pages = client.v1.checkout.sessions if what == "checkout" else client.v1.billing_portal.sessions
    page = pages.create(params=json.loads(text))
    print(json.dumps({"id": page.id, "url": page.url, "object": page.object}))
