"""The app page through the gateway of a deployment, with TLS: what a browser does there and nowhere else."""
import base64
import contextlib
import hashlib
import subprocess

import pytest

from support import places
from support.browser import PHONE, Browser
from support.deployment import NAME


def key_hash(deployment):
    """The key of the gateway's certificate, as Chromium is told to trust it."""
    certificate = f"{deployment.folder}/secrets/tls/certificate.pem"
    key = subprocess.run(["openssl", "x509", "-in", certificate, "-pubkey", "-noout"], check=True, capture_output=True).stdout
    der = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "der"], input=key, check=True, capture_output=True).stdout
    return base64.b64encode(hashlib.sha256(der).digest()).decode()


@pytest.fixture
def browser(deployment):
    switches = [f"--host-resolver-rules=MAP {NAME} 127.0.0.1", f"--ignore-certificate-errors-spki-list={key_hash(deployment)}"]
    with contextlib.closing(Browser(more=switches)) as browser:
        browser.size(PHONE)
        yield browser
        browser.heard()
        assert browser.mistakes == []


def test_a_first_visit_ends_with_a_report(browser, deployment):
    browser.open(deployment.url + "/")
    assert browser.script("return isSecureContext")
    browser.click("Try it without an account")
    browser.find(".choices")
    browser.cdp("Network.enable")
    cookie = next(one for one in browser.cdp("Network.getAllCookies")["cookies"] if one["name"].endswith("mirrormate-refresh"))
    assert (cookie["name"], cookie["secure"], cookie["httpOnly"], cookie["sameSite"]) == ("__Host-mirrormate-refresh", True, True, "Strict")
    browser.choose_file(places.DEMO)
    browser.click("Get my report")
    browser.sees("All figures", within=180)
    browser.reload()
    browser.sees("All figures")
    browser.open(f"{deployment.url}/docs")
    browser.sees("Calls that need a token are made in the name of")
