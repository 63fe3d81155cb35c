"""The app page in a real browser: what a person does from the first visit on, and whether everybody can."""
import base64
import contextlib
import datetime
import glob
import gzip
import hashlib
import hmac
import json
import os
import re
import signal
import struct
import subprocess
import time
import uuid
import zipfile

import pytest

from support import pictures, places, tools
from support.api import send, sha256, small_video
from support.browser import DESKTOP, ELEMENT, PHONE, Browser, needed
from support.issuer import Issuer
from support.mails import code
from support.notes import note
from support.programs import SERVICES
from support.users import Speaker, ended, new_user
from support.waiting import wait

WEB = os.path.join(places.ROOT, "infra", "web")
# A refusal that a test provokes is in the console too; the page shows what it says.
REFUSAL = re.compile(r"/v1/\S* - Failed to load resource: the server responded with a status of 4\d\d|net::ERR_INTERNET_DISCONNECTED")


@pytest.fixture(scope="module")
def film(demo_video, tmp_path_factory):
    """The demo video as Chromium's made-up camera and microphone take it."""
    needed()
    folder = tmp_path_factory.mktemp("film")
    picture, sound = folder / "film.mjpeg", folder / "film.wav"
    for words in (["-vf", "scale=640:360", "-q:v", "6", str(picture)], ["-ar", "48000", "-ac", "1", str(sound)]):
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", places.DEMO, "-t", "12", *words], stdin=subprocess.DEVNULL, check=True)
    return str(picture), str(sound)


@pytest.fixture
def browser(stack, request):
    """A new window at the page's start; a mistake in its console, such as a breach of its policy, fails the test."""
    browser = Browser(*(request.getfixturevalue("film") if "film" in request.fixturenames else ()))
    try:
        browser.size(PHONE)
        browser.open(stack.url + "/")
        yield browser
        browser.heard()
        assert [line for line in browser.mistakes if not REFUSAL.search(line)] == []
    finally:
        browser.close()


@pytest.fixture(scope="module")
def axe():
    python = tools.python_with("Tests/system/page/axe.txt", "looking for barriers with axe", "--no-deps")
    found = glob.glob(os.path.join(os.path.dirname(python), "..", "lib", "python*", "site-packages", "axe_playwright_python", "axe.min.js"))
    with open(found[0], encoding="utf-8") as file:
        return file.read()


def looked_at(browser, axe, name):
    """What axe finds on the view that is open, in light and dark, on a phone and a desk; keeps pictures where PAGE_PICTURES says."""
    findings = []
    for place, size in (("phone", PHONE), ("desk", DESKTOP)):
        for look in ("light", "dark"):
            browser.size(size, dark=look == "dark")
            if os.environ.get("PAGE_PICTURES"):
                os.makedirs(os.environ["PAGE_PICTURES"], exist_ok=True)
                browser.script("scrollTo(0, 0)")
                browser.picture(os.path.join(os.environ["PAGE_PICTURES"], f"{name}-{place}-{look}.png"))
            if not browser.script("return 'axe' in window"):
                browser.script(axe + "; window.axe = axe")
            found = browser.call("POST", "/execute/async", {"script": """
                const done = arguments[0];
                axe.run(document, { resultTypes: ["violations"] }).then((all) => done(all.violations.flatMap((one) =>
                    one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 160)} ${node.failureSummary.slice(0, 200)}`))));
            """, "args": []})
            findings += [f"{name}, {place}, {look}: {one}" for one in found]
    browser.size(PHONE)
    return findings


def send_file(browser):
    browser.find(".choices")
    browser.choose_file(places.DEMO)
    browser.click("Get my report")


def report_of_file(browser):
    send_file(browser)
    browser.sees("All figures", within=60)


def kept_recordings(browser):
    """How many recordings the browser's own database holds."""
    return browser.call("POST", "/execute/async", {"script": """
        const done = arguments[0];
        const request = indexedDB.open("mirrormate");
        request.onsuccess = () => {
            const count = request.result.transaction("recordings").objectStore("recordings").count();
            count.onsuccess = () => { request.result.close(); done(count.result); };
        };
    """, "args": []})


def signed_up(browser, url):
    address = f"page-{uuid.uuid4().hex}@example.org"
    browser.open(url + "/#/sign-up")
    browser.type("input[type=email]", address)
    browser.type("input[type=password]", "a long one for the page")
    browser.click_at("button[type=submit]")
    browser.sees("We mailed a code")
    return address


def confirmed(browser, stack, address):
    """Confirms the address of whoever has just signed up."""
    browser.type("input[name=code]", code(mail_to(stack, address, "Confirm your address")))
    browser.click_at("button[type=submit]")
    browser.find(".choices")


def with_reports(stack, *recordings, keep_days=0, media=None):
    """Somebody with an account and a report of each recording, the oldest first; each says what its session is created with."""
    user = new_user(stack)
    done, _, notes = stack.command("plan", user.email, "premium")
    assert done == 0, notes
    if keep_days:
        assert user.call("PUT", "/v1/retention", {"keepMediaDays": keep_days}).status == 200
    sessions = []
    for more in recordings:
        session = user.send_video(media or small_video(), **more)
        assert ended(user, session)["status"] == "complete"
        wait("the report is in the history", lambda: [one["sessionId"] for one in user.call("GET", "/v1/reports?limit=1").json["items"]] == [session])
        sessions.append(session)
    return user, sessions


def signed_in(browser, stack, user):
    browser.open(f"{stack.url}/#/sign-in")
    browser.type("input[type=email]", user.email)
    browser.type("input[type=password]", user.password)
    browser.click_at("button[type=submit]")
    browser.find(".choices")


def said(browser, words):
    """Waits until those who hear the page are told."""
    wait(f"{words!r} is said", lambda: browser.script("return document.getElementById('said').textContent") == words)


def answered(browser, method, path, document, status=200, times=1000):
    """From now on the page is answered so, until it is loaded anew; what it asks for otherwise goes to the server."""
    browser.script("""
        const [method, path, document, status, times] = arguments;
        const own = window.fetch;
        let left = times;
        const type = status < 400 ? "application/json" : "application/problem+json";
        window.fetch = (asked, more) => asked === path && (more?.method ?? "GET") === method && left-- > 0
            ? Promise.resolve(new Response(JSON.stringify(document), { status, headers: { "Content-Type": type } })) : own(asked, more);
    """, method, path, document, status, times)


def chosen(browser, label, value):
    """Gives the field with this label a value, as whoever chooses it does."""
    browser.script("""
        const [label, value] = arguments;
        const field = [...document.querySelectorAll("main label")].find((one) => one.textContent === label).control;
        field.value = value;
        field.dispatchEvent(new Event("change", { bubbles: true }));
    """, label, value)


def app_code(secret):
    """What an authenticator app shows now (RFC 6238)."""
    key = base64.b32decode(secret.replace(" ", "") + "=" * (-len(secret.replace(" ", "")) % 8))
    digest = hmac.new(key, struct.pack(">Q", int(time.time()) // 30), hashlib.sha1).digest()
    place = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[place:place + 4])[0] & 0x7FFFFFFF) % 1_000_000:06d}"


def mail_to(stack, address, subject):
    def found():
        for path in sorted(glob.glob(os.path.join(stack.state, "mail", "*", "*.eml"))):
            with open(path, encoding="ascii") as file:
                text = file.read()
            if address in text and f"\nSubject: {subject}\n" in text:
                return text
        return None
    return wait(f"mail to {address}: {subject}", found, within=60)


def linked(mail, stack, view):
    """The link of a mail to a view of the page."""
    return re.search(rf"^{re.escape(stack.url)}/#/{view}/[A-Za-z0-9_-]{{43}}$", mail, re.MULTILINE).group(0)


def test_a_first_visit_ends_with_a_report_of_the_camera_in_the_history_and_without_it(browser, film):
    browser.click("Try it without an account")
    browser.click("Use the camera")
    browser.find(".stage video")
    browser.click("Start recording")
    browser.find(".badge")
    wait("four seconds are recorded", lambda: re.search(r"0:0[4-9]", browser.text), within=60)
    browser.click("Stop")
    browser.find(".player")
    # Whoever looks elsewhere first finds it again.
    browser.script("location.hash = '#/history'")
    browser.sees("No report yet")
    browser.script("location.hash = '#/record'")
    browser.sees("This one was not sent yet")
    browser.click("Get my report")
    browser.sees("All figures", within=60)
    assert "Work on this first" in browser.text or "What went well" in browser.text
    # The recording of this visit plays beside its moments.
    browser.find("video.player")
    browser.click_at("a[href='#/history']")
    browser.click_at("a.entry")
    browser.click("Delete")
    browser.click_at("dialog button.danger")
    browser.sees("No report yet")


def test_whoever_signs_up_confirms_the_address_and_leaves_nothing_behind(browser, stack):
    address = signed_up(browser, stack.url)
    # A mail's link brings the code; it does not stay in the address.
    browser.open(linked(mail_to(stack, address, "Confirm your address"), stack, "verify"))
    browser.find("input[name=code]")
    assert browser.address == f"{stack.url}/#/verify"
    browser.click_at("button[type=submit]")
    browser.find(".choices")
    browser.click_at("a[href='#/account']")
    browser.sees("confirmed")
    assert address in browser.text
    browser.click("Sign out")
    browser.sees("See yourself speak")
    browser.back()
    browser.back()
    browser.sees("See yourself speak")
    assert address not in browser.script("return document.documentElement.outerHTML")
    assert browser.script("return JSON.stringify([localStorage, sessionStorage, document.cookie])") == '[{},{},""]'
    browser.click_at("a[href='#/sign-in']")
    browser.type("input[type=email]", address)
    browser.type("input[type=password]", "a wrong one for the page")
    browser.click_at("button[type=submit]")
    browser.sees("Check the address and the password, or sign up.")
    browser.type("input[type=password]", "a long one for the page")
    browser.click_at("button[type=submit]")
    browser.find(".choices")


def test_the_link_of_a_mail_leads_whoever_is_signed_out_to_its_view_by_the_sign_in(browser, stack):
    address = signed_up(browser, stack.url)
    mail = mail_to(stack, address, "Confirm your address")
    browser.open(f"{stack.url}/#/account")
    browser.click("Sign out")
    # Nobody is here; then somebody whom the mail was not to.
    browser.click("Try it without an account")
    browser.find(".choices")
    browser.open(linked(mail, stack, "verify"))
    browser.sees("Sign in first")
    assert browser.address == f"{stack.url}/#/verify"
    browser.click_at("main a[href='#/sign-in']")
    browser.type("input[type=email]", address)
    browser.type("input[type=password]", "a long one for the page")
    browser.click_at("button[type=submit]")
    browser.sees("Confirm your address")
    assert browser.script("return document.querySelector('input[name=code]').value") == code(mail)
    browser.click_at("button[type=submit]")
    browser.find(".choices")


def test_an_address_is_changed_by_the_links_of_mails_and_kept_after_all(browser, stack):
    address = signed_up(browser, stack.url)
    confirmed(browser, stack, address)
    new = f"new-{address}"
    browser.open(f"{stack.url}/#/account")
    browser.click("Change the address")
    browser.type("input[type=email]", new)
    browser.click_at("details[open] button[type=submit]")
    browser.sees("Confirm your new address")
    browser.type("input[name=code]", code(mail_to(stack, new, "Confirm your new address")))
    browser.click_at("button[type=submit]")
    browser.sees("Confirm at your current address")
    browser.open(linked(mail_to(stack, address, "Confirm the change of your address"), stack, "old-address"))
    wait("the code is there", lambda: browser.script("return document.querySelector('input[name=code]')?.value"))
    browser.click_at("button[type=submit]")
    browser.sees(new)
    browser.open(linked(mail_to(stack, address, "Your account has another address"), stack, "keep-address"))
    browser.click("Keep my account")
    browser.sees("The account is yours.")
    browser.click("I have a code")
    browser.type("input[name=code]", code(mail_to(stack, address, "Choose a new password")))
    browser.type("input[type=password]", "another long one for the page")
    browser.click_at("button[type=submit]")
    browser.sees("The new password is saved.")


def test_a_reload_keeps_whoever_is_signed_in_by_a_cookie_that_no_script_sees(browser, stack):
    address = signed_up(browser, stack.url)
    browser.cdp("Network.enable")
    kept = {cookie["name"]: cookie for cookie in browser.cdp("Network.getAllCookies")["cookies"]}
    cookie = kept["mirrormate-refresh"]
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Strict", "/v1/auth")
    seen = browser.script("return JSON.stringify([localStorage, sessionStorage, document.cookie])")
    assert cookie["value"] not in seen and address not in seen
    for _ in range(3):
        browser.open(f"{stack.url}/#/account")
        browser.reload()
        browser.sees(address)
    renewed = {cookie["name"]: cookie["value"] for cookie in browser.cdp("Network.getAllCookies")["cookies"]}
    assert renewed["mirrormate-refresh"] != cookie["value"]
    browser.click("Sign out")
    browser.sees("See yourself speak")
    assert "mirrormate-refresh" not in {cookie["name"] for cookie in browser.cdp("Network.getAllCookies")["cookies"]}


