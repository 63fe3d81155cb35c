"""Runs the bench: `run` beside this starts it.

    run [--sample] [--base NAME]... [--fault NAME]... [--binaries DIR] [--models DIR] [--keep FILE]

--sample takes 14 pairs, which takes two to three minutes; --keep writes every report as JSON lines. Exit: 0 the promises of
README.md hold, 1 they do not.
"""
import argparse
import json
import os
import sys
import time

from . import clips, judge, material, table

# One fault of most kinds for the sample, on speakers that differ in voice and face.
SAMPLE = {
    "reader-portrait": ("too-fast", "flat", "no-pauses", "clipping", "leaves-frame", "dark", "second-face"),
    "slt-talking": ("too-slow", "wavering-volume", "long-pauses", "fillers", "noise", "tiny-face", "turned-away"),
}


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--sample", action="store_true")
    words.add_argument("--base", action="append", default=[])
    words.add_argument("--fault", action="append", default=[])
    words.add_argument("--binaries", default=os.path.join(material.ROOT, ".build", "debug"))
    words.add_argument("--helper")
    words.add_argument("--coach")
    words.add_argument("--models", default=os.path.join(material.STATE, "models"))
    words.add_argument("--keep")
    given = words.parse_args()
    helper = given.helper or os.path.join(given.binaries, "mirrormate-media")
    coach = given.coach or os.path.join(given.binaries, "coach")
    problem = judge.found(helper, coach)
    if problem:
        sys.exit(problem)
    began, workshop = time.monotonic(), clips.Workshop()
    wanted = []
    for base in clips.bases():
        faults = SAMPLE.get(base.name, ()) if given.sample else tuple(table.FAULTS)
        if (given.base and base.name not in given.base) or not faults:
            continue
        wanted.append((base, None, False))
        if not given.sample:
            wanted.append((base, None, True))
        wanted += [(base, fault, False) for fault in faults if not given.fault or fault in given.fault]
    results = []
    for base, fault, again in wanted:
        clip = workshop.clip(base, fault, again)
        try:
            results.append(judge.measured(helper, given.models, clip, os.path.join(material.HOME, "measured")))
        except judge.Unmeasured as problem:
            sys.exit(f"{base.name} {fault} could not be measured ({problem}); run it again when the machine is less busy")
        if results[-1] is None:
            sys.exit(f"{base.name} {fault} was refused by the helper")
    reports = judge.reports(coach, results)
    made = {(base.name, fault, again): report for (base, fault, again), report in zip(wanted, reports)}
    if given.keep:
        with open(given.keep, "w", encoding="utf-8") as file:
            for (name, fault, again), report, result in zip(made, reports, results):
                entry = {"base": name, "fault": fault, "again": again, "report": report, "measured": result}
                file.write(json.dumps(entry) + "\n")
    pairs = [judge.Pair(name, fault, made[name, None, False], report) for (name, fault, _), report in made.items() if fault]
    for pair in pairs:
        print(pair.line)
    print(f"\n{len(pairs)} pairs of {len(wanted)} clips in {time.monotonic() - began:.0f} s, rules {reports[0]['rulesVersion']}, "
          f"thresholds {reports[0]['engines'].get('thresholds')}")
    scores = {name: report["confidenceScore"] for (name, fault, again), report in made.items() if not fault and not again}
    others = {name: report["confidenceScore"] for (name, fault, again), report in made.items() if again}
    for line in judge.summary(pairs, scores, others):
        print(line)
    return 0 if kept(pairs, scores, others) else 1


def kept(pairs, bases, again):
    """Whether the promises hold: see README.md."""
    if not pairs:
        return False
    ordered = sum(pair.ordered for pair in pairs) / len(pairs)
    steady = all(abs(bases[name] - score) <= 2 for name, score in again.items() if None not in (score, bases[name]))
    return ordered >= 0.95 and steady and not any(pair.praise for pair in pairs)


if __name__ == "__main__":
    sys.exit(main())
