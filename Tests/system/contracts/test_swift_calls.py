"""The calls in Swift that docs/api.html shows: each compiles, with nothing but Foundation."""
import html
import os
import re
import subprocess

import pytest

from support import places

KNOWN = {"server", "token", "appToken"}


def calls():
    """By the id of its route, each call as it is shown."""
    with open(os.path.join(places.ROOT, "docs", "api.html"), encoding="utf-8") as file:
        text = file.read()
    found = re.findall(r'<article id="([^"]+)">(?:(?!</article>).)*?<pre class="swift">(.*?)</pre>', text, re.DOTALL)
    return {name: html.unescape(call) for name, call in found}


@pytest.fixture(scope="module")
def compiler():
    found = subprocess.run([os.path.join(places.ROOT, "infra", "find-swift")], capture_output=True, text=True, check=False)
    assert found.returncode == 0, "No Swift toolchain found; run infra/setup."
    return os.path.join(os.path.dirname(os.path.realpath(found.stdout.strip())), "swiftc")


def test_every_call_compiles(compiler, tmp_path):
    shown = calls()
    assert len(shown) > 60, sorted(shown)
    parts = ["import Foundation\n#if canImport(FoundationNetworking)\nimport FoundationNetworking\n#endif\n"]
    for name, call in shown.items():
        # What stands in the path and the query is the caller's.
        own = sorted(set(re.findall(r"\\\((\w+)\)", call)) - KNOWN)
        values = "".join(f", {one}: String" for one in own)
        lines = "\n".join(f"    {line}" for line in call.split("\n"))
        parts.append(f"func call_{name}(server: String, token: String, appToken: String, file: URL{values}) async throws {{\n"
                     f"{lines}\n    print(answer.count, response)\n}}\n")
    source = tmp_path / "calls.swift"
    source.write_text("\n".join(parts))
    done = subprocess.run(
        [compiler, "-typecheck", "-swift-version", "6", "-warnings-as-errors", str(source)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