def test_two_tabs_are_one_visit(browser, stack):
    address = signed_up(browser, stack.url)
    first = browser.tab
    browser.new_tab()
    second = browser.tab
    browser.open(f"{stack.url}/#/account")
    browser.sees(address)
    # Both renew their tokens again and again, at once, and neither signs the other out.
    for _ in range(5):
        for tab in (first, second):
            browser.tab = tab
            browser.script("setTimeout(() => location.reload())")
    for tab in (first, second):
        browser.tab = tab
        browser.open(f"{stack.url}/#/account")
        browser.sees(address)
    browser.click("Sign out")
    browser.sees("See yourself speak")
    browser.tab = first
    browser.sees("See yourself speak")
    browser.back()
    browser.sees("See yourself speak")
    assert address not in browser.script("return document.documentElement.outerHTML")
    # Whoever signs in now is there in both.
    other = signed_up(browser, stack.url)
    browser.tab = second
    browser.open(f"{stack.url}/#/account")
    browser.sees(other)


@pytest.fixture
def strict_stack(new_stack):
    """A stack that takes no refresh token twice, not even a moment later."""
    new_stack.programs.set("identity", REFRESH_GRACE="0s")
    new_stack.up()
    return new_stack


def test_tabs_take_turns_with_the_cookie(strict_stack):
    """Two tabs that renew at once both stay, because one waits for the other."""
    with contextlib.closing(Browser()) as browser:
        browser.size(PHONE)
        browser.open(strict_stack.url + "/")
        address = signed_up(browser, strict_stack.url)
        tabs = [browser.tab]
        browser.new_tab()
        tabs.append(browser.tab)
        for tab in tabs:
            browser.tab = tab
            browser.open(f"{strict_stack.url}/#/account")
            # Whoever reloads before the answer with the next token is there signs themselves out: no tab can help that.
            browser.sees(address)
            browser.reload()
            browser.sees(address)
            # Answers come so late that the second tab asks before the first one has its own.
            browser.network(delay=1500)

        def both_stay():
            for tab in tabs:
                browser.tab = tab
                browser.script("setTimeout(() => location.reload())")
            for tab in tabs:
                browser.tab = tab
                found = wait("it says who is there", lambda: browser.script(
                    "const text = document.querySelector('main')?.innerText ?? '';"
                    "return text.includes(arguments[0]) ? 'in' : /See yourself speak|not signed in any more|were signed out/.test(text) ? 'out' : ''", address), within=60)
                if found == "out":
                    return False
            return True
        assert all(both_stay() for _ in range(3))


def test_somebody_else_in_another_tab_is_asked_about(browser, stack):
    address = signed_up(browser, stack.url)
    first = browser.tab
    browser.open(f"{stack.url}/#/account")
    browser.sees(address)
    for goes_on in (True, False):
        browser.new_tab()
        second = browser.tab
        other = signed_up(browser, stack.url)
        browser.tab = first
        question = browser.find("dialog")
        assert other in browser.script("return arguments[0].textContent", {ELEMENT: question})
        # Before it is answered nothing is there of either, nor is anything after leaving the question.
        assert not {address, other} & set(re.findall(r"page-[0-9a-f]+@example\.org", browser.text))
        browser.script("document.querySelector('dialog').close()")
        browser.find("dialog")
        if goes_on:
            browser.click(f"Go on as {other}")
            browser.script("location.hash = '#/account'")
            browser.sees(other)
            address = other
        else:
            # Not when it cannot be done: then it still asks.
            browser.network(is_there=False)
            browser.click("Sign out")
            browser.find("dialog .problem")
            browser.network()
            browser.click("Sign out")
            browser.sees("See yourself speak")
            browser.tab = second
            browser.sees("See yourself speak")
            assert "mirrormate-refresh" not in {cookie["name"] for cookie in browser.cdp("Network.getAllCookies")["cookies"]}


def planted(browser, stack, path):
    """Somebody else's refresh cookie, put among the browser's as another server on this machine could; gives whose it is."""
    address = f"planted-{uuid.uuid4().hex}@example.org"
    body = {"email": address, "password": "a long one for the page"}
    answer = send(stack.url, "POST", "/v1/auth/sign-up", body, {"Refresh-Token-In": "cookie", "Origin": stack.url})
    value = next(text for name, text in answer.fields if name == "set-cookie" and text.startswith("mirrormate-refresh=")).split(";")[0].split("=", 1)[1]
    browser.cdp("Network.enable")
    browser.cdp("Network.setCookie", name="mirrormate-refresh", value=value, url=f"{stack.url}{path}", path=path, httpOnly=True, sameSite="Strict")
    return address


def test_a_planted_cookie_is_asked_about_before_anything_is_done_in_its_name(browser, stack):
    address = signed_up(browser, stack.url)
    other = planted(browser, stack, "/v1/auth")
    browser.open(f"{stack.url}/#/account")
    browser.reload()
    question = browser.find("dialog")
    assert other in browser.script("return arguments[0].textContent", {ELEMENT: question})
    assert other not in browser.text and address not in browser.text
    browser.click("Sign out")
    browser.sees("See yourself speak")


def test_of_two_cookies_none_is_taken_and_it_says_what_to_do(browser, stack):
    address = signed_up(browser, stack.url)
    other = planted(browser, stack, "/v1")
    browser.open(f"{stack.url}/#/account")
    browser.reload()
    browser.sees("Remove this site's cookies in the browser's settings")
    assert other not in browser.text and address not in browser.text
    browser.cdp("Network.deleteCookies", name="mirrormate-refresh", url=f"{stack.url}/v1", path="/v1")
    browser.click("Try again")
    browser.sees(address)


def test_whoever_cannot_be_signed_out_is_told_so(browser, stack):
    address = signed_up(browser, stack.url)
    browser.open(f"{stack.url}/#/account")
    browser.sees(address)
    # As the gateway answers while identity is away.
    browser.script("""
        const own = window.fetch;
        const away = { type: "urn:mirrormate:problem:temporarily-unavailable", title: "Temporarily unavailable", status: 503, code: "temporarily-unavailable" };
        window.fetch = (path, more) => path === "/v1/auth/sign-out"
            ? Promise.resolve(new Response(JSON.stringify(away), { status: 503, headers: { "Content-Type": "application/problem+json", "Retry-After": "2" } }))
            : own(path, more);
    """)
    browser.click("Sign out")
    browser.find(".problem")
    browser.sees("Possible again in 2 seconds.")
    assert address in browser.text, "nobody is told that they have left"
    browser.reload()
    browser.sees(address)
    browser.click("Sign out")
    browser.sees("See yourself speak")
    browser.reload()
    browser.sees("See yourself speak")


def test_the_back_button_shows_nothing_of_whoever_signed_out(browser, stack):
    address = signed_up(browser, stack.url)
    confirmed(browser, stack, address)
    report_of_file(browser)
    for view in ("history", "practice", "account"):
        browser.click_at(f"a[href='#/{view}']")
        browser.find(f"a[aria-current][href='#/{view}']")
    browser.sees(address)
    browser.click("Sign out")
    browser.sees("See yourself speak")
    for _ in range(8):
        browser.back()
        if not browser.address.startswith(stack.url):
            break
        # The way in, or the form by which they came.
        wait("a view for anybody", lambda: "See yourself speak" in browser.text or "Create an account" in browser.text)
        assert "All figures" not in browser.text
        assert address not in browser.script("return document.documentElement.outerHTML")
    browser.open(stack.url + "/")
    assert kept_recordings(browser) == 0


def test_a_second_factor_is_set_up_asked_for_and_turned_off(browser, stack):
    address = signed_up(browser, stack.url)
    confirmed(browser, stack, address)
    browser.open(f"{stack.url}/#/account")
    browser.click("Second factor")
    browser.click("Set it up")
    browser.find(".qr")
    browser.click("Type the secret instead")
    browser.type("input[name=code]", "000000")
    browser.click("Turn it on")
    browser.sees("That code cannot be used.")
    browser.type("input[name=code]", app_code(browser.script("return document.querySelector('.secret-text').textContent")))
    browser.click("Turn it on")
    browser.sees("Keep these recovery codes")
    codes = browser.script("return [...document.querySelectorAll('.codes code')].map((one) => one.textContent)")
    assert len(set(codes)) == 10
    browser.click("I have kept them")
    browser.sees("10 recovery codes are left.")
    browser.click("Sign out")
    browser.click_at("a[href='#/sign-in']")
    browser.type("input[type=email]", address)
    browser.type("input[type=password]", "a long one for the page")
    browser.click_at("button[type=submit]")
    browser.sees("A code is needed too")
    browser.type("input[name=code]", codes[0])
    browser.click_at("button[type=submit]")
    browser.find(".choices")
    browser.open(f"{stack.url}/#/account")
    browser.click("Second factor")
    browser.sees("9 recovery codes are left.")
    browser.click("New recovery codes")
    browser.sees("Keep these recovery codes")
    assert not set(codes) & set(browser.script("return [...document.querySelectorAll('.codes code')].map((one) => one.textContent)"))
    browser.click("I have kept them")
    browser.click("Turn it off")
    browser.click_at("dialog button.danger")
    browser.click("Set it up")


@pytest.fixture
def consenting_stack(new_stack):
    """A stack that names two providers outside, for whom people can agree to something."""
    path = os.path.join(new_stack.folder, "consents.json")
    texts = [{"provider": provider, "purpose": "transcription", "dataClasses": ["audio"], "version": "1", "texts": {"en": f"Sound goes to {name}."}}
             for provider, name in (("openai", "OpenAI"), ("another", "another one"))]
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"version": 1, "consents": texts}, file)
    os.chmod(path, 0o644)
    new_stack.programs.set("identity", CONSENTS_FILE=path)
    new_stack.up()
    return new_stack


def test_what_providers_may_have_is_agreed_to_and_taken_back_in_the_account(consenting_stack):
    with contextlib.closing(Browser()) as browser:
        browser.size(PHONE)
        browser.open(consenting_stack.url + "/")
        signed_up(browser, consenting_stack.url)
        browser.open(f"{consenting_stack.url}/#/account")
        browser.sees("Sound goes to OpenAI.")
        assert not browser.script("return document.getElementById('outside-0').checked"), "nobody has agreed by signing up"
        browser.click_at("#outside-0")
        browser.sees("You agreed on")
        browser.reload()
        browser.sees("You agreed on")
        assert browser.script("return document.getElementById('outside-0').checked")
        browser.click_at("#outside-0")
        wait("it is taken back", lambda: "You agreed on" not in browser.text)
        browser.reload()
        browser.find("#outside-0")
        assert not browser.script("return document.getElementById('outside-0').checked")


def test_what_was_taken_back_elsewhere_does_not_come_back_from_a_page_that_still_shows_it(consenting_stack):
    url = consenting_stack.url
    with contextlib.closing(Browser()) as browser:
        browser.size(PHONE)
        browser.open(url + "/")
        address = signed_up(browser, url)
        browser.open(f"{url}/#/account")
        for count, box in enumerate(("#outside-0", "#outside-1"), start=1):
            browser.find(box)
            browser.click_at(box)
            wait("it is agreed to", lambda expected=count: browser.text.count("You agreed on") == expected)
        token = send(url, "POST", "/v1/auth/sign-in", {"email": address, "password": "a long one for the page"}).json["accessToken"]
        headers = {"Authorization": f"Bearer {token}"}
        one = {"provider": "openai", "purpose": "transcription", "version": "1", "locale": "en"}
        elsewhere = send(url, "PUT", "/v1/consents", {"given": [one]}, headers)
        assert elsewhere.status == 200 and len(elsewhere.json["given"]) == 1, elsewhere
        browser.click_at("#outside-0")
        wait("both are taken back", lambda: "You agreed on" not in browser.text)
        assert send(url, "GET", "/v1/consents", headers=headers).json["given"] == []


