"""supabase-js in a real browser, on a page of another origin: what has to be asked first is asked, and what may not be read is not."""
import contextlib
import glob
import http.server
import os
import threading

import pytest

from support import supabase_sdk, tools
from support.browser import Browser, needed
from support.places import ROOT

FOLDER = os.path.join(ROOT, "Tests", "system", "end-to-end")
SCRIPTS = ("supabase_js_page.js", "supabase_js_calls.js", "supabase_js_requests.js")


def library():
    """The file that has supabase-js in it."""
    python = tools.python_with("Tests/system/end-to-end/supabase_js.txt", "Supabase's JavaScript library", "--no-deps")
    (found,) = glob.glob(os.path.join(
        os.path.dirname(python), "..", "lib", "python*", "site-packages", "streamlit_supabase_auth", "frontend", "build", "static", "js", "2.*.js"))
    with open(found, "rb") as file:
        return file.read()


@contextlib.contextmanager
def serving(files):
    """An origin of its own with these files; gives its address."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            name = self.path.lstrip("/")
            self.send_response(200 if name in files else 404)
            self.send_header("Content-Type", "text/javascript" if name.endswith(".js") else "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(files.get(name, b""))

        def log_message(self, *words):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="module")
def page():
    needed()
    files = {"supabase.js": library()}
    for name in SCRIPTS:
        with open(os.path.join(FOLDER, name), "rb") as file:
            files[name] = file.read()
    lines = "".join(f'<script src="{name}"></script>' for name in files)
    files[""] = f"<!doctype html><title>Another origin</title>{lines}".encode()
    with serving(files) as address:
        browser = Browser()
        try:
            browser.open(address)
            yield browser
        finally:
            browser.close()


def run(page, stack, name):
    anon, service = supabase_sdk.keys(stack)
    page.script("given = arguments[1]; return calls[arguments[0]]()", name, {"url": stack.url, "anon": anon, "service": service})


@pytest.mark.parametrize("calls", ["accounts", "staying", "administering", "recording", "tables", "buckets"])
def test_supabase_js_gets_what_it_expects(page, stack, calls):
    run(page, stack, calls)


@pytest.mark.parametrize("calls", ["accounts2", "claims2", "tables2", "files2", "realtime2"])
def test_a_page_gets_and_reads_what_the_second_version_asks(page, stack, calls):
    run(page, stack, calls)
