"""How exact the media helper is where the truth is known: words, pauses and fillers, printed for each clip.

    Tests/system/truth/accuracy [--helper FILE] [--models DIR]

Word error rates are against the texts that were read; pauses against those that were put between sentences (the speakers' own
make the precision a lower bound); fillers against scripts in which the same words are fillers, or are not.
"""
import argparse
import os
import re
import sys

from . import clips, judge, material, sound

# No filler among them: verbs, comparisons, conjunctions, adverbs, questions.
PLAIN = (
    "I like this plan, and people like it as much as we like ours.", "It looks like rain, so we will leave early today.",
    "We actually finished it in a week, and it was so cold that nobody came.", "Do you know the way to the old harbour?",
    "You know that I would like to help them, and they like to sing.")
# Each comma sets one off.
SET_OFF = (
    ("It was, like, a very long day for all of us.", ["like"]),
    ("We went, you know, to the harbour, and it was, like, closed.", ["you know", "like"]),
    ("Actually, nobody had told us about it before.", ["actually"]),
    ("So, um, we waited there, and, you know, we talked.", ["so", "um", "you know"]),
    ("It was, like, the best part of the whole week.", ["like"]))


def words(text):
    plain = re.sub(r"[^a-z' ]", "", text.lower().replace("-", " ").replace("’", "'")).split()
    return ["mister" if word == "mr" else word for word in plain]


def distance(said, heard):
    """Insertions, deletions and replacements (Levenshtein)."""
    row = list(range(len(heard) + 1))
    for index, word in enumerate(said, 1):
        before, row[0] = row[0], index
        for place, other in enumerate(heard, 1):
            before, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, before + (word != other))
    return row[-1]


def share(part, whole):
    return f"{part} of {whole} ({100 * part / max(whole, 1):.0f} %)"


def whole_novel():
    return sound.read(material.cities())


def script(voice, texts):
    def speech():
        return sound.joined([clips.trimmed(sound.read(material.spoken(voice, text))) for text in texts], (0.7,) * len(texts))
    return speech


def inserted(base, pauses):
    """Where the pauses were put: start and end in seconds."""
    at, found = 0.3, []
    for piece, pause in zip(base, pauses):
        at += len(piece) / sound.RATE
        found.append((at, at + pause))
        at += pause
    return found


def main():
    given = argparse.ArgumentParser()
    given.add_argument("--helper", default=os.path.join(material.ROOT, ".build", "debug", "mirrormate-media"))
    given.add_argument("--models", default=os.path.join(material.STATE, "models"))
    given = given.parse_args()
    workshop = clips.Workshop()

    def measured(base):
        return judge.measured(given.helper, given.models, workshop.clip(base), os.path.join(material.HOME, "measured"))

    wrong = count = 0
    speakers = {base.name: base for base in clips.bases()}
    read = [speakers["reader-portrait"], clips.Base("novel-whole", "wide", "slt", material.CITIES, whole_novel)]
    for base in read + [speakers[name] for name in ("slt-talking", "rms-narrow", "awb-portrait")]:
        said = words(base.words)
        errors = distance(said, words(measured(base)["transcript"]["text"]))
        print(f"word error rate  {base.name:16} {errors} of {len(said)} ({100 * errors / len(said):.1f} %)")
        if base in read:
            wrong, count = wrong + errors, count + len(said)
    print(f"word error rate  the two readers  {wrong} of {count} ({100 * wrong / count:.1f} %), at most 6 % wanted\n")

    hit = put = told = 0
    for voice in material.SCRIPTS:
        truth = inserted(clips.sentences(voice), (0.55, 0.8, 0.5, 0.9))
        found = measured(speakers[{"slt": "slt-talking", "rms": "rms-narrow", "awb": "awb-portrait"}[voice]])["pauses"]
        hits = sum(any(min(end, pause["end"]) - max(start, pause["start"]) > 0.5 * (end - start) for pause in found)
                   for start, end in truth)
        print(f"pauses           {voice:16} {hits} of {len(truth)} found, {len(found)} told")
        hit, put, told = hit + hits, put + len(truth), told + len(found)
    print(f"pauses           recall {share(hit, put)}, precision at least {share(hit, told)}\n")

    right = meant = counted = 0
    for voice in ("slt", "rms"):
        plain = measured(clips.Base(f"plain-{voice}", "talking", "slt", "", script(voice, PLAIN)))["fillers"] or {}
        texts = [text for text, _ in SET_OFF]
        off = measured(clips.Base(f"set-off-{voice}", "talking", "slt", "", script(voice, texts)))["fillers"] or {}
        wanted = [name for _, names in SET_OFF for name in names]
        hits = sum(min(off.get(name, 0), wanted.count(name)) for name in set(wanted))
        print(f"fillers          {voice:16} {hits} of {len(wanted)} set off were counted, {sum(off.values())} counted in that "
              f"script; {sum(plain.values())} in the script without any")
        right, meant, counted = right + hits, meant + len(wanted), counted + sum(off.values()) + sum(plain.values())
    print(f"fillers          precision {share(right, counted)}, recall {share(right, meant)}")
    return 0 if wrong <= 0.06 * count and hit >= 0.95 * put and right >= 0.9 * counted else 1


if __name__ == "__main__":
    sys.exit(main())