def test_login_sessions_consents_and_data_are_in_the_account(browser, stack, tmp_path):
    address = signed_up(browser, stack.url)
    elsewhere = send(stack.url, "POST", "/v1/auth/sign-in", {"email": address, "password": "a long one for the page", "deviceName": "Another phone"})
    assert elsewhere.status == 200
    browser.open(f"{stack.url}/#/account")
    browser.sees("Another phone")
    browser.sees("this device")
    # Neither Google nor Apple is set up here, so nobody hears of them.
    assert "Google" not in browser.text and "Apple" not in browser.text
    browser.click("End")
    wait("it is gone", lambda: "Another phone" not in browser.text)
    refused = send(stack.url, "POST", "/v1/auth/refresh", {"refreshToken": elsewhere.json["refreshToken"]})
    assert (refused.status, refused.code) == (401, "refresh-token-invalid")
    browser.sees(address)
    assert browser.script("return document.getElementById('outside-0')") is None, "a server that names no provider shows none"
    assert browser.script("return document.getElementById('mails-security').disabled")
    browser.click_at("#mails-productNews")
    wait("it is said", lambda: browser.script("return document.getElementById('said').textContent") == "Saved.")
    browser.reload()
    browser.find("#mails-productNews")
    assert browser.script("return document.getElementById('mails-productNews').checked")
    token = send(stack.url, "POST", "/v1/auth/sign-in", {"email": address, "password": "a long one for the page"}).json["accessToken"]
    mine = {"Authorization": f"Bearer {token}"}
    began = (datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=1)).replace(microsecond=0)
    session = {"id": str(uuid.uuid4()), "kind": "meditation", "startedAt": began.isoformat().replace("+00:00", "Z"), "timeZone": "UTC",
               "endedAt": (began + datetime.timedelta(minutes=10)).isoformat().replace("+00:00", "Z"), "activeSeconds": 600}
    assert send(stack.url, "POST", "/v1/practice/sessions", session, mine).status == 201
    # An export reads a list that follows what was told a moment later.
    wait("it is in the export", lambda: session["id"].encode() in send(stack.url, "GET", "/v1/practice/export", headers=mine).body)
    browser.cdp("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    for button, form in (("Practice as a table", "csv"), ("Practice for programs", "json")):
        browser.click(button)
        browser.sees("The file is among your downloads.")
        file = tmp_path / f"mirrormate-practice.{form}"
        exported = send(stack.url, "GET", f"/v1/practice/export?format={form}", headers=mine).body
        wait("the file is whole", lambda file=file, exported=exported: file.exists() and file.stat().st_size == len(exported))
        assert file.read_bytes() == exported and session["id"].encode() in exported
    browser.open(f"{stack.url}/#/sign-in")
    browser.find("form")
    # What nobody began here ends nothing: somebody else's code lets nobody in.
    browser.open(f"{stack.url}/?code=somebody-elses&state=guessed")
    browser.sees("You came back without being signed in.")
    assert browser.address == f"{stack.url}/#/provider"


def test_a_forgotten_password_is_chosen_anew(browser, stack):
    address = signed_up(browser, stack.url)
    browser.click_at("a[href='#/account']")
    browser.click("Sign out")
    browser.click_at("a[href='#/sign-in']")
    browser.click("Forgot the password?")
    browser.type("input[type=email]", address)
    browser.click_at("button[type=submit]")
    browser.type("input[name=code]", code(mail_to(stack, address, "Choose a new password")))
    browser.type("input[type=password]", "another long one for the page")
    browser.click_at("button[type=submit]")
    browser.sees("The new password is saved.")


def test_a_lost_network_loses_nothing(browser, stack):
    browser.click("Try it without an account")
    browser.find(".choices")
    browser.choose_file(places.DEMO)
    browser.find(".player")
    browser.network(is_there=False)
    browser.click("Get my report")
    browser.sees("You are offline. Nothing is lost")
    browser.network()
    # Kept over a reload, too, and offered again.
    browser.reload()
    browser.sees("This one was not sent yet")
    # So slow that it is cut in the middle; then, perhaps, by a reload.
    browser.network(sending=40_000)
    browser.click("Get my report")
    browser.sees("Sending: ")
    browser.network(is_there=False)
    browser.sees("You are offline. The recording is kept in this browser")
    browser.network()
    browser.reload()
    browser.sees("All figures", within=90)
    # It plays here still, and is kept no longer than needed.
    browser.find("video.player")
    assert kept_recordings(browser) == 0
    # Known again after a reload, and refused in words.
    browser.open(stack.url + "/")
    browser.reload()
    send_file(browser)
    browser.sees("Your reports for now are used up.")
    browser.sees("The next one is possible from")
    # It waits here for the next one.
    browser.sees("The recording stays in this browser")
    browser.reload()
    browser.sees("This one was not sent yet")


def begun(browser, sending):
    """Lets a guest send a file as slowly as that, in bytes a second; gives the session while it is under way."""
    browser.click("Try it without an account")
    browser.find(".choices")
    browser.choose_file(places.DEMO)
    browser.find(".player")
    browser.network(sending=sending)
    browser.click("Get my report")
    browser.sees("Sending: ")
    return browser.address.rpartition("/")[2]


def test_what_has_come_of_a_recording_is_not_sent_again(browser, stack):
    """Neither after a lost connection nor after a reload: the server says where it goes on. Another view does not interrupt it at all."""
    # Where each piece begins, of the pages to come.
    browser.cdp("Page.addScriptToEvaluateOnNewDocument", source="""
        window.pieces = [];
        const own = XMLHttpRequest.prototype.setRequestHeader;
        XMLHttpRequest.prototype.setRequestHeader = function (name, value) {
            if (name === "Upload-Offset") window.pieces.push(Number(value));
            own.call(this, name, value);
        };""")
    browser.reload()
    session = begun(browser, sending=30_000)
    browser.sees("Keep this page open until it is sent")

    def come():
        rows = stack.sql(f"select received from sessions.resumable_uploads where session_id = '{session}'")
        return rows[0]["received"] if rows else 0

    def pieces(more_than=0):
        return wait("a piece is sent", lambda: (found := browser.script("return window.pieces")) and len(found) > more_than and found, within=60)

    def share():
        found = re.search(r"Sending: (\d+)%", browser.text)
        return int(found.group(1)) / 100 if found else 0

    wait("some of it has gone", lambda: share() > 0.1, within=60)
    # The browser's own outage would let what is on its way arrive.
    stack.kill("gateway", signal.SIGTERM)
    browser.sees("The connection broke off. It goes on by itself in a moment, where it was.")
    first = wait("what came is kept", come, within=60)
    browser.network(sending=20_000)
    stack.up()
    sent = pieces(more_than=1)
    browser.heard()
    # How the connection ended is for the browser to say.
    browser.mistakes = [line for line in browser.mistakes if not re.search(r"/v1/\S* - Failed to load resource: net::ERR_", line)]
    assert sent[0] == 0 and sent[-1] >= first > 0, sent
    browser.reload()
    again = pieces()[0]
    assert again >= first
    # The request before may have to end first; then it goes on.
    wait("it goes on", lambda: share() > again / os.path.getsize(places.DEMO) + 0.05, within=60)
    sent = pieces()
    browser.script("location.hash = '#/record'")
    browser.sees("One recording is being sent")
    browser.click("Show it")
    browser.sees("Sending: ")
    assert browser.script("return window.pieces") == sent, "it went on meanwhile"
    browser.script("location.hash = '#/history'")
    browser.sees("Under way")
    browser.network()
    said(browser, "The recording is sent.")
    browser.open(f"{stack.url}/#/session/{session}")
    browser.sees("All figures", within=90)
    [stored] = stack.events("sessions", f"stream = 'session-{session}' and type = 'UploadStored'")
    with open(places.DEMO, "rb") as file:
        assert stored["data"]["media"]["sha256"] == sha256(file.read()), "its parts are one file again"
    assert kept_recordings(browser) == 0


def test_a_recording_on_its_way_is_cancelled_and_sends_no_more(browser, stack):
    session = begun(browser, sending=20_000)
    browser.click("Cancel it")
    browser.sees("No report was made.")
    assert [one["type"] for one in stack.events("sessions", f"stream = 'session-{session}'")][-1] == "SessionCancelled"
    assert kept_recordings(browser) == 0
    # Its unit is there for another one.
    browser.network()
    browser.click("Record again")
    report_of_file(browser)


def test_a_recording_whose_time_ran_out_is_still_there_and_sent_as_another(browser, stack, axe):
    session = begun(browser, sending=20_000)
    browser.script("location.hash = '#/record'")
    browser.sees("One recording is being sent")
    findings = looked_at(browser, axe, "record-on-its-way")
    now = datetime.datetime.now(datetime.timezone.utc).isoformat().replace("+00:00", "Z")
    expired = {"id": session, "kind": "mirrormate", "status": "expired", "progress": 0, "createdAt": now, "updatedAt": now, "expiresAt": now, "media": {"kept": False, "until": None}}
    answered(browser, "GET", f"/v1/sessions/{session}", expired)
    # For the page it ran out; on the server it is really cancelled, so that there is room for another one.
    token = browser.call("POST", "/execute/async", {"script": """
        const done = arguments[0];
        const own = window.fetch;
        window.fetch = (path, more) => { window.fetch = own; done(more.headers.Authorization); return own(path, more); };
        location.hash = "#/history";
    """, "args": []})
    assert send(stack.url, "POST", f"/v1/sessions/{session}/cancel", {}, {"Authorization": token}).status == 200
    browser.script("location.hash = `#/session/${arguments[0]}`", session)
    browser.sees("The time to send it ran out")
    browser.sees("the recording is still in this browser")
    findings += looked_at(browser, axe, "session-expired-kept")
    browser.network()
    browser.click("Send it again")
    browser.sees("This one was not sent yet")
    assert kept_recordings(browser) == 1
    browser.click("Get my report")
    browser.sees("All figures", within=90)
    assert not browser.address.endswith(session)
    assert kept_recordings(browser) == 0
    assert findings == []


def test_without_a_camera_it_says_why_and_takes_a_file(browser, axe, tmp_path):
    browser.click("Try it without an account")
    browser.find(".choices")
    for name, words in (("NotAllowedError", "does not let this page use the camera"), ("NotReadableError", "Another program uses the camera"),
                        ("NotFoundError", "No camera with a microphone was found.")):
        browser.script("navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', arguments[0]))", name)
        browser.click("Use the camera")
        browser.sees(words)
        assert browser.script("return document.activeElement.textContent").startswith("Use the camera"), "whoever goes by keyboard is not lost"
    findings = looked_at(browser, axe, "camera-refused")
    browser.script("delete window.MediaRecorder")
    browser.click("Use the camera")
    browser.sees("This browser cannot record video.")
    text = tmp_path / "talk.txt"
    text.write_text("no video")
    browser.choose_file(str(text))
    browser.sees("This is no MP4, MOV or WebM video.")
    browser.choose_file(places.DEMO)
    browser.find(".player")
    assert findings == []


def test_a_recording_ends_by_itself_at_its_limit(browser):
    browser.click("Try it without an account")
    browser.find(".choices")
    # The page's clock, which can be put forward.
    browser.script("const own = performance.now.bind(performance); window.ahead = 0; performance.now = () => own() + window.ahead")
    browser.click("Use the camera")
    browser.find(".stage video")
    browser.click("Start recording")
    browser.find(".badge")
    browser.script("window.ahead = 87_000")
    browser.sees("Take a look", within=60)
    assert re.fullmatch(r"0:\d\d left", browser.script("return document.getElementById('said').textContent")), "those who hear the page were told"
    # The camera is let go, and nothing says that it is too long.
    assert browser.script("return document.querySelector('.stage')") is None
    browser.named("Get my report")


def test_a_camera_that_nobody_waits_for_is_let_go_and_one_that_is_unplugged_is_told(browser):
    browser.click("Try it without an account")
    browser.find(".choices")
    # Somebody thinks about the browser's question, and goes elsewhere before it is answered.
    browser.script("""
        window.streams = [];
        navigator.mediaDevices.getUserMedia = async (wanted) => {
            const stream = await MediaDevices.prototype.getUserMedia.call(navigator.mediaDevices, wanted);
            window.streams.push(stream);
            if (window.streams.length === 1) await new Promise((resolve) => { window.answer = resolve; });
            return stream;
        };""")
    browser.click("Use the camera")
    wait("it is asked", lambda: browser.script("return Boolean(window.answer)"))
    browser.script("location.hash = '#/history'")
    browser.sees("No report yet")
    browser.script("window.answer()")
    over = "return window.streams[arguments[0]].getTracks().map((one) => one.readyState)"
    wait("the camera is let go", lambda: set(browser.script(over, 0)) == {"ended"})
    browser.script("location.hash = '#/record'")
    browser.click("Use the camera")
    browser.find(".stage video")
    browser.script("window.streams[1].getTracks()[0].dispatchEvent(new Event('ended'))")
    browser.sees("The camera or the microphone is gone.")
    assert set(browser.script(over, 1)) == {"ended"}, "what is left of it is let go"


def test_a_cut_network_says_what_to_do_in_each_step_and_takes_nothing_away(browser, stack):
    """In each step: without a network it says so, with one the same step goes on."""
    said = "You are offline"
    browser.network(is_there=False)
    browser.click("Try it without an account")
    browser.sees(said)
    browser.network()
    browser.click("Try it without an account")
    browser.find(".choices")
    # A view that cannot be loaded comes by itself as soon as it can.
    for view, words in (("history", "No report yet"), ("progress", "Nothing to compare yet"), ("goals", "No goal yet"),
                        ("practice", "Ready when you are"), ("account", "Where you are signed in")):
        browser.network(is_there=False)
        browser.script(f"location.hash = '#/{view}'")
        browser.sees(said)
        browser.network()
        browser.sees(words)
    # One that is slow is told from one that is gone.
    browser.network(delay=7000)
    browser.script("location.hash = '#/history'")
    browser.sees("The connection is slow")
    browser.network()
    browser.sees("No report yet", within=40)
    browser.script("location.hash = '#/practice'")
    browser.click("Start")
    wait("two seconds are practised", lambda: re.search(r"0:0[2-9]", browser.text), within=30)
    browser.network(is_there=False)
    browser.click("Finish")
    browser.sees("It could not be saved yet.")
    browser.network()
    browser.click("Save it")
    browser.sees("Last sessions")
    # While it is measured, the connection breaks, and the report comes all the same.
    browser.script("location.hash = '#/record'")
    browser.find(".choices")
    browser.choose_file(places.DEMO)
    browser.find(".player")
    browser.network(sending=60_000)
    browser.click("Get my report")
    browser.sees("Sending: ")
    browser.network(is_there=False)
    browser.sees("You are offline. The recording is kept in this browser")
    browser.network()
    browser.sees("All figures", within=90)
    browser.network(is_there=False)
    browser.script("scrollTo(0, 0)")
    browser.click("Delete")
    browser.click_at("dialog button.danger")
    browser.sees(said)
    browser.network()
    browser.click("Delete")
    browser.click_at("dialog button.danger")
    browser.sees("No report yet")
    # Whoever cannot be told of leaving has not left.
    browser.script("location.hash = '#/account'")
    browser.sees("Forget me on this device")
    browser.network(is_there=False)
    browser.click("Forget me on this device")
    browser.click_at("dialog button.danger")
    browser.sees(said)
    browser.network()
    browser.click("Forget me on this device")
    browser.click_at("dialog button.danger")
    browser.sees("See yourself speak")


def test_a_report_shows_what_the_api_says_of_it(browser, stack):
    user, [session] = with_reports(stack, {})
    report = user.call("GET", f"/v1/reports/{session}").json
    signed_in(browser, stack, user)
    browser.open(f"{stack.url}/#/report/{session}")
    browser.sees("All figures")

    def plain(text):
        return " ".join(text.split())

    shown = plain(browser.text)
    span, first = report["scoreRange"], report.get("firstStep") or {}
    moments = [text for one in report["keyMoments"] for text in (one["description"], one.get("quote")) if text]
    unjudged = {one.get("reason", "") for name, one in report["measures"].items() if not one["valid"]
                and name not in ("impressionTags", "strengths", "areasForImprovement", "practiceExercises", "keyMoments")}
    means = "Part of the recording could not be judged" if span["high"] - span["low"] > 10 else "The same recording from another phone"
    for words in (report["feedback"], f"Between {span['low']} and {span['high']}. {means}", f"{report['scoreCoverage']} of 100 points could be judged",
                  *(first[name] for name in ("what", "why", "exercise", "nextRecording") if first), *report["impressionTags"], *report["strengths"], *moments, *unjudged):
        assert plain(words) in shown, words
    score = browser.script("return document.querySelector('svg.dial').getAttribute('aria-label')")
    assert score == f"{report['confidenceScore']} of 100"
    parts = [one for one in report["scoreParts"] if (one.get("share") or 0) > 0 or one.get("deduction") is not None or one["valid"]]
    assert parts and browser.script("return document.querySelectorAll('.bars .bar').length") == len(parts)
    # Of each figure its meaning, unit, source and validity are one tap away.
    browser.script("document.querySelectorAll('.figures .group').forEach((one) => { one.open = true; })")
    figures = browser.script("return [...document.querySelectorAll('.group-body > details')].map((one) => [one.querySelector('summary span').textContent, one.querySelectorAll('dt').length])")
    assert len(figures) > 20 and all(terms >= 3 for _, terms in figures), figures
    pace = report["measures"]["paceWordsPerMin"]
    assert pace["valid"]
    browser.script("[...document.querySelectorAll('.group-body summary')].find((one) => one.firstChild.textContent === 'Pace').click()")
    browser.sees("Words a minute, pauses included.")
    for words in (pace["unit"], "Rests on recognised words", "Valid", "Neither too much nor too little"):
        assert words in browser.text, words


def test_two_reports_are_compared_side_by_side_and_what_cannot_be_is_said_with_why(browser, stack):
    user, (first, second, other) = with_reports(stack, {}, {"scenario": "pitch"}, {"language": "de"})
    signed_in(browser, stack, user)
    browser.click_at("a[href='#/history']")
    browser.click("Compare two")
    browser.click("Compare these")
    browser.sees("Choose two: a change is between two reports.")
    for session in (second, first):
        browser.click_at(f".pick:has(input[value='{session}'])")
    browser.click("Compare these")
    browser.sees("Two reports, side by side")
    # The older one first, in whichever order they were chosen.
    assert browser.address == f"{stack.url}/#/compare/{first}/{second}"
    browser.sees("Nothing differs by more than the same recording can")
    browser.sees("You spoke for different purposes, and the score judges the pace by that.")
    browser.click("Choose two others")
    browser.find("a.entry")
    browser.open(f"{stack.url}/#/compare/{second}/{first}")
    browser.find(".side")
    links = browser.script("return [...document.querySelectorAll('.side a')].map((one) => one.getAttribute('href'))")
    assert links == [f"#/report/{first}", f"#/report/{second}"]
    # From a report to the one before, also after the network was away.
    browser.open(f"{stack.url}/#/report/{other}")
    browser.sees("All figures")
    # What depends on words was left open, and nothing says that another phone would make up for it.
    browser.sees("Part of the recording could not be judged; with it, the score might lie anywhere in this range.")
    assert "from another phone" not in browser.text
    browser.network(is_there=False)
    browser.click("Compare with the one before")
    browser.sees("You are offline")
    browser.network()
    browser.click("Compare with the one before")
    browser.sees("These two cannot be compared")
    browser.sees("You spoke different languages")
    assert browser.address == f"{stack.url}/#/compare/{second}/{other}"
    assert "better" not in browser.script("return [...document.querySelectorAll('.verdict')].map((one) => one.textContent)")
    browser.open(f"{stack.url}/#/report/{first}")
    browser.click("Compare with the one before")
    browser.sees("This is your first report: there is none before it.")
    # What was deleted is told, and takes nothing else away.
    assert user.call("DELETE", f"/v1/sessions/{first}").status in (200, 202, 204)
    wait("it is gone", lambda: user.call("GET", f"/v1/reports/{first}").status == 404)
    browser.open(f"{stack.url}/#/compare/{first}/{second}")
    browser.sees("It is not there any more, or was never yours.")


def test_a_report_says_what_changed_since_the_last_one_and_what_made_it(browser, stack):
    user, (first, second) = with_reports(stack, {}, {})
    signed_in(browser, stack, user)
    browser.open(f"{stack.url}/#/report/{first}")
    browser.sees("Software made this report")
    assert "Since your report of" not in browser.text
    browser.open(f"{stack.url}/#/report/{second}")
    browser.sees("Since your report of")
    verdicts = set(browser.script("return [...document.querySelectorAll('.compared .verdict')].map((one) => one.textContent)"))
    assert verdicts == {"as it was"}
    browser.click("See them side by side")
    browser.sees("Two reports, side by side")
    browser.open(f"{stack.url}/#/report/{second}")
    browser.sees("What helps most next")
    # On paper everything is open, and nothing that one would tap.
    browser.script("dispatchEvent(new Event('beforeprint'))")
    assert browser.script("return [...document.querySelectorAll('main details')].every((one) => one.open)")
    browser.cdp("Emulation.setEmulatedMedia", media="print")
    assert browser.script("return [...document.querySelectorAll('button, .button, .tabs')].filter((one) => one.checkVisibility()).length") == 0
    assert browser.script("return [...document.querySelectorAll('h2')].some((one) => one.checkVisibility() && one.textContent.startsWith('Since your report of'))")
    browser.cdp("Emulation.setEmulatedMedia", media="")


def test_a_goal_is_set_by_a_proposal_or_freely_and_met_and_dropped(browser, stack):
    user, _ = with_reports(stack, {})
    signed_in(browser, stack, user)
    browser.open(f"{stack.url}/#/goals")
    browser.sees("No goal yet")
    proposal = user.call("GET", "/v1/goals").json["proposal"]
    browser.network(is_there=False)
    browser.click("Set this goal")
    browser.sees("You are offline")
    browser.network()
    browser.click("Set this goal")
    browser.sees("Under way")
    browser.sees(f"0 of {proposal['recordings']} recordings")
    assert browser.script("return document.activeElement.tagName") == "H1", "whoever goes by keyboard is not lost"
    [goal] = user.call("GET", "/v1/goals").json["items"]
    assert {name: goal[name] for name in ("measure", "atLeast", "atMost", "recordings", "days")} == {
        name: proposal[name] for name in ("measure", "atLeast", "atMost", "recordings", "days")}
    # One of their own, within what can be.
    browser.click("A goal of your own")
    save = "form button[type=submit]"
    browser.click_at(save)
    browser.sees("Say at least how much, or at most how much.")
    browser.script("const one = document.getElementById('goal-measure'); one.value = 'eyeContactPct'; one.dispatchEvent(new Event('change'))")
    least, highest, recordings = [f"#{name}" for name in browser.script("return [...document.querySelectorAll('form input')].map((one) => one.id)")][:3]
    browser.type(least, "80")
    browser.type(highest, "20")
    browser.click_at(save)
    browser.sees("Turn them round.")
    browser.type(highest, "100")
    browser.type(recordings, "51")
    browser.click_at(save)
    browser.find(f"{recordings}[aria-invalid]")
    browser.type(recordings, "1")
    browser.click_at(save)
    browser.sees("Facing the camera from 80% to 100% of the time")
    mine = next(one for one in user.call("GET", "/v1/goals").json["items"] if one["measure"] == "eyeContactPct")
    assert (mine["atLeast"], mine["atMost"], mine["recordings"], mine["days"]) == (0.8, 1, 1, 7)
    # The same figure has one already.
    browser.click("A goal of your own")
    browser.script("const one = document.getElementById('goal-measure'); one.value = 'eyeContactPct'; one.dispatchEvent(new Event('change'))")
    browser.type("form input", "50")
    browser.click_at(save)
    browser.sees("There is a goal for this figure already.")
    # The demo's speaker faces the camera.
    assert ended(user, user.send_video(small_video()))["status"] == "complete"
    wait("the goal is met", lambda: [one["standing"] for one in user.call("GET", "/v1/goals").json["items"] if one["goalId"] == mine["goalId"]] == ["met"])
    browser.reload()
    browser.sees("reached on")
    browser.network(is_there=False)
    browser.click("Drop it")
    browser.click_at("dialog button.danger")
    browser.sees("You are offline")
    browser.network()
    browser.click("Drop it")
    browser.click_at("dialog button.danger")
    said(browser, "The goal is gone.")
    assert [one["goalId"] for one in user.call("GET", "/v1/goals").json["items"]] == [mine["goalId"]]


def test_progress_tells_what_it_knows_and_the_rule_where_it_knows_nothing(browser, stack):
    user, [session] = with_reports(stack, {})
    signed_in(browser, stack, user)
    browser.click_at("a[href='#/progress']")
    browser.sees("1 of 5 reports. A trend is told from 5 reports on that can be compared and judged")
    browser.sees("1 of the last 7 days")
    browser.sees("1 of the last 30 days")
    browser.sees("You recorded today. The streak goes on.")
    score = user.call("GET", f"/v1/reports/{session}").json["confidenceScore"]
    named = browser.script("return document.querySelector('.trend[open] svg.chart').getAttribute('aria-label')")
    assert named == f"Confidence: one value, the first {score}, the newest {score}"
    browser.click("As a table")
    assert browser.script("return [...document.querySelectorAll('.trend[open] tbody tr')].map((row) => [...row.cells].slice(1).map((one) => one.textContent))") == [[str(score), "yes"]]
    # What is asked for later says so when it cannot be had, and comes when it can.
    browser.network(is_there=False)
    browser.click("Pace")
    browser.sees("You are offline")
    browser.network()
    browser.click("Try again")
    wait("the chart is there", lambda: browser.script("return [...document.querySelectorAll('.trend[open] svg.chart')].length") == 2)
    for by, words in (("weeks", "Recordings in each of the last 12 weeks"), ("months", "Recordings in each of the last 12 months")):
        browser.click_at(f"label[for=by-{by}]")
        browser.find(f"svg[aria-label='{words}']")
        assert browser.script(f"return document.querySelectorAll('svg[aria-label=\"{words}\"] .column').length") == 1


def test_a_line_ends_where_other_rules_begin(browser):
    drawn = browser.call("POST", "/execute/async", {"script": """
        const done = arguments[0];
        const point = (value, rulesVersion, comparable, place) => ({ sessionId: String(place), createdAt: `2026-11-0${place + 1}T12:00:00Z`, value, valid: value !== null, code: null,
            lowConfidence: false, kind: "mirrormate", rulesVersion, language: "en", scenario: "general", comparable, reasons: comparable ? [] : ["rules-differ"] });
        import("/web/trend.js").then(({ series }) => {
            const made = series("confidenceScore", [point(60, 3, false, 0), point(64, 3, false, 1), point(70, 4, true, 2), point(null, 4, true, 3), point(76, 4, true, 4)]);
            done({ lines: made.querySelector(".line").getAttribute("d").match(/M/g).length, breaks: made.querySelectorAll(".break").length, hollow: made.querySelectorAll(".hollow").length,
                name: made.querySelector("svg").getAttribute("aria-label"), rows: [...made.querySelectorAll("tbody tr")].map((row) => [...row.cells].slice(1).map((one) => one.textContent)) });
        });
    """, "args": []})
    assert (drawn["lines"], drawn["breaks"], drawn["hollow"]) == (2, 1, 2)
    assert "the line is broken once, where other rules begin" in drawn["name"]
    other = "Different rules judged them: a change may be the rules', and not yours."
    assert drawn["rows"] == [["76", "yes"], ["not judged", "yes"], ["70", "yes"], ["64", other], ["60", other]]


def test_a_photo_is_chosen_seen_and_removed(browser, stack, tmp_path):
    def file(name, content):
        path = tmp_path / name
        path.write_bytes(content)
        return str(path)

    user = new_user(stack)
    signed_in(browser, stack, user)
    browser.open(f"{stack.url}/#/account")
    browser.find(".portrait svg")
    whole = pictures.png(pictures.quarters(320, 200))
    good = file("good.png", whole)
    for path, words in ((file("small.png", pictures.png(pictures.quarters(8, 8))), "This picture is too small."),
                        (file("broken.png", whole[:len(whole) // 2]), "This picture is damaged or incomplete."),
                        (file("phone.heic", b"\0\0\0\x18ftypheic"), "save any other as JPEG first."),
                        (file("large.jpg", b"\xff\xd8" + b"\0" * (8 << 20)), "This file is larger than 8 MB.")):
        browser.choose_file(path)
        browser.sees(words)
    assert user.call("GET", "/v1/me").json["user"]["photo"] is None
    browser.network(is_there=False)
    browser.choose_file(good)
    browser.sees("You are offline")
    browser.network()
    browser.choose_file(good)
    browser.find(".portrait img")
    wait("it can be seen", lambda: browser.script("return document.querySelector('.portrait img').naturalWidth") == 512)
    assert user.call("GET", "/v1/me").json["user"]["photo"] is not None
    browser.reload()
    browser.find(".portrait img")
    browser.network(is_there=False)
    browser.click("Remove")
    browser.click_at("dialog button.danger")
    browser.sees("You are offline")
    browser.network()
    browser.click("Remove")
    browser.click_at("dialog button.danger")
    browser.find(".portrait svg")
    assert user.call("GET", "/v1/me").json["user"]["photo"] is None


def test_everything_is_taken_away_in_one_archive(browser, stack, tmp_path):
    user = new_user(stack)
    signed_in(browser, stack, user)
    browser.click_at("a[href='#/account']")
    browser.click("What is stored about you")
    browser.sees("Ask for it, and it is made")
    browser.network(is_there=False)
    browser.click("Make my archive")
    browser.sees("You are offline")
    browser.network()
    # As when the last sign-in is too long ago: whoever asks shows who they are, and it is done without asking again.
    answered(browser, "POST", "/v1/exports", {"type": "urn:mirrormate:problem:confirmation-needed", "title": "Show again who you are", "status": 401, "code": "confirmation-needed"}, 401, 1)
    browser.click("Make my archive")
    browser.type("dialog input[type=password]", "a wrong one for the page")
    browser.click("Confirm")
    browser.find("dialog .problem")
    browser.type("dialog input[type=password]", user.password)
    browser.click("Confirm")
    browser.sees("It is ready", within=60)
    assert [one["state"] for one in user.call("GET", "/v1/exports").json["items"]] == ["ready"]
    browser.cdp("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    browser.network(is_there=False)
    browser.click("Download")
    browser.sees("You are offline")
    browser.network()
    browser.click("Download")
    [path] = wait("the archive is there", lambda: list(tmp_path.glob("*.zip")))
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        assert user.email in archive.read("identity/profile.json").decode()
    # It waits for whoever comes back, and goes when they say so.
    browser.reload()
    browser.sees("It is ready")
    browser.network(is_there=False)
    browser.click("Delete the archive")
    browser.click_at("dialog button.danger")
    browser.sees("You are offline")
    browser.network()
    browser.click("Delete the archive")
    browser.click_at("dialog button.danger")
    browser.sees("It is deleted")
    assert browser.script("return document.activeElement.textContent") == "It is deleted", "whoever goes by keyboard is not lost"
    assert [one["state"] for one in user.call("GET", "/v1/exports").json["items"]] == ["deleted"]


def test_an_archive_is_followed_while_a_part_is_to_come_and_the_network_is_away(browser, stack):
    user = new_user(stack)
    signed_in(browser, stack, user)
    browser.open(f"{stack.url}/#/data")
    browser.sees("Your usage")
    stack.kill("quota")
    try:
        browser.click("Make my archive")
        browser.sees("It is being collected")
        wait("three parts are shown as collected", lambda: browser.script("return document.querySelectorAll('.stages .done').length") == 3, within=60)
        assert browser.script("return document.querySelector('main progress').value") == 3
        browser.network(is_there=False)
        browser.sees("The connection is interrupted. It goes on meanwhile")
        browser.network()
        wait("it is there again", lambda: "The connection is interrupted" not in browser.text)
        browser.sees("It is being collected")
    finally:
        stack.up()
    browser.sees("It is ready", within=60)
    said(browser, "It is ready")


def test_an_archive_that_failed_or_is_over_says_so_and_what_to_do(browser, stack):
    signed_in(browser, stack, new_user(stack))
    common = {"id": str(uuid.uuid4()), "requestedAt": "2026-11-01T12:00:00Z", "deadline": "2026-11-01T12:15:00Z"}
    for more, words in (({"state": "failed", "reason": "parts-missing", "missing": ["sessions", "later-one"]}, ("It could not be made", "Not everything came in time", "Recordings and practice sessions", "later-one")),
                        ({"state": "failed", "reason": "too-large", "missing": []}, ("It could not be made", "more than the 4 GB")),
                        ({"state": "failed", "reason": "a-later-reason", "missing": []}, ("It could not be made", "Ask for it again.")),
                        ({"state": "expired"}, ("Its time is over", "Ask for another one.")),
                        ({"state": "deleted"}, ("It is deleted", "Nothing of the archive is left."))):
        browser.script("location.hash = '#/kept'")
        browser.sees("Your choice")
        answered(browser, "GET", "/v1/exports", {"items": [common | more]})
        browser.script("location.hash = '#/data'")
        for text in words:
            browser.sees(text)
        browser.named("Make another one")


def test_a_link_is_made_counted_and_taken_back(browser, stack):
    user, [session] = with_reports(stack, {})
    signed_in(browser, stack, user)
    browser.open(f"{stack.url}/#/report/{session}")
    browser.click("Share")
    browser.sees("Nobody sees anything of this report.")
    for part in ("score", "strengths", "workOn"):
        browser.click_at(f"#part-{part}")
    browser.click("Make the link")
    browser.sees("Choose at least one part.")
    browser.click_at("#part-score")
    browser.type("input[type=number]", "1001")
    browser.click("Make the link")
    browser.find("input[type=number][aria-invalid]")
    browser.type("input[type=number]", "2")
    browser.type("input[name=first-name]", "Agent 7")
    browser.click("Make the link")
    browser.sees("as a first name, letters alone")
    browser.type("input[name=first-name]", "Zdenobia")
    browser.network(is_there=False)
    browser.click("Make the link")
    browser.sees("You are offline")
    browser.network()
    # The answer is lost on its way. Its link can be told nobody again, so nobody is left with one that nobody has.
    browser.script("""
        const own = window.fetch;
        window.fetch = async (path, more) => {
            if (more?.method !== "POST" || !path.endsWith("/shares")) return own(path, more);
            window.fetch = own;
            await own(path, more);
            throw new TypeError("the answer is lost");
        };""")
    browser.click("Make the link")
    browser.sees("The server does not answer.")
    browser.click("Make the link")
    browser.sees("It is shown only now")
    browser.sees("A card of Zdenobia")
    [share] = user.call("GET", f"/v1/reports/{session}/shares").json["items"]
    assert (share["parts"], share["maxViews"], share["card"]["firstName"]) == (["score"], 2, "Zdenobia")
    browser.sees("2 views left of 2")
    token = browser.script("return document.querySelector('input[readonly]').value").partition("#")[2]
    seen = send(stack.url, "POST", "/v1/shared", {"token": token})
    assert (seen.status, seen.json["confidenceScore"], seen.json["strengths"]) == (200, share["card"]["confidenceScore"], [])
    browser.reload()
    browser.sees("1 view left of 2")
    assert token not in browser.script("return document.documentElement.outerHTML")
    browser.click("Shared links")
    browser.sees("1 view left of 2")
    browser.network(is_there=False)
    browser.click("Take it back")
    browser.click_at("dialog button.danger")
    browser.sees("You are offline")
    browser.network()
    browser.click("Take it back")
    browser.click_at("dialog button.danger")
    browser.sees("No open links")
    said(browser, "The link is gone.")
    gone = send(stack.url, "POST", "/v1/shared", {"token": token})
    assert (gone.status, gone.code) == (404, "share-unknown")
    # One whose views are used up is told apart, as long as it is listed.
    made = user.call("POST", f"/v1/reports/{session}/shares", {"maxViews": 1}).json
    assert send(stack.url, "POST", "/v1/shared", {"token": made["link"].partition("#")[2]}).status == 200
    browser.reload()
    browser.sees("used up")
    browser.sees("Opened once.")
    browser.click("Remove")
    wait("it is not listed any more", lambda: "used up" not in browser.text)
    assert user.call("GET", "/v1/shares").json["items"] == []


def test_recordings_are_kept_as_chosen_looked_at_again_and_deleted(browser, stack, demo_video):
    user, (first, second, third) = with_reports(stack, {}, {}, {}, keep_days=7, media=demo_video)
    for session in (first, second, third):
        wait("the recording is kept, and its report says so", lambda session=session: user.session(session)["media"]["kept"]
             and user.call("GET", f"/v1/reports/{session}").json["kept"]["recording"]["kept"])
    signed_in(browser, stack, user)
    browser.open(f"{stack.url}/#/kept")
    browser.sees("3 recordings are kept")
    days = browser.script("return [...document.querySelectorAll('main option')].map((one) => Number(one.value))")
    assert days == sorted(days) and (days[0], days[-1]) == (0, user.call("GET", "/v1/retention").json["mostMediaDays"]), "within the operator's limit"
    # It plays in its report, from a key moment, also when the address has expired meanwhile.
    browser.click("Look at it")
    browser.click_at(".moment button")
    wait("it plays", lambda: browser.script("return document.querySelector('video.player').currentTime") > 0)
    browser.script("document.querySelector('video.player').src = `/v1/media/${arguments[0]}?expires=1&signature=none`", third)
    wait("it has another address", lambda: browser.script("const video = document.querySelector('video.player'); return video.readyState > 0 && !video.src.endsWith('none')"))
    browser.open(f"{stack.url}/#/kept")
    browser.sees("3 recordings are kept")
    # A shorter time asks, because it deletes; and nothing is done when it is not wanted.
    chosen(browser, "Keep recordings", "3")
    browser.click("Save")
    browser.find("dialog")
    browser.click("Cancel")
    assert user.call("GET", "/v1/retention").json["keepMediaDays"] == 7
    chosen(browser, "Keep recordings", "14")
    browser.network(is_there=False)
    browser.click("Save")
    browser.sees("You are offline")
    browser.network()
    browser.click("Save")
    said(browser, "Saved. Recordings are kept for 14 days.")
    assert user.call("GET", "/v1/retention").json["keepMediaDays"] == 14
    browser.network(is_there=False)
    browser.click("Delete")
    browser.click_at("dialog button.danger")
    browser.sees("You are offline")
    browser.network()
    browser.click("Delete")
    browser.click_at("dialog button.danger")
    browser.sees("2 recordings are kept")
    wait("its report is gone, too", lambda: user.call("GET", f"/v1/reports/{third}").status == 404)
    browser.click("Delete all recordings now")
    browser.click_at("dialog button.danger")
    said(browser, "The recordings are deleted.")
    assert user.call("GET", "/v1/retention").json["keepMediaDays"] == 0
    wait("they are gone", lambda: not any(user.session(one)["media"]["kept"] for one in (first, second)))
    assert [user.call("GET", f"/v1/reports/{one}").status for one in (first, second)] == [200, 200]
    browser.reload()
    browser.sees("No recording is kept")


def test_the_quota_says_why_in_the_words_of_the_command_line(browser, stack):
    user = new_user(stack)
    assert ended(user, user.send_video(small_video()))["status"] == "complete"
    wait("its unit is charged", lambda: user.call("GET", "/v1/quota").json["used"] == 1)
    signed_in(browser, stack, user)
    browser.open(f"{stack.url}/#/account")
    browser.sees("No report left today")

    browser.click("How this is counted")
    browser.sees("0 held and 1 used of 1, until ")
    done, out, notes = stack.command("explain", "quota", user.email)
    assert done == 0, notes
    assert re.search(r"\d held and \d used of 1 in the local-day until ", " ".join(out.split())), out


def test_the_history_is_filtered_and_the_choice_stands_in_the_address(browser, stack):
    today = datetime.date.today()
    user, (first, second) = with_reports(stack, {}, {})
    others = {"calm", "nervous", "relaxed"} - {tag for one in user.call("GET", "/v1/reports").json["items"] for tag in one["tags"]}
    assert others
    other = min(others)
    before, after = (str(today + datetime.timedelta(days=count)) for count in (-1, 1))
    signed_in(browser, stack, user)
    browser.open(f"{stack.url}/#/history")

    def shown():
        return browser.script("return [...document.querySelectorAll('a.entry')].map((one) => one.getAttribute('href').split('/').pop())")

    browser.click("Filter")
    chosen(browser, "From", after)
    chosen(browser, "Until", before)
    browser.click("Apply")
    browser.sees("Turn them round.")
    chosen(browser, "From", before)
    chosen(browser, "Until", after)
    browser.click("Apply")
    said(browser, "2 reports.")
    days = f"{stack.url}/#/history?from={before}&until={after}"
    assert (browser.address, shown()) == (days, [second, first])
    chosen(browser, "Impression", other)
    browser.network(is_there=False)
    browser.click("Apply")
    browser.sees("You are offline")
    assert (browser.address, shown()) == (days, [second, first]), "what is shown is what the address says"
    browser.network()
    browser.click("Apply")
    browser.sees("No report is like that")
    assert (browser.address, shown()) == (f"{days}&tag={other}", [])
    browser.reload()
    browser.sees("No report is like that")
    assert browser.script("return [...document.querySelectorAll('.filter :is(input, select)')].map((one) => one.value)") == [before, after, other]
    browser.back()
    browser.find("a.entry")
    assert (browser.address, shown()) == (days, [second, first])
    browser.click_at("a.entry")
    browser.sees("All figures")
    browser.back()
    browser.find("a.entry")
    assert browser.address == days
    browser.click("Show all")
    wait("the address names nothing", lambda: browser.address == f"{stack.url}/#/history")
    assert shown() == [second, first]
    # Days before, a kind, and what is no day at all.
    for query, found in ((f"until={before}", []), ("kind=meditation", []), ("kind=mirrormate", [second, first]), ("from=never", [second, first])):
        browser.open(f"{stack.url}/#/history?{query}")
        wait(f"{query} is shown", lambda query=query, found=found: browser.address.endswith(query) and shown() == found
             and ("No report is like that" in browser.text) == (not found))


def test_charts_are_drawn_anew_for_another_width_or_size_of_text(browser, stack):
    user, [session] = with_reports(stack, {})
    signed_in(browser, stack, user)
    browser.open(f"{stack.url}/#/progress")
    browser.find(".trend[open] svg.chart")

    def drawn():
        """Of each chart how wide it is drawn and shown, and how high its text is, in pixels."""
        return browser.script("""return [...document.querySelectorAll("svg.chart")].filter((one) => one.checkVisibility()).map((one) => [
            one.viewBox.baseVal.width, one.getBoundingClientRect().width, one.querySelector("text").getBoundingClientRect().height])""")

    def fits(scale):
        return wait("each chart is drawn as wide as its place", lambda: (found := drawn()) and all(abs(one[0] * scale - one[1]) < 2 for one in found) and found)

    narrow = fits(1)
    browser.size(DESKTOP)
    wide = wait("the charts are wider", lambda: (found := fits(1))[0][0] > narrow[0][0] + 100 and found)
    assert [round(one[2]) for one in wide] == [round(one[2]) for one in narrow], "text keeps its size"
    browser.script("document.documentElement.style.fontSize = '200%'")
    large = fits(2)
    assert all(now[2] > 1.8 * before[2] for now, before in zip(large, wide, strict=True)), "text grows with the reader's"
    browser.script("document.documentElement.style.fontSize = ''")
    browser.size(PHONE)
    wait("they are as they were", lambda: [one[0] for one in fits(1)] == [one[0] for one in narrow])


def new_views(first, second):
    """The views that rest on several reports, and what shows that each is there."""
    return (("progress", "progress", ".trend[open] svg.chart"), ("goals", "goals", "details"), ("compare", f"compare/{first}/{second}", ".compared"),
            ("report-later", f"report/{second}", "details:has(.compared) summary"), ("history-two", "history", "a.entry"))


def test_every_view_of_several_reports_is_without_barriers(browser, stack, axe, tmp_path):
    user, (first, second, other) = with_reports(stack, {}, {}, {"language": "de"})
    assert user.call("POST", "/v1/goals", {"measure": "eyeContactPct", "atLeast": 0.8}).status == 201
    signed_in(browser, stack, user)
    findings = []
    for name, path, css in new_views(first, second):
        browser.open(f"{stack.url}/#/{path}")
        browser.find(css)
        browser.script("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        wait("all charts are there", lambda: "One moment" not in browser.text)
        findings += looked_at(browser, axe, name)
    browser.click("Compare two")
    findings += looked_at(browser, axe, "history-choosing")
    browser.open(f"{stack.url}/#/compare/{first}/{other}")
    browser.sees("These two cannot be compared")
    findings += looked_at(browser, axe, "compare-apart")
    photo = tmp_path / "photo.png"
    photo.write_bytes(pictures.png(pictures.quarters(320, 200)))
    browser.open(f"{stack.url}/#/account")
    browser.find(".portrait")
    browser.choose_file(str(photo))
    browser.find(".portrait img")
    findings += looked_at(browser, axe, "account-photo")
    browser.click("Sign out")
    browser.click("Try it without an account")
    browser.sees("Speak for a minute")
    for name, words in (("progress", "Nothing to compare yet"), ("goals", "No goal yet")):
        browser.open(f"{stack.url}/#/{name}")
        browser.sees(words)
        findings += looked_at(browser, axe, f"{name}-empty")
    assert findings == []


def data_views(session, tag):
    """The views of what is kept and who sees it, and what shows that each is there."""
    return (("data", "data", ".facts"), ("kept", "kept", ".item"), ("shares", "shares", ".item"), ("share", f"share/{session}", "form"), ("history-filtered", f"history?tag={tag}", ".filter"))


def with_links(stack):
    """Somebody with two reports whose recordings are kept, and a link of each: one is open, of one all views are used."""
    user, sessions = with_reports(stack, {}, {}, keep_days=7)
    for session, views in zip(sessions, (20, 1), strict=True):
        made = user.call("POST", f"/v1/reports/{session}/shares", {"maxViews": views, "firstName": "Zdenobia"})
        assert made.status == 201, made
        assert send(stack.url, "POST", "/v1/shared", {"token": made.json["link"].partition("#")[2]}).status == 200
        wait("the recording is kept", lambda session=session: user.session(session)["media"]["kept"])
    return user, sessions


def test_every_view_of_what_is_kept_and_shared_is_without_barriers(browser, stack, axe):
    user, (first, _) = with_links(stack)
    signed_in(browser, stack, user)
    findings = []
    for name, path, css in data_views(first, "none-like-that"):
        browser.open(f"{stack.url}/#/{path}")
        browser.find(css)
        browser.script("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        findings += looked_at(browser, axe, name)
    browser.open(f"{stack.url}/#/share/{first}")
    browser.click("Make the link")
    browser.sees("It is shown only now")
    findings += looked_at(browser, axe, "share-made")
    browser.click("Take it back")
    browser.find("dialog")
    findings += looked_at(browser, axe, "share-sure")
    browser.open(f"{stack.url}/#/kept")
    browser.click("Delete all recordings now")
    browser.find("dialog")
    findings += looked_at(browser, axe, "kept-sure")
    browser.click_at("dialog button.danger")
    said(browser, "The recordings are deleted.")
    wait("they are gone", lambda: not user.session(first)["media"]["kept"])
    browser.reload()
    browser.sees("No recording is kept")
    findings += looked_at(browser, axe, "kept-none")
    browser.open(f"{stack.url}/#/data")
    browser.click("Make my archive")
    browser.sees("It is ready", within=60)
    findings += looked_at(browser, axe, "data-ready")
    open_ = {"id": str(uuid.uuid4()), "requestedAt": "2026-11-01T12:00:00Z", "deadline": "2026-11-01T12:15:00Z", "state": "open",
             "services": [{"service": "identity", "state": "done"}, {"service": "quota", "state": "open"}]}
    failed = open_ | {"state": "failed", "reason": "parts-missing", "missing": ["quota"]}
    for name, one, words in (("data-open", open_, "It is being collected"), ("data-failed", failed, "It could not be made")):
        browser.script("location.hash = '#/kept'")
        browser.sees("Your choice")
        answered(browser, "GET", "/v1/exports", {"items": [one]})
        answered(browser, "GET", f"/v1/exports/{one['id']}", one)
        browser.script("location.hash = '#/data'")
        browser.sees(words)
        findings += looked_at(browser, axe, name)
    assert findings == []


def test_every_control_of_these_views_is_reached_by_keyboard_and_stays_within_a_phone_at_twice_the_size(browser, stack):
    user, (first, second) = with_links(stack)
    signed_in(browser, stack, user)
    for name, path, css in (*new_views(first, second), *data_views(first, "none-like-that"), ("account", "account", ".portrait")):
        browser.open(f"{stack.url}/#/{path}")
        browser.find(css)
        wait("all of it is there", lambda: "One moment" not in browser.text)
        if name == "history-two":
            browser.click("Compare two")
        browser.script("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        wait("all charts are there", lambda: "One moment" not in browser.text)
        wanted = browser.script("""
            const all = [...document.querySelectorAll("main :is(a[href], button, input, select, summary, [tabindex='0'])")];
            window.wanted = new Set(all.filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled && !(one.type === "radio" && !one.checked)));
            addEventListener("focusin", ({ target }) => window.wanted.delete(target));
            document.getElementById("main").focus();
            return window.wanted.size;""")
        assert wanted > 3, name
        # More than these: a recording's player has some of its own.
        for _ in range(wanted + 15):
            for kind in ("rawKeyDown", "keyUp"):
                browser.cdp("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
        assert browser.script("return [...window.wanted].map((one) => one.outerHTML.slice(0, 120))") == [], name
        browser.script("document.documentElement.style.fontSize = '200%'")
        wide = browser.script("""
            if (document.documentElement.scrollWidth <= arguments[0]) return [];
            return [...document.querySelectorAll("main *")].filter((one) => one.getBoundingClientRect().right > arguments[0] + 1)
                .map((one) => one.outerHTML.slice(0, 160)).slice(-3);""", PHONE[0])
        assert wide == [], name


def test_every_problem_of_the_api_has_words():
    with open(os.path.join(places.ROOT, "docs", "openapi.json"), encoding="utf-8") as file:
        document = file.read()
    codes = set(re.findall(r"""(?:"|\\n)- `([a-z][a-z-]+)`: """, document))
    for examples in re.findall(r'"code": \{\s*"examples": \[([^\]]*)\]', document):
        # The error of a session is no problem: it brings its own sentence.
        codes |= set(re.findall(r'"([a-z-]+)"', examples))
    with open(os.path.join(WEB, "texts.en.js"), encoding="utf-8") as file:
        text = file.read()
    words = re.search(r"\n    problems: \{\n(.*?)\n    \},\n", text, re.DOTALL).group(1)
    known = re.findall(r'^        "?([a-z-]+)"?: "', words, re.MULTILINE)
    assert len(known) == len(set(known))
    recordings = {"no-speech", "no-sound", "black-picture", "too-short", "too-long", "no-video", "unreadable", "processing-timeout"}
    # Said to a shop's server, and to an app that hands in what was bought in its shop: they read codes, and no person at the page can
    # meet them.
    shops = {"webhook-signature-wrong", "webhook-signature-late", "app-store-signature-wrong", "app-store-app-wrong",
             "app-store-environment-refused", "purchase-of-another-account", "purchase-not-subscription"}
    assert shops <= codes
    assert len(codes - recordings) > 100
    assert codes - recordings - shops - set(known) == set(), "without words"
    assert set(known) - codes == set(), "words that nobody says"


def test_every_view_is_without_barriers_in_light_and_dark_on_phone_and_desk(browser, stack, axe, film):
    findings = looked_at(browser, axe, "welcome")
    for name in ("sign-in", "sign-up", "forgot", "reset", "keep-address"):
        browser.open(f"{stack.url}/#/{name}")
        browser.find("form")
        findings += looked_at(browser, axe, name)
    browser.open(f"{stack.url}/#/nothing")
    browser.sees("There is nothing here")
    findings += looked_at(browser, axe, "nothing")
    browser.open(f"{stack.url}/")
    browser.click("Try it without an account")
    browser.find(".choices")
    findings += looked_at(browser, axe, "record")
    browser.open(f"{stack.url}/#/history")
    browser.sees("No report yet")
    findings += looked_at(browser, axe, "history-empty")
    browser.open(f"{stack.url}/#/record")
    browser.click("Use the camera")
    browser.find(".stage video")
    findings += looked_at(browser, axe, "camera")
    browser.click("Start recording")
    browser.find(".badge")
    findings += looked_at(browser, axe, "recording")
    wait("four seconds are recorded", lambda: re.search(r"0:0[4-9]|0:[1-9]", browser.text), within=60)
    browser.click("Stop")
    browser.find(".player")
    findings += looked_at(browser, axe, "preview")
    browser.click("Record again")
    browser.click("Leave")
    browser.find(".choices")
    browser.choose_file(places.DEMO)
    browser.find(".player")
    # So slow that one can look at it.
    browser.network(sending=20_000)
    browser.click("Get my report")
    browser.sees("Sending: ")
    findings += looked_at(browser, axe, "sending")
    browser.network(is_there=False)
    browser.sees("You are offline. The recording is kept in this browser")
    findings += looked_at(browser, axe, "interrupted")
    browser.network()
    browser.sees("All figures", within=90)
    browser.script("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    findings += looked_at(browser, axe, "report")
    browser.open(f"{stack.url}/#/history")
    browser.find("a.entry")
    findings += looked_at(browser, axe, "history")
    browser.open(f"{stack.url}/#/record")
    send_file(browser)
    browser.find(".problem")
    findings += looked_at(browser, axe, "refused")
    browser.open(f"{stack.url}/#/practice")
    browser.click("Start")
    wait("two seconds are practised", lambda: re.search(r"0:0[2-9]", browser.text), within=30)
    browser.click("Finish")
    browser.sees("Last sessions")
    findings += looked_at(browser, axe, "practice")
    browser.open(f"{stack.url}/#/account")
    browser.sees("Where you are signed in")
    findings += looked_at(browser, axe, "account")
    browser.click("Erase everything")
    browser.find("dialog")
    findings += looked_at(browser, axe, "erase")
    browser.click("Erase it all")
    # It says how far each service is, until all have finished.
    browser.sees("Everything is erased", within=60)
    assert browser.script("return [...document.querySelectorAll('.stages .done')].length") == len(SERVICES)
    told = browser.script("return [...document.querySelectorAll('.stages .done')].map(one => one.innerText)")
    assert not [name for name in SERVICES if any(one.startswith(name) for one in told)], "In words, not by the names of programs."
    findings += looked_at(browser, axe, "receipt")
    assert findings == []


def test_every_view_of_an_account_is_without_barriers(browser, stack, axe):
    address = signed_up(browser, stack.url)
    findings = looked_at(browser, axe, "verify")
    confirmed(browser, stack, address)
    browser.open(f"{stack.url}/#/new-address")
    browser.sees("Confirm your new address")
    findings += looked_at(browser, axe, "new-address")
    browser.open(f"{stack.url}/#/old-address")
    browser.sees("Confirm at your current address")
    findings += looked_at(browser, axe, "old-address")
    browser.open(f"{stack.url}/#/provider")
    browser.sees("You came back without being signed in.")
    findings += looked_at(browser, axe, "provider")
    browser.open(f"{stack.url}/#/account")
    browser.sees(address)
    browser.script("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    findings += looked_at(browser, axe, "account-open")
    browser.click("Set it up")
    browser.find(".qr")
    findings += looked_at(browser, axe, "second-factor")
    browser.click("Type the secret instead")
    browser.type("input[name=code]", app_code(browser.script("return document.querySelector('.secret-text').textContent")))
    browser.click("Turn it on")
    browser.sees("Keep these recovery codes")
    findings += looked_at(browser, axe, "recovery-codes")
    browser.click("I have kept them")
    browser.click("Sign out")
    browser.click_at("a[href='#/sign-in']")
    browser.type("input[type=email]", address)
    browser.type("input[type=password]", "a long one for the page")
    browser.click_at("button[type=submit]")
    browser.sees("A code is needed too")
    findings += looked_at(browser, axe, "code")
    assert findings == []


def test_the_description_of_the_api_looks_like_the_page(browser, stack, axe):
    def of(css):
        return [dict(re.findall(r"(--[a-z-]+): ([^;]+);", block)) for block in re.findall(r":root \{([^}]*)\}", css)]
    with open(os.path.join(WEB, "page.css"), encoding="utf-8") as file:
        own = of(file.read())[:2]
    described = of(re.search(r"<style>(.*?)</style>", send(stack.url, "GET", "/docs").body.decode(), re.DOTALL).group(1))
    assert len(own) == 2 and described == own
    browser.open(f"{stack.url}/docs#signIn")
    browser.sees("MirrorMate API")
    findings = looked_at(browser, axe, "docs")
    assert browser.script("return document.documentElement.scrollWidth") <= PHONE[0]
    browser.script("document.querySelectorAll('#signIn details').forEach((one) => { one.open = true; })")
    browser.sees("credentials-invalid")
    assert findings == []


def test_the_description_of_the_api_is_searched(browser, stack, axe):
    def seen():
        return browser.script("return [...document.querySelectorAll('main article[id]')].filter((one) => one.checkVisibility()).map((one) => one.id)")

    browser.open(f"{stack.url}/docs")
    browser.sees("Search routes")
    everything = seen()
    browser.type("#find", "quota resetsAt")
    wait("what has both words is left", lambda: 0 < len(seen()) < len(everything) / 3)
    assert browser.script("return [...document.querySelectorAll('main article[id]')].filter((one) => one.checkVisibility())"
                          ".every((one) => ['quota', 'resetsat'].every((word) => one.textContent.toLowerCase().includes(word)))")
    shown = set(seen())
    assert set(browser.script("return [...document.querySelectorAll('nav a')].filter((one) => one.checkVisibility()).map((one) => one.hash.slice(1))")) <= shown
    assert looked_at(browser, axe, "docs-found") == []
    # An address leads to what was searched for, and a link to what is out of sight shows it.
    browser.reload()
    browser.sees("places have them")
    assert set(seen()) == shown
    browser.script("location.hash = '#signIn'")
    wait("all is there again", lambda: seen() == everything)
    browser.type("#find", "xyzzy")
    browser.sees("Nothing has all of these words")
    assert seen() == []


def test_calls_of_the_description_are_tried_with_the_pages_own_token(browser, stack, axe):
    def tried(operation):
        """Opens the form of a route, and sends it."""
        browser.script("const one = document.querySelector(`#${arguments[0]} .try`); one.open = true; one.scrollIntoView()", operation)
        browser.find(f"#{operation} form")
        browser.click_at(f"#{operation} button[type=submit]")
        return answer(operation)

    def answer(operation):
        text = wait(f"{operation} is answered", lambda: browser.script(
            "const one = document.querySelector(`#${arguments[0]} .answer [role=status]`)?.innerText ?? ''; return /^\\d{3}/.test(one) ? one : ''", operation))
        return int(text[:3]), browser.script("return document.querySelector(`#${arguments[0]} .answer pre`)?.textContent ?? ''", operation)

    browser.open(f"{stack.url}/docs")
    browser.sees("Nobody is signed in here")
    status, text = tried("quota")
    assert status == 401 and json.loads(text)["code"] == "unauthenticated"
    # What is missing is asked for before anything is sent.
    browser.script("document.querySelector('#session .try').open = true")
    browser.click_at("#session button[type=submit]")
    browser.find("#session .answer [role=alert]")
    assert browser.script("return document.activeElement === document.querySelector('#session input')")
    browser.click("Try it without an account")
    browser.sees("in the name of somebody without an account")
    status, text = tried("quota")
    assert status == 200 and json.loads(text)["remaining"] > 0
    # What is proposed is a request that the API takes as it is.
    status, text = tried("createSession")
    assert status == 201, text
    session = json.loads(text)["id"]
    browser.type("#session input", session)
    status, text = tried("session")
    assert status == 200 and json.loads(text)["id"] == session
    # A stream is shown while it comes, and ends when somebody has seen enough.
    browser.script("document.querySelector('#followSession .try').open = true")
    browser.find("#followSession form")
    browser.type("#followSession input", session)
    browser.click_at("#followSession button[type=submit]")
    wait("an event is shown", lambda: session in browser.script("return document.querySelector('#followSession .answer pre')?.textContent ?? ''"))
    browser.click_at("#followSession button.quiet")
    wait("it has stopped", lambda: "stopped" in browser.script("return document.querySelector('#followSession .answer').innerText"))
    # What deletes asks first.
    browser.script("document.querySelector('#deleteSession .try').open = true")
    browser.find("#deleteSession form")
    browser.type("#deleteSession input", session)
    browser.click_at("#deleteSession button[type=submit]")
    assert browser.script("return document.querySelector('#deleteSession .answer').textContent") == ""
    browser.click_at("#deleteSession button.danger")
    assert answer("deleteSession")[0] in (200, 202, 204)
    browser.network(is_there=False)
    browser.click_at("#quota button[type=submit]")
    browser.sees("You are offline")
    browser.network()
    assert looked_at(browser, axe, "docs-tried") == []
    assert browser.script("return document.documentElement.scrollWidth") <= PHONE[0]
    # It is one visit with the page: known after a reload, and over when somebody leaves in another tab.
    browser.reload()
    browser.sees("in the name of somebody without an account")
    first = browser.tab
    browser.new_tab()
    browser.open(f"{stack.url}/#/account")
    browser.click("Forget me on this device")
    browser.click_at("dialog button.danger")
    browser.sees("See yourself speak")
    browser.tab = first
    browser.sees("Nobody is signed in here")


def test_text_at_twice_the_size_stays_within_a_phone(browser, stack):
    browser.click("Try it without an account")
    for name in ("record", "history", "progress", "practice", "account"):
        browser.open(f"{stack.url}/#/{name}")
        browser.find(f"a[aria-current][href='#/{name}']")
        browser.script("document.documentElement.style.fontSize = '200%'")
        assert browser.script("return document.documentElement.scrollWidth") <= PHONE[0], name


def test_the_first_view_is_small(browser):
    browser.find(".hero")
    seen = browser.call("POST", "/execute/async", {"script": """
        const done = arguments[0];
        const kept = (type) => new Promise((resolve) => {
            const entries = [];
            new PerformanceObserver((list) => entries.push(...list.getEntries())).observe({ type, buffered: true });
            // What was buffered is told within a turn of its own; of long tasks there may be none.
            setTimeout(() => resolve(entries), 300);
        });
        Promise.all([kept("longtask"), kept("largest-contentful-paint"), kept("layout-shift")]).then(([tasks, paints, shifts]) => {
            const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
            done({ bytes: all.reduce((sum, one) => sum + one.transferSize, 0), files: all.length, elsewhere: all.filter((one) => !one.name.startsWith(origin)).length,
                first: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0, largest: paints.at(-1)?.startTime ?? 0,
                usable: performance.getEntriesByName("usable")[0].startTime, tasks: tasks.length, longest: Math.max(0, ...tasks.map((one) => one.duration)),
                blocked: tasks.reduce((sum, one) => sum + one.duration - 50, 0), moved: shifts.reduce((sum, one) => sum + one.value, 0) });
        });
    """, "args": []})
    note(f"first view of the page: {seen['bytes']} bytes in {seen['files']} files; first text after {seen['first']:.0f} ms, the largest after {seen['largest']:.0f}, "
         f"usable after {seen['usable']:.0f}; {seen['tasks']} long tasks, the longest of {seen['longest']:.0f} ms, {seen['blocked']:.0f} ms blocked; moved by {seen['moved']:.3f}")
    assert seen["elsewhere"] == 0
    assert 0 < seen["bytes"] <= 72_000
    assert seen["moved"] < 0.1, "nothing jumps while it loads"


def test_no_address_holds_a_token(browser, stack):
    """Neither in the bar nor in what is asked for: a token is in a header, a cookie or a body."""
    browser.script("performance.setResourceTimingBufferSize(2000)")
    address = signed_up(browser, stack.url)
    confirmed(browser, stack, address)
    report_of_file(browser)
    report = browser.address.rpartition("/")[2]
    seen = [browser.address]
    for view, words in (("history", "Reports"), ("progress", "What changed"), ("goals", "What helps most next"), ("practice", "Ready when you are"), ("account", "Where you are signed in"),
                        ("data", "Your usage"), ("kept", "Your choice"), ("shares", "No open links"), (f"share/{report}", "A new link")):
        browser.script("location.hash = `#/${arguments[0]}`", view)
        browser.sees(words)
        seen.append(browser.address)
    browser.cdp("Network.enable")
    cookie = next(one["value"] for one in browser.cdp("Network.getAllCookies")["cookies"] if one["name"] == "mirrormate-refresh")
    asked = browser.script("return performance.getEntriesByType('resource').map((one) => one.name)")
    assert any(f"/v1/reports/{report}" in one for one in asked) and len(asked) > 40
    for one in seen + asked:
        # An access token is a JWT, which begins so.
        assert "eyJ" not in one and cookie not in one and address not in one, one
        # The address of an upload is signed for it alone, and over with its session.
        assert "signature=" not in one or "/v1/uploads/" in one, one


def test_a_strangers_session_never_appears(browser, stack):
    """Whoever has its address sees what they would see at an address that leads nowhere."""
    stranger, (first, second) = with_reports(stack, {}, {})
    report = stranger.call("GET", f"/v1/reports/{second}").json
    browser.click("Try it without an account")
    browser.find(".choices")
    for view in (f"report/{second}", f"session/{second}", f"compare/{first}/{second}", f"share/{second}"):
        browser.script("location.hash = `#/${arguments[0]}`", view)
        browser.sees("It is not there any more, or was never yours.")
        shown = browser.script("return document.documentElement.outerHTML")
        assert stranger.email not in shown and report["feedback"] not in shown and report["reportId"] not in shown
        nowhere = view.replace(first, str(uuid.uuid4())).replace(second, str(uuid.uuid4()))
        text = browser.text
        browser.script("location.hash = `#/${arguments[0]}`", nowhere)
        wait("it was asked for", lambda nowhere=nowhere: browser.address.endswith(nowhere) and browser.text == text)
    for view, words in (("history", "No report yet"), ("progress", "Nothing to compare yet"), ("shares", "No open links")):
        browser.script("location.hash = `#/${arguments[0]}`", view)
        browser.sees(words)


def practise(browser):
    """Some seconds on the practice timer, by whoever is there."""
    browser.script("location.hash = '#/practice'")
    browser.sees("Ready when you are")
    browser.click("Start")
    wait("two seconds are practised", lambda: re.search(r"0:0[2-9]", browser.text), within=30)
    browser.click("Finish")
    browser.sees("Last sessions")


def test_what_a_guest_practised_comes_to_the_account_that_they_sign_in_to(browser, stack):
    member = new_user(stack)
    browser.click("Try it without an account")
    browser.find(".choices")
    practise(browser)
    browser.script("location.hash = '#/sign-in'")
    browser.sees("What you practised without an account comes along.")
    browser.type("input[type=email]", member.email)
    browser.type("input[type=password]", member.password)
    browser.click_at("button[type=submit]")
    browser.find(".choices")
    wait("the account has it", lambda: len(member.call("GET", "/v1/practice/sessions").json["items"]) == 1)
    browser.script("location.hash = '#/practice'")
    browser.sees("Last sessions")


@pytest.fixture
def issuing_stack(new_stack):
    """A stack that believes a local issuer, which agrees at once to whatever it is asked."""
    issuer = Issuer()
    try:
        new_stack.programs.set("identity", **issuer.variables)
        new_stack.up()
        yield new_stack
    finally:
        issuer.stop()


def test_google_makes_a_guest_an_account_on_the_page_and_lets_it_in_again(issuing_stack):
    with contextlib.closing(Browser()) as browser:
        browser.size(PHONE)
        browser.open(issuing_stack.url + "/")
        browser.click("Try it without an account")
        browser.find(".choices")
        practise(browser)
        browser.script("location.hash = '#/sign-up'")
        browser.click("Go on with Google")
        browser.find(".choices")
        browser.script("location.hash = '#/practice'")
        browser.sees("Last sessions")
        browser.script("location.hash = '#/account'")
        browser.sees("ada@example.org")
        browser.click("Sign out")
        browser.sees("See yourself speak")
        browser.click_at("a[href='#/sign-in']")
        browser.sees("Welcome back.")
        browser.click("Sign in with Google")
        browser.find(".choices")
        browser.script("location.hash = '#/practice'")
        browser.sees("Last sessions")
        browser.heard()
        assert [line for line in browser.mistakes if not REFUSAL.search(line)] == []


def test_the_practice_timer_is_a_small_app_of_its_own_with_the_same_account(browser, stack, axe):
    page = send(stack.url, "GET", "/practice")
    assert page.headers["permissions-policy"].startswith("camera=(), microphone=()")
    browser.open(f"{stack.url}/practice")
    browser.sees("A quiet timer that counts your days")
    findings = looked_at(browser, axe, "timer-doors")
    browser.network(is_there=False)
    browser.click("Try it without an account")
    browser.sees("You are offline")
    browser.network()
    browser.click("Try it without an account")
    browser.sees("Ready when you are")
    browser.click("Start")
    wait("two seconds are practised", lambda: re.search(r"0:0[2-9]", browser.text), within=30)
    # It goes on over a reload, also while it pauses, and is one timer in two tabs.
    browser.reload()
    wait("it goes on", lambda: re.search(r"0:0[3-9]|0:[1-5]\d", browser.text))
    browser.click("Pause")
    first = browser.tab
    browser.new_tab()
    browser.open(f"{stack.url}/practice")
    browser.sees("Paused")
    browser.named("Discard")
    findings += looked_at(browser, axe, "timer-paused")
    browser.click("Go on")
    browser.tab = first
    browser.sees("Time practised")
    browser.click("Finish")
    browser.sees("Last sessions")
    findings += looked_at(browser, axe, "timer")
    # It is known after a reload, and on the page.
    browser.reload()
    browser.sees("Last sessions")
    browser.click("Speaking")
    browser.find(".choices")
    browser.script("location.hash = '#/practice'")
    browser.sees("Last sessions")
    browser.click("The timer on its own")
    browser.sees("Last sessions")
    assert browser.address == f"{stack.url}/practice"
    # What was kept in the browser and cannot be read is as if nothing were.
    for text in ("{", '{"owner": 1, "run": null}'):
        browser.script("localStorage.setItem('mirrormate.practice', arguments[0])", text)
        browser.reload()
        browser.sees("Ready when you are")
    timer = browser.tab
    # Whoever leaves the page has left the timer.
    browser.new_tab()
    browser.open(f"{stack.url}/#/account")
    browser.click("Forget me on this device")
    browser.click_at("dialog button.danger")
    browser.sees("See yourself speak")
    browser.tab = timer
    browser.sees("A quiet timer that counts your days")
    assert findings == []


def test_whatever_becomes_of_a_recording_is_said_with_what_to_do(browser, stack, axe):
    browser.click("Try it without an account")
    browser.find(".choices")
    later = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=2)).isoformat().replace("+00:00", "Z")
    findings = []
    error = {"code": "no-speech", "title": "Nobody can be heard in this recording. Check the microphone, then record again."}
    for name, more, words, button in (
            ("queued", {"status": "queued", "progress": 0}, "Waiting for a place", "Cancel it"),
            ("waiting", {"status": "processing", "progress": 0.1}, "Waiting for its turn to be measured", "Cancel it"),
            ("waiting-behind-two", {"status": "processing", "progress": 0.1, "queuePosition": 3}, "Two recordings are before yours.", "Cancel it"),
            ("waiting-next", {"status": "processing", "progress": 0.1, "queuePosition": 1}, "Yours is the next to be measured.", "Cancel it"),
            ("measuring", {"status": "processing", "progress": 0.42, "stage": "transcribe"}, "42%", "Cancel it"),
            ("measuring-the-voice", {"status": "processing", "progress": 0.58, "stage": "voice"}, "Listening to your voice…", "Cancel it"),
            ("measuring-something-new", {"status": "processing", "progress": 0.6, "stage": "posture"}, "Listening and looking closely…", "Cancel it"),
            ("writing", {"status": "processing", "progress": 0.82, "stage": "report"}, "Writing the report", "Cancel it"),
            ("elsewhere", {"status": "awaitingUpload", "progress": 0}, "The recording is not here", "Cancel it"),
            ("cancelled", {"status": "cancelled", "progress": 0}, "No report was made.", "Record again"),
            ("expired", {"status": "expired", "progress": 0}, "Nothing was charged.", "Record again"),
            ("refused-later", {"status": "refused", "progress": 0, "refusal": {"code": "quota-exceeded", "window": "local-day", "resetsAt": later}}, "The next one is possible from", "History"),
            ("failed", {"status": "error", "progress": 0.4, "error": error | {"retryable": False}}, "Nobody can be heard", "Record again"),
            ("failed-for-now", {"status": "error", "progress": 0.4, "error": error | {"retryable": True}}, "The same recording may work another time.", "Record again")):
        session = {"id": str(uuid.uuid4()), "kind": "mirrormate", "createdAt": later, "updatedAt": later, "expiresAt": later, "media": {"kept": False, "until": None}} | more
        answered(browser, "GET", f"/v1/sessions/{session['id']}", session)
        # Its events never come, as over a connection that is slow.
        answered(browser, "GET", f"/v1/sessions/{session['id']}/events", {})
        browser.script("location.hash = `#/session/${arguments[0]}`", session["id"])
        browser.sees(words)
        browser.named(button)
        findings += looked_at(browser, axe, f"session-{name}")
    browser.network(is_there=False)
    browser.script("location.hash = '#/history'")
    browser.sees("You are offline")
    findings += looked_at(browser, axe, "offline")
    browser.network()
    assert findings == []


def test_the_words_that_were_said_stand_beside_a_chart(browser):
    drawn = browser.call("POST", "/execute/async", {"script": """
        const done = arguments[0];
        const said = (from, to) => from === 0 ? "one two three four five six seven eight nine ten eleven" : from === 10 ? "slowly now" : "";
        import("/web/charts.js").then(({ pace, pitch }) => {
            const text = (one) => one.textContent;
            const rows = (made) => [...made.querySelectorAll("tbody tr")].map((row) => [...row.cells].map(text));
            const points = [{ t: 0, wordsPerMin: 180 }, { t: 10, wordsPerMin: 120 }, { t: 20, wordsPerMin: 150 }];
            const made = pace(points, said);
            const silent = pace(points, () => "");
            const voice = pitch([{ t: 0, semitones: 7.5 }, { t: 1, semitones: null }, { t: 2, semitones: -2 }, { t: 3, semitones: 0 }], (from) => ["up here", "", "down", "and back"][from]);
            done({ voice_ends: [...voice.querySelectorAll(".ends li")].map(text), voice_rows: rows(voice), voice_line: voice.querySelector("path.line").getAttribute("d"), voice_name: voice.querySelector("svg").getAttribute("aria-label"), ends: [...made.querySelectorAll(".ends li")].map(text), rows: rows(made), silent: rows(silent), ends_of_silent: silent.querySelectorAll(".ends").length });
        });
    """, "args": []})
    assert drawn["ends"] == ["Fastest from 0:00, at 180: one two three four five six seven eight nine ten…", "Slowest from 0:10, at 120: slowly now"]
    assert drawn["rows"] == [["0:00", "180", "one two three four five six seven eight nine ten eleven"], ["0:10", "120", "slowly now"], ["0:20", "150", "–"]]
    assert drawn["voice_name"] == "Pitch" and drawn["voice_line"].count("M") == 2, "the line has a gap where no voice is"
    assert drawn["voice_ends"] == ["Highest from 0:00: up here", "Lowest from 0:02: down"]
    assert drawn["voice_rows"] == [["0:00", "+7.5", "up here"], ["0:01", "no voice", "–"], ["0:02", "\u22122", "down"], ["0:03", "0", "and back"]]
    assert drawn["silent"] == [["0:00", "180"], ["0:10", "120"], ["0:20", "150"]] and drawn["ends_of_silent"] == 0


def test_a_shared_card_is_shown_to_whoever_has_its_link(browser, stack, axe):
    speaker = Speaker(stack, small_video())
    made = speaker.user.call("POST", f"/v1/reports/{speaker.session}/shares", {"firstName": "Zdenobia", "maxViews": 1})
    assert made.status == 201, made
    browser.open(made.json["link"])
    browser.sees("A card of Zdenobia")
    browser.sees("Software made this card")
    assert browser.script("return document.querySelector('meta[name=robots]').content") == "noindex, nofollow"
    origin = stack.url + "/"
    names = browser.script("return performance.getEntriesByType('resource').map((one) => one.name)")
    assert names and [name for name in names if not name.startswith(origin)] == [], "nothing is asked for elsewhere"
    assert looked_at(browser, axe, "shared") == []
    # The last view is over.
    browser.reload()
    browser.sees("No card to show")
    assert looked_at(browser, axe, "shared-over") == []
    browser.open(f"{stack.url}/shared")
    browser.sees("This link is not complete")


def test_the_gateway_serves_the_page_and_nothing_beside_it(stack):
    page = send(stack.url, "GET", "/", headers={"Accept-Encoding": "gzip"})
    assert page.status == 200 and b"<html lang" in gzip.decompress(page.body)
    assert page.headers["content-security-policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; connect-src 'self'; "
        "manifest-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
        "trusted-types 'none'")
    assert page.headers["permissions-policy"] == "camera=(self), microphone=(self), display-capture=(), geolocation=()"
    assert page.headers["cross-origin-opener-policy"] == "same-origin"
    assert (page.headers["x-content-type-options"], page.headers["referrer-policy"], page.headers["cache-control"]) == ("nosniff", "no-referrer", "no-cache")
    assert send(stack.url, "GET", "/", headers={"If-None-Match": page.headers["etag"]}).status == 304
    for name in sorted(os.listdir(WEB)):
        assert send(stack.url, "GET", f"/web/{name}").status == (404 if name.endswith(".html") else 200), name
    for path in ("/web/", "/web/none.js", "/web/../gateway/start", "/web/%2e%2e/setup", "/index.html"):
        answer = send(stack.url, "GET", path)
        assert (answer.status, answer.code) == (404, "not-found"), path
    wrong = send(stack.url, "POST", "/", {})
    assert (wrong.status, wrong.headers["allow"]) == (405, "GET, HEAD")
    other = send(stack.url, "GET", "/v1/me")
    assert "permissions-policy" not in other.headers and "cross-origin-opener-policy" not in other.headers


def test_the_page_calls_only_what_the_api_describes():
    with open(os.path.join(places.ROOT, "docs", "openapi.json"), encoding="utf-8") as file:
        described = {(method.upper(), re.sub(r"\{[^}]+\}", "{}", path)) for path, methods in json.load(file)["paths"].items() for method in methods}
    called = set()
    for path in glob.glob(os.path.join(WEB, "*.js")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for method, route in re.findall(r"""(?:call|send|good)\("([A-Z]+)", ["`](/[^"`?]*)""", text):
            called.add((method, re.sub(r"\$\{[^}]*\}", "{}", route)))
        called |= {(method, route) for route, method in re.findall(r"""new Request\("(/[^"]*)", \{ method: "([A-Z]+)\"""", text)}
        # The address of an upload that was begun.
        called |= {(method, "/v1/uploads/{}/resumable/{}") for method in re.findall(r"""(?:good|request\.open)\("([A-Z]+)", address\b""", text)}
        called |= {("POST", route) for route in re.findall(r"""(?:enter|bringing)\("(/[^"]*)""", text)}
        called |= {("GET", route) for route in re.findall(r"""file\([`"](/[^"`?]*)""", text)}
        called |= {("POST", route) for route in re.findall(r"""(?:google|apple): "(/v1/[^"]*)""", text)}
    assert len(called) > 20 and ("PATCH", "/v1/uploads/{}/resumable/{}") in called
    assert called - described == set()
