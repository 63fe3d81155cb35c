#!/usr/bin/env python3
"""Makes the changes of core.py one at a time in a copy of the sources, and says which the tests have caught.

  mutate.py              all that were not judged in these sources yet; builds the copy, which takes its time at first
  mutate.py --only WORD  those whose name holds a word, judged before or not
  mutate.py --by TARGET  those of which this test target may take notice; with --seconds it ends after so long, to go on another time
  mutate.py --again      all of them
  mutate.py --jobs N     so many at a time; by default as many as there are processors
  mutate.py --list       what there is, and what it came to in these sources
  mutate.py --check      only looks whether each can be made in the sources as they are

It can be ended at any time, and goes on where it was: a verdict stands until something changes of which its tests are made (keys.py).
A change is asked of the test that noticed it last, and a run ends with the first test that fails (judging.py).

Exit: 0 all were caught, 1 some were not, 2 the changes are not up to date, or a test fails without any of them.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import core  # noqa: E402
import judging  # noqa: E402
import keys  # noqa: E402
from support import mutants  # noqa: E402

KEPT = mutants.ROOT / ".build" / "core-mutations"
COPY = KEPT / "tree"
RESULTS = KEPT / "results.json"
PROGRAM = COPY / ".build/debug/MirrorMatePackageTests.xctest"
# Each run has a PostgreSQL of its own, which is copied.
EACH = {"TESTS_POSTGRES_TEMPLATE": str(KEPT / "postgres")}
SEEDS = {"SIMULATION_SEEDS": "500", "SIMULATION_FIRST": "1"}


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


def build(changes):
    print("building the copy", flush=True)
    done = subprocess.run([mutants.toolchain(), "build", "--build-tests"], cwd=COPY, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          env={**os.environ, "ONLY_TARGETS": " ".join(targets(changes))})
    if done.returncode != 0:
        errors = [line for line in done.stdout.splitlines() if "error:" in line] or done.stdout.splitlines()[-20:]
        sys.exit("The changed sources do not build; a compiler is no test.\n" + "\n".join(errors))


def unseen(changes, keys):
    """Changes that a test which is named for them cannot notice."""
    return [f"{change[0]!r}: {part} has nothing to do with {change[1]}" for change in changes for part in change[4]
            if not keys.sees(part.split("/")[0], change[1])]


def line(name, result):
    if result is None:
        return f"          ?  {name}"
    verdict = f"caught by {result['by']}" if result["by"] else "SURVIVED"
    return f"{result['seconds']:4} s  {verdict:38} {name}"


def go_on(judge, chosen, jobs, end):
    """Judges changes beside each other until all are, or until a moment; gives why some could not be."""
    failed, start, done = set(), time.monotonic(), 0
    pool = concurrent.futures.ThreadPoolExecutor(jobs)

    def one(change):
        return judge.judge(change) if time.monotonic() < end else None

    waiting = {pool.submit(one, change): change for change in chosen}
    try:
        for future in concurrent.futures.as_completed(waiting):
            change = waiting[future]
            try:
                result = future.result()
            except judging.NoBaseline as error:
                failed.add(str(error))
                continue
            if result is None:
                continue
            done += 1
            left = (time.monotonic() - start) / done * (len(chosen) - done) / 60
            print(line(change[0], result) + ("" if not result["by"] else f"\n        {result['said'][:160]}"), flush=True)
            if done % 20 == 0:
                print(f"{done} of {len(chosen)}, about {left:.0f} min left", flush=True)
    finally:
        # Also by Ctrl-C: what is under way is judged another time.
        judge.program.stop()
        pool.shutdown(cancel_futures=True)
    return sorted(failed)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", default="")
    options.add_argument("--by", default="")
    options.add_argument("--seconds", type=int, default=86_400)
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
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
    mutants.keep(COPY, changed)
    known = keys.Keys(files, keys.package(COPY, mutants.toolchain()))
    wrong = unseen(core.ALL, known)
    if wrong:
        print("Tests/system/mutations/core.py is not up to date:\n" + "\n".join(wrong), file=sys.stderr)
        return 2
    results = judging.Results(RESULTS)

    def judged(change):
        return results.get(change[0], known.of_change(change))

    chosen = [change for change in core.ALL if options.only in change[0] and options.by in " ".join(targets([change]))]
    if options.list:
        print("\n".join(line(change[0], judged(change)) for change in chosen))
        return 0
    if not chosen:
        print("There is no such change; --list shows all.", file=sys.stderr)
        return 2
    if not (options.only or options.again):
        chosen = [change for change in chosen if judged(change) is None]
    failed = []
    if chosen:
        build(chosen)
        program = judging.Program(PROGRAM, COPY, lambda part: EACH | (SEEDS if part == core.SIMULATION else {}))
        failed = go_on(judging.Judge(program, known, results), chosen, options.jobs, end)
    verdicts = {change[0]: result for change in core.ALL if (result := judged(change))}
    survived = [name for name, result in verdicts.items() if not result["by"]]
    print(f"{len(verdicts)} of {len(core.ALL)} changes judged in these sources, {len(survived)} survived")
    for said in [f"  {name}" for name in survived] + failed:
        print(said)
    return 2 if failed else 1 if survived else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("Ended; the next run goes on from here.", file=sys.stderr)
        sys.exit(130)
