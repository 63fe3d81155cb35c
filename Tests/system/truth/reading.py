"""Writes whole reports as a person reads them, to be read aloud: python3 -B -m truth.reading KEPT FOLDER

KEPT is what `run --keep` wrote, FOLDER gets one text for each clip and `all.txt` with all of them.
"""
import json
import os
import sys
import textwrap

WIDTH = 100


def clock(seconds):
    return f"{int(seconds) // 60}:{seconds % 60:04.1f}"


def wrapped(text, first="", others=""):
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=others, break_long_words=False, break_on_hyphens=False)


def paragraphs(title, texts, rest=None):
    """A heading and what stands below it; below each text what it rests on, where that is told."""
    lines = [title] if texts else []
    for index, text in enumerate(texts):
        lines += wrapped(text, "  - ", "    ")
        if rest:
            lines.append("      (" + ", ".join(rest[index]) + ")")
    return lines + [""] if lines else []


def head(report):
    span = report.get("scoreRange")
    score = "no score" if report["confidenceScore"] is None else f"score {report['confidenceScore']}"
    parts = [score, f"{span['low']} to {span['high']}" if span else None,
             f"rests on {report['scoreCoverage']} of 100 points" if "scoreCoverage" in report else None,
             f"{report['durationSec']} s", report.get("scenario"), f"rules {report['rulesVersion']}"]
    return [" · ".join(part for part in parts if part), "Tags: " + (", ".join(report["impressionTags"]) or "none"), ""]


def moments(report):
    return [f"{clock(moment.get('start', moment['timestamp']))} to {clock(moment.get('end', moment['timestamp']))} "
            f"[{moment['type']}] {moment['description']}" for moment in report["keyMoments"]]


def left_out(report):
    """What could not be judged, and why, without what no engine measures."""
    return [f"{name}: {measure['reason']}" for name, measure in report["measures"].items()
            if not measure["valid"] and measure["source"] != "notRated" and "reason" in measure]


def text(name, report):
    """A whole report. Sentences stand in the order in which a client shows them."""
    first = report.get("firstStep")
    step = [first["what"], first["why"], first["exercise"], first["nextRecording"]] if first else []
    if first and first["points"] is not None:
        step.append(f"(up to {first['points']} points)")
    transcript = report["transcript"]
    lines = [f"==== {name}"] + head(report)
    lines += wrapped(report["feedback"]) + [""]
    lines += paragraphs("What went well", report["strengths"], report.get("strengthMeasures"))
    lines += paragraphs("To work on first", [" ".join(step)] if step else [])
    lines += paragraphs("Areas", report["areasForImprovement"], report.get("improvementMeasures"))
    lines += paragraphs("Exercises", report["practiceExercises"])
    lines += paragraphs("Key moments", moments(report), [moment.get("measures", []) for moment in report["keyMoments"]])
    lines += paragraphs("Warnings", report.get("warningTexts", report["warnings"]))
    lines += paragraphs("Not judged", left_out(report))
    lines += paragraphs("Said", [transcript["text"]] if transcript else [])
    return "\n".join(lines) + "\n"


def main(kept, folder):
    os.makedirs(folder, exist_ok=True)
    with open(kept, encoding="utf-8") as file:
        entries = [json.loads(line) for line in file]
    texts = {}
    for entry in entries:
        name = f"{entry['base']}-{entry['fault'] or 'good'}{'-again' if entry['again'] else ''}"
        texts[name] = text(name, entry["report"])
        with open(os.path.join(folder, name + ".txt"), "w", encoding="utf-8") as file:
            file.write(texts[name])
    with open(os.path.join(folder, "all.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(texts.values()))
    print(f"{len(texts)} reports are in {folder}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    main(*sys.argv[1:])
