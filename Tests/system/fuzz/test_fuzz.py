"""The whole API is fuzzed through the gateway, with a user's token and without.

Whatever schemathesis finds must be mended, in the code or in its description; fuzzing.toml says what it has to know of this
API, with reasons.
"""
import os
import pathlib
import subprocess

import pytest

from support import places, tools
from support.kept import kept_stacks
from support.stack import Stack

HERE = pathlib.Path(__file__).resolve().parent
# So many random requests for each route, and sequences of them; without it only those at all limits, which are the same each time.
EXAMPLES = os.environ.get("FUZZ_EXAMPLES")
SEED = os.environ.get("FUZZ_SEED", "1")
# Nobody else calls, so nobody needs protection; the limits themselves have tests of their own.
UNLIMITED = {f"LIMIT_{name}": "1000000/1h" for name in (
    "SIGN_UP", "SIGN_IN", "REFRESH", "DEVICE", "PASSWORD_RESET", "CODE", "ACCOUNT", "ACCOUNT_STRANGERS",
    "ACCOUNT_MAIL", "ACCOUNT_MAIL_STRANGERS", "ACCOUNT_CHANGES")}


def unlimited():
    # The broker is not what is fuzzed.
    stack = Stack(real_kafka=False)
    stack.programs.set("identity", **UNLIMITED)
    # Else there are no webhooks.
    stack.programs.set("quota", STRIPE_WEBHOOK_SECRETS="whsec_of_the_tests_and_nobody_else", STRIPE_PRICES="price_1=premium",
                       APPLE_ROOT_FILE=str(HERE / "root.pem"), APPLE_BUNDLES="org.example.app", APPLE_PRODUCTS="monthly=premium")
    return stack


@pytest.fixture(scope="module")
def kept_stack(ground):
    yield from kept_stacks(unlimited)


@pytest.fixture(scope="module")
def schemathesis():
    return pathlib.Path(tools.python_with("Tests/system/fuzz/fuzzing.txt", "fuzzing the API")).with_name("schemathesis")


@pytest.mark.parametrize("who", ["a user", "nobody"])
def test_requests_that_nobody_would_send_are_answered_as_described(schemathesis, stack, tmp_path, who):
    words = [schemathesis, "--config-file", HERE / "fuzzing.toml", "run", os.path.join(places.ROOT, "docs/openapi.json"), "--url",
             stack.url, "--seed", SEED, "--max-examples", EXAMPLES or "100"]
    if not EXAMPLES:
        words += ["--phases", "coverage"]
    environment = {**os.environ, "SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(HERE), "PYTHONDONTWRITEBYTECODE": "1"}
    if who == "a user":
        environment["FUZZ_USER"] = stack.url
    done = subprocess.run([str(word) for word in words], cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    print(done.stdout)
    assert done.returncode == 0, "schemathesis has found something; its report stands below"
