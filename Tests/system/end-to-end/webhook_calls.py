"""What the standard's own library does for the test of webhooks; run by test_webhooks.py with a Python that has it.

    webhook_calls.py verify SECRET      {headers, body} comes in as JSON; what the library reads goes out as JSON, or its refusal
"""
import json
import sys

import standardwebhooks

given = json.load(sys.stdin)
try:
    print(json.dumps(standardwebhooks.Webhook(sys.argv[2]).verify(given["body"], given["headers"])))
except standardwebhooks.WebhookVerificationError as refusal:
    print(json.dumps({"refused": str(refusal)}))
