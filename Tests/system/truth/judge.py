"""Measures clips, makes their reports, and holds them against the table."""
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

from . import table


class Unmeasured(Exception):
    """The helper has not judged a clip: it was killed, ran out of time, or says that the same file may succeed later."""


def measured(helper, models, path, kept):
    """What the media helper says of a clip; None when it refuses it for good. A clip that this same helper has judged is not
    shown to it again. One that it could not judge, as on a busy machine, gets a second try, and that failure is never kept.
    """
    with open(helper, "rb") as file:
        seen = os.path.join(kept, hashlib.file_digest(file, "sha256").hexdigest()[:16])
    os.makedirs(seen, exist_ok=True)
    place = os.path.join(seen, os.path.basename(path) + ".json")
    if os.path.exists(place) and os.path.getmtime(place) >= os.path.getmtime(path):
        with open(place, encoding="utf-8") as file:
            result = json.load(file)
        # Runs of before kept failures of either kind as null.
        if result is not None:
            return result
    try:
        result = measure(helper, models, path)
    except Unmeasured as problem:
        print(f"{os.path.basename(path)}: {problem}; measured again", file=sys.stderr)
        result = measure(helper, models, path)
    if result is not None:
        with open(place + ".new", "w", encoding="utf-8") as file:
            json.dump(result, file)
        os.rename(place + ".new", place)
    return result


def measure(helper, models, path, seconds=300):
    """What the media helper says of a clip; None when it refuses it for good.

    Raises Unmeasured, with what the helper said, where the same clip may be judged another time.
    """
    with tempfile.TemporaryDirectory() as scratch:
        try:
            told = subprocess.run([helper, "analyze", "--input", path, "--models", models, "--scratch", scratch],
                                  stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=seconds)
        except subprocess.TimeoutExpired as problem:
            raise Unmeasured(f"no result within {seconds} s") from problem
    last = json.loads(told.stdout.splitlines()[-1]) if told.returncode in (0, 3, 4) and told.stdout else {}
    if told.returncode == 0 and "result" in last:
        return last["result"]
    if told.returncode == 3:
        return None
    raise Unmeasured(f"exit {told.returncode}, {last.get('error', {}).get('message', 'no message')}")


def reports(coach, results):
    """The reports of helper's documents, in their order."""
    lines = "".join(json.dumps(result) + "\n" for result in results)
    told = subprocess.run([coach], input=lines, capture_output=True, text=True, check=True)
    documents = [json.loads(line) for line in told.stdout.splitlines()]
    for document in documents:
        assert "report" in document, document
    return [document["report"] for document in documents]


def ramp(value, low, high):
    return min(max((value - low) / (high - low), 0), 1)


def parts(report):
    """The parts of a score as points of 100; None where one is not judged or does not exist."""
    rows = {row["part"]: row for row in report["scoreParts"]}
    values = {name: value for row in rows.values() for name, value in row.get("values", {}).items()}
    if report["rulesVersion"] == 1:
        found = {name: measure["value"] for name, measure in report["measures"].items()}
        pace, clarity = found.get("paceWordsPerMin"), found.get("clarity")
        values = {
            "pace": None if pace is None else min(ramp(pace, 60, 120), 1 - ramp(pace, 180, 240)),
            "volume": found.get("volumeConsistency"), "pauses": found.get("pauseEffectiveness"),
            "melody": found.get("tonalVariety"), "eyeContact": found.get("eyeContactPct"), "sound": clarity,
        }
    points = {name: None if values.get(name) is None else 100 * values[name] for name in table.PARTS}
    fewer = rows["fewFillers"]
    lost = None if fewer["value"] is None else 10 * (1 - fewer["value"])
    points["fillers"] = None if lost is None else 100 - lost
    return points


def praised(report):
    """The measures that the strengths of a report rest on."""
    named = {name for names in report.get("strengthMeasures", []) for name in ([names] if isinstance(names, str) else names)}
    return named | {word for text in report["strengths"] for word in re.findall(r"[A-Za-z0-9.]+", text)} & set(report["measures"])


class Pair:
    """A clip and its worsened version."""

    def __init__(self, base, fault, before, after):
        self.base, self.fault = base, fault
        self.score_before, self.score_after = before["confidenceScore"], after["confidenceScore"]
        target, along = table.FAULTS[fault]
        self.target, old, new = target, parts(before), parts(after)
        self.before, self.after = old[target], new[target]
        # What can no longer be judged has not been praised either, but it has not fallen: the score must say it.
        self.falls = self.before is not None and (self.after is None or self.after < self.before - 0.5)
        self.moved = {
            name: (old[name], new[name]) for name in table.PARTS
            if name != target and name not in along and (old[name] is None) != (new[name] is None)
            or name != target and name not in along and old[name] is not None and abs(old[name] - new[name]) > table.SLACK}
        self.ordered = self.score_before is not None and (self.score_after is None or self.score_after < self.score_before)
        self.praise = table.MEASURES[target] & praised(after)

    @property
    def line(self):
        def number(value):
            return "  -" if value is None else f"{value:3.0f}"
        moved = ", ".join(f"{name} {number(old).strip()} > {number(new).strip()}" for name, (old, new) in self.moved.items())
        return (f"{self.base:16} {self.fault:16} score {number(self.score_before)} > {number(self.score_after)} "
                f"{'ok ' if self.ordered else 'NO '}  {self.target:10} {number(self.before)} > {number(self.after)} "
                f"{'falls' if self.falls else 'STAYS'}  {'still' if not self.moved else 'MOVED ' + moved}"
                f"{'  PRAISED ' + ' '.join(sorted(self.praise)) if self.praise else ''}")


def summary(pairs, bases, again):
    """The figures of a run."""
    count = len(pairs)

    def share(name, number):
        return f"{name}: {number} of {count} ({100 * number / count:.0f} %)"
    scores = [score for pair in pairs for score in (pair.score_before, pair.score_after) if score is not None]
    shifts = [abs(again[name] - bases[name]) for name in again if again[name] is not None and bases[name] is not None]
    lines = [
        share("the part that was made worse falls", sum(pair.falls for pair in pairs)),
        share("unrelated parts move by 3 points at most", sum(not pair.moved for pair in pairs)),
        share("the worse clip has the lower score", sum(pair.ordered for pair in pairs)),
        share("nobody is praised for what was made worse", sum(not pair.praise for pair in pairs)),
        f"scores from {min(scores)} to {max(scores)}" if scores else "no scores",
        "base clips: " + ", ".join(f"{name} {score}" for name, score in bases.items()),
    ]
    if shifts:
        lines.append(f"the same clip encoded again: the score moves by {max(shifts)} at most, over {len(shifts)} clips")
    return lines


def found(helper, coach):
    """The two programs, or what is missing."""
    missing = [path for path in (helper, coach) if not os.access(path, os.X_OK)]
    return f"{' and '.join(missing)} must be built first: run swift build" if missing else None
