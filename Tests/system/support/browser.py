"""A real browser, driven by WebDriver over HTTP: Debian's Chromium with its driver."""
import base64
import contextlib
import http.client
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time

import pytest

from support import deaths
from support.waiting import NotInTime, wait

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
PHONE = (390, 844)
DESKTOP = (1280, 900)


def needed():
    """Skips the test where there is no Chromium."""
    for program in ("chromium", "chromedriver"):
        if not shutil.which(program):
            pytest.skip(f"{program} is missing: apt-get install chromium chromium-driver")


class BrowserError(Exception):
    def __init__(self, error, message):
        super().__init__(f"{error}: {message}")
        self.error = error


class Browser:
    """One window. Whatever its console says as a mistake is kept in `mistakes`."""

    def __init__(self, camera=None, sound=None, more=()):
        """`camera` and `sound` are files that stand for them; `more` are switches of Chromium's."""
        needed()
        self.folder = tempfile.mkdtemp(prefix="mirrormate-browser-")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        # Its own group, so that what Chromium started ends with it.
        self.driver = subprocess.Popen(["chromedriver", f"--port={self.port}", "--silent"], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
                                       env=dict(os.environ, HOME=self.folder, TMPDIR=self.folder))
        deaths.waited_for.add(self.driver.pid)
        self.mistakes = []
        self.session = None
        try:
            wait("the driver answers", self._is_ready, within=30, every=0.05)
            switches = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--lang=en-GB",
                        "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
                        f"--user-data-dir={self.folder}/profile", "--use-fake-ui-for-media-stream",
                        "--use-fake-device-for-media-stream", "--autoplay-policy=no-user-gesture-required"]
            switches += more
            if camera:
                switches.append(f"--use-file-for-fake-video-capture={camera}")
            if sound:
                switches.append(f"--use-file-for-fake-audio-capture={sound}")
            wanted = {"browserName": "chrome", "goog:chromeOptions": {"args": switches}, "goog:loggingPrefs": {"browser": "ALL"}}
            self.session = self._send("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
            self.call("POST", "/timeouts", {"script": 110_000})
        except BaseException:
            self.close()
            raise

    def _is_ready(self):
        try:
            return self._send("GET", "/status")["ready"]
        except (OSError, http.client.HTTPException):
            return False

    def _send(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.request(method, path, body=None if body is None else json.dumps(body), headers={"Content-Type": "application/json"})
            value = json.loads(connection.getresponse().read())["value"]
        finally:
            connection.close()
        if isinstance(value, dict) and "error" in value:
            raise BrowserError(value["error"], value["message"].splitlines()[0])
        return value

    def call(self, method, path, body=None):
        return self._send(method, f"/session/{self.session}{path}", {} if body is None and method == "POST" else body)

    def close(self):
        if self.session:
            with contextlib.suppress(BrowserError, OSError, http.client.HTTPException):
                self.call("DELETE", "")
        self.driver.terminate()
        try:
            self.driver.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.driver.kill()
            self.driver.wait()
        deaths.waited_for.discard(self.driver.pid)
        shutil.rmtree(self.folder, ignore_errors=True)

    # MARK: what a person does

    def open(self, url):
        self.call("POST", "/url", {"url": url})

    def back(self):
        self.call("POST", "/back")

    def reload(self):
        self.call("POST", "/refresh")

    @property
    def tab(self):
        """The tab that all this is about."""
        return self.call("GET", "/window")

    @tab.setter
    def tab(self, tab):
        self.call("POST", "/window", {"handle": tab})

    def new_tab(self):
        """Opens another tab, which is the one from now on; it has the same cookies."""
        self.tab = self.call("POST", "/window/new", {"type": "tab"})["handle"]

    def network(self, is_there=True, sending=-1, delay=0):
        """Cuts the network, or brings it back; `sending` is how many bytes a second it takes, -1 for as many as it can, and `delay`
        how many milliseconds an answer is late."""
        self.cdp("Network.enable")
        self.cdp("Network.emulateNetworkConditions", offline=not is_there, latency=delay, downloadThroughput=-1, uploadThroughput=sending)

    @property
    def address(self):
        return self.call("GET", "/url")

    def script(self, text, *arguments):
        return self.call("POST", "/execute/sync", {"script": text, "args": list(arguments)})

    def cdp(self, command, **parameters):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def find(self, css, within=20):
        """An element that can be seen; it is waited for."""
        return self._found(f"document.querySelectorAll({json.dumps(css)})", css, within)

    def named(self, text, within=20):
        """A button, link, label or summary with these words."""
        query = "[...document.querySelectorAll('button, a, label, summary, [role=button]')].filter(e => e.textContent.trim().startsWith(%s))"
        return self._found(query % json.dumps(text), text, within)

    def _found(self, query, what, within):
        looking = f"return [...{query}].find(e => e.checkVisibility({{visibilityProperty: true}}) && !e.disabled) ?? null"
        element = wait(f"{what} can be seen", lambda: self.script(looking), within=within, every=0.05)
        return element[ELEMENT]

    def click(self, text, within=20):
        self._click(lambda: self.named(text, within), within)

    def click_at(self, css, within=20):
        self._click(lambda: self.find(css, within), within)

    def _click(self, element, within):
        deadline = time.monotonic() + within
        while True:
            found = element()
            try:
                self.script("arguments[0].scrollIntoView({block: 'center'})", {ELEMENT: found})
                return self.call("POST", f"/element/{found}/click")
            except BrowserError as error:
                # It was drawn anew, or something lay over it for a moment.
                if time.monotonic() > deadline or error.error not in ("stale element reference", "element click intercepted", "element not interactable"):
                    raise
                time.sleep(0.05)

    def type(self, css, text):
        element = self.find(css)
        self.call("POST", f"/element/{element}/clear")
        self.call("POST", f"/element/{element}/value", {"text": text})

    def choose_file(self, path):
        element = self.script("return document.querySelector('input[type=file]')")[ELEMENT]
        self.call("POST", f"/element/{element}/value", {"text": path})

    @property
    def text(self):
        return self.script("return document.querySelector('main').innerText")

    def sees(self, words, within=20):
        try:
            return wait(f"the page says {words!r}", lambda: words in self.text, within=within, every=0.05)
        except NotInTime as late:
            raise NotInTime(f"{late}; it says {self.text[:400]!r}") from None

    # MARK: how it looks

    def size(self, size, dark=False):
        width, height = size
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.cdp("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            # A colour that is still on its way to another one is none that anybody reads.
            {"name": "prefers-reduced-motion", "value": "reduce"}])

    def picture(self, path, whole=True):
        shot = {"captureBeyondViewport": whole}
        size = self.cdp("Page.getLayoutMetrics")["cssContentSize"]
        # Chromium refuses what is much taller: of the description of the API the beginning is enough.
        if whole and size["height"] > 8000:
            shot["clip"] = {"x": 0, "y": 0, "width": size["width"], "height": 8000, "scale": 1}
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.cdp("Page.captureScreenshot", **shot)["data"]))

    # MARK: what it says

    def heard(self):
        """Mistakes of the console since the last time, those of the policy among them; all of them are kept, too."""
        lines = [entry["message"] for entry in self.call("POST", "/se/log", {"type": "browser"}) if entry["level"] in ("SEVERE", "WARNING")]
        self.mistakes += lines
        return lines
