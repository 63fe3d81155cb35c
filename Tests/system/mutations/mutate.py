#!/usr/bin/env python3
"""Makes the changes of core.py one at a time in a copy of the sources, and says which the tests have caught.

  mutate.py              all that were not judged in these sources yet; builds the copy, which takes its time at first
  mutate.py --only WORD  those whose name holds a word, judged before or not
  mutate.py --by TARGET  those of which this test target may take notice; with --seconds it ends after so long, to go on another time
  mutate.py --again      all of them
  mutate.py --list       what there is, and what it came to in these sources
  mutate.py --check      only looks whether each can be made in the sources as they are

Exit: 0 all were caught, 1 some were not, 2 the changes are not up to date.
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import core  # noqa: E402
from support import mutants  # noqa: E402

KEPT = mutants.ROOT / ".build" / "core-mutations"
COPY = KEPT / "tree"
RESULTS = KEPT / "results.json"
SEEDS = "500"
# A change that makes the tests wait for ever is noticed, too.
SECONDS = 600


def edits():
    return [change[:4] for change in core.ALL]


def targets(changes):
    return sorted({part.split("/")[0] for change in changes for part in change[4]})


def problems(files):
    """What is wrong with the changes in these sources."""
    found = []
    names = [change[0] for change in core.ALL]
    found += [f"{name!r} stands there twice" for name in sorted({name for name in names if names.count(name) > 1})]
    for name, file, old, new, by in core.ALL:
        count = files.get(file, b"").decode().count(old)
        if count != 1:
            found.append(f"{name!r}: {file} holds {old!r} {count} times, not once")
        if ("MUTATED" in new) is file.endswith(".sql"):
            found.append(f"{name!r}: MUTATED must stand in the new text of Swift, and of Swift alone")
        for part in by:
            target = part.split("/")[0]
            if not any(f"/{target}/" in there for there in files):
                found.append(f"{name!r}: there is no test target {target}")
        if not by:
            found.append(f"{name!r}: no test is named")
    return found


def key(files):
    digest = hashlib.sha256()
    for name, content in sorted(files.items()):
        if name.endswith((".swift", ".sql", ".json")) or name == "Package.swift":
            digest.update(name.encode() + b"\0" + content + b"\0")
    return digest.hexdigest()


class Results:
    """What the changes came to, kept for as long as the sources stay the same."""

    def __init__(self, of):
        self.of = of
        kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
        self.known = kept.get("known", {}) if kept.get("of") == of else {}

    def note(self, name, result):
        self.known[name] = result
        RESULTS.parent.mkdir(parents=True, exist_ok=True)
        RESULTS.write_text(json.dumps({"of": self.of, "known": self.known}, indent=1))


def build(changes):
    print("building the copy", flush=True)
    done = subprocess.run([mutants.toolchain(), "build", "--build-tests"], cwd=COPY, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          env={**os.environ, "ONLY_TARGETS": " ".join(targets(changes))})
    if done.returncode != 0:
        errors = [line for line in done.stdout.splitlines() if "error:" in line] or done.stdout.splitlines()[-20:]
        sys.exit("The changed sources do not build; a compiler is no test.\n" + "\n".join(errors))


def run(part, name=""):
    """Runs a part of the tests; gives whether they passed and what they said."""
    target, _, words = part.partition("/")
    env = {**os.environ, "MUTATION": name, "TESTS_STRESS": "1"}
    if part == core.SIMULATION:
        env |= {"SIMULATION_SEEDS": SEEDS, "SIMULATION_FIRST": "1"}
    pattern = rf"^{target}\..*{re.escape(words)}" if words else rf"^{target}\."
    try:
        done = subprocess.run([COPY / ".build/debug/MirrorMatePackageTests.xctest", "--testing-library", "swift-testing",
                               # As in Tests/run: more services at a time keep each other waiting.
                               "--experimental-maximum-parallelization-width", "4", "--filter", pattern], cwd=COPY, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", check=False, env=env, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return False, f"{part} did not end within {SECONDS} s"
    if done.returncode == 0 and not re.search(r"Test run with [1-9]", done.stdout):
        sys.exit(f"There is no test {part!r}.")
    failed = [line for line in done.stdout.splitlines() if "recorded an issue" in line] or done.stdout.splitlines()[-3:]
    return done.returncode == 0, failed[0].strip() if failed else f"{part} ended with {done.returncode}"


def judge(change):
    """What notices a change."""
    name, *_, by = change
    start = time.monotonic()
    for part in by:
        passed, said = run(part, name)
        if not passed:
            return {"by": part, "said": said, "seconds": round(time.monotonic() - start)}
    return {"by": None, "said": "", "seconds": round(time.monotonic() - start)}


def line(name, result):
    if result is None:
        return f"          ?  {name}"
    verdict = f"caught by {result['by']}" if result["by"] else "SURVIVED"
    return f"{result['seconds']:4} s  {verdict:38} {name}"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", default="")
    options.add_argument("--by", default="")
    options.add_argument("--seconds", type=int, default=86_400)
    for flag in ("--again", "--list", "--check"):
        options.add_argument(flag, action="store_true")
    options = options.parse_args()
    end = time.monotonic() + options.seconds
    files = mutants.sources()
    wrong = problems(files)
    if wrong:
        print("Tests/system/mutations/core.py is not up to date:\n" + "\n".join(wrong), file=sys.stderr)
        return 2
    changed = dict(files)
    mutants.ready(changed, edits())
    if options.check:
        return 0
    results = Results(key(changed))
    chosen = [change for change in core.ALL if options.only in change[0] and options.by in " ".join(targets([change]))]
    if options.list:
        print("\n".join(line(change[0], results.known.get(change[0])) for change in chosen))
        return 0
    if not chosen:
        print("There is no such change; --list shows all.", file=sys.stderr)
        return 2
    if not (options.only or options.again):
        chosen = [change for change in chosen if change[0] not in results.known]
    if chosen:
        mutants.keep(COPY, changed)
        build(chosen)
        for part in sorted({part for change in chosen for part in change[4]}):
            if results.known.get(f"without a change: {part}") or time.monotonic() > end:
                continue
            passed, said = run(part)
            if not passed:
                sys.exit(f"Without a change {part} should pass, and does not: {said}")
            results.note(f"without a change: {part}", {"by": part, "said": said, "seconds": 0})
    for change in chosen:
        if time.monotonic() > end:
            break
        result = judge(change)
        results.note(change[0], result)
        print(line(change[0], result) + ("" if not result["by"] else f"\n        {result['said'][:160]}"), flush=True)
    judged = {change[0]: results.known[change[0]] for change in core.ALL if change[0] in results.known}
    survived = [name for name, result in judged.items() if not result["by"]]
    print(f"{len(judged)} of {len(core.ALL)} changes judged in these sources, {len(survived)} survived")
    for name in survived:
        print(f"  {name}")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
