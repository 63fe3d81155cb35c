#!/usr/bin/env python3
"""Applies the mutations of changes.py to a copy of the sources, one at a time, and says which the contract tests caught.

  mutate.py              all of them; builds the copy, which takes its time at first
  mutate.py --level data those that need no build, against `mirrormate` as it is built
  mutate.py --only WORD  those whose name holds a word

Changes of Swift are built together, and MUTATION in the environment names the one that is in force: building once for each
would take most of an hour.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import changes  # noqa: E402
from support import mutants  # noqa: E402

ROOT = mutants.ROOT
COPY = ROOT / ".build" / "contracts-mutations"
SWIFT = mutants.toolchain()


def copy_tree():
    """Brings the copy up to date, with all changes of Swift in it."""
    files = mutants.sources()
    mutants.ready(files, [(mutation["name"], *edit) for mutation in changes.ALL if mutation["level"] != "data"
                          for edit in mutation["edits"]])
    mutants.keep(COPY, files)


def apply(edits):
    """Makes the edits and answers what undoes them."""
    before = {}
    for name, old, new in edits:
        path = COPY / name
        before.setdefault(name, path.read_bytes() if path.exists() else None)
        if old is None:
            if new is None:
                path.unlink()
            else:
                path.write_text(new)
            continue
        text = path.read_text()
        if old not in text:
            undo(before)
            raise SystemExit(f"changes.py: {name} does not hold {old!r} any more; bring the mutation up to date.")
        path.write_text(text.replace(old, new))
    return before


def undo(before):
    for name, content in before.items():
        path = COPY / name
        if content is None:
            path.unlink(missing_ok=True)
        else:
            path.write_bytes(content)


def command(words, env=None):
    # Tests and programs that have no part in contracts would only cost time.
    env = {**os.environ, "ONLY_TARGETS": "ContractPathTests mirrormate", **(env or {})}
    done = subprocess.run(words, cwd=COPY, capture_output=True, text=True, env=env)
    return done.returncode, done.stdout + done.stderr


def built(*words):
    code, text = command([SWIFT, "build", *words])
    if code != 0:
        errors = "\n".join(line for line in text.splitlines() if "error:" in line)
        raise SystemExit(f"The mutated sources do not build; a compiler is no contract test.\n{errors}")


def judge(mutation, tool):
    """Gives whether anything was found, and what was said."""
    if mutation["level"] == "data":
        return command([tool, "contracts", "check"])
    if mutation["level"] == "code":
        return command([COPY / ".build/debug/mirrormate", "contracts", "check"], {"MUTATION": mutation["name"]})
    return stories(mutation["services"], mutation["name"])


def tried(mutation, tool):
    """Makes the change and undoes it; gives the exit code of the check, and what is wrong with it or None."""
    before = apply(mutation["edits"] if mutation["level"] == "data" else [])
    try:
        code, said = judge(mutation, tool)
    finally:
        undo(before)
    missing = [p for p in mutation["says"] or [] if not re.search(p if "|" in p else re.escape(p), said)]
    if code == 0 if mutation["says"] is None else code != 0 and not missing:
        return code, None
    wrong = f"not said: {missing}" if missing else "it should have passed" if mutation["says"] is None else "it should have been caught"
    return code, "\n".join([wrong, *said.strip().splitlines()[-30:]])


def stories(services, mutation=""):
    said, worst = "", 0
    for service in services:
        # Documents are stale as soon as a declaration changes; that is not what is judged here.
        code, text = command([SWIFT, "test", "--skip-build", "--disable-xctest", "--filter", "ContractPathTests",
                              "--skip", "APITests|DocumentTests"],
                             {"CONTRACTS_SERVICE": service, "MUTATION": mutation})
        if not re.search(r"Test run with [1-9]", text):
            raise SystemExit(f"The stories of {service} were not told:\n{text[-2000:]}")
        said, worst = said + text, worst or code
    return worst, said


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--only", default="")
    options.add_argument("--level", default="")
    options = options.parse_args()
    chosen = [m for m in changes.ALL if options.only in m["name"] and options.level in m["level"]]
    tool = next((p for p in (ROOT / ".build/debug/mirrormate", ROOT / ".build/release/mirrormate") if p.exists()), None)
    if tool is None:
        sys.exit("mirrormate is not built: run `make build` or `swift build`.")
    copy_tree()
    if any(m["level"] != "data" for m in chosen):
        print("building the copy", flush=True)
        built("--build-tests")
        code, said = stories(sorted({service for m in chosen for service in m["services"] or []}))
        if code != 0:
            sys.exit("Without a mutation the contracts should hold, and do not:\n"
                     + "\n".join(line for line in said.splitlines() if line.startswith("✘")))
    failed = 0
    for mutation in chosen:
        start = time.time()
        code, wrong = tried(mutation, tool)
        failed += wrong is not None
        verdict = "passes" if code == 0 else "caught"
        print(f"{'BAD' if wrong else 'ok '}  {verdict:7} {mutation['level']:5} {time.time() - start:5.0f} s  {mutation['name']}", flush=True)
        if wrong:
            print("     " + wrong.replace("\n", "\n     "))
    caught = sum(m["says"] is not None for m in chosen)
    print(f"{caught} changes that must be caught, {len(chosen) - caught} that must pass; {failed} went otherwise")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
