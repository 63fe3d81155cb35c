"""How exact the media helper is where the truth is known: words and their times, pauses, pitch, fillers, languages and voices,
printed for each clip.

    Tests/system/truth/accuracy [--helper FILE] [--coach FILE] [--models DIR]
        [--only words|times|pauses|pitch|fillers|languages|voices|repeatability]

Word error rates are against the texts that were read; word times against those with which flite has made them; pauses against
those that were put between sentences (the speakers' own make the precision a lower bound); the pitch against the one that
speech was given, in steps of a tenth of a second; fillers against scripts in which the same words are fillers, or are not; what a report
takes for another language, or for a second voice, against who spoke; what the same clip gives when another phone encodes it, against
what counts as a change (docs/progress.md).
"""
import argparse
import difflib
import os
import re
import statistics
import sys

from . import clips, judge, languages, material, sound

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


# Who speaks with which of flite's voices.
VOICES = {"slt": "slt-talking", "rms": "rms-narrow", "awb": "awb-portrait"}


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
    at, found = sound.LEAD, []
    for piece, pause in zip(base, pauses):
        at += len(piece) / sound.RATE
        found.append((at, at + pause))
        at += pause
    return found


class Measuring:
    """Clips, what the helper says of them, and their reports."""

    def __init__(self, given):
        self.given, self.workshop = given, clips.Workshop()

    def measured(self, base, fault=None, again=False):
        clip = self.workshop.clip(base, fault, again)
        result = judge.measured(self.given.helper, self.given.models, clip, os.path.join(material.HOME, "measured"))
        if result is None:
            sys.exit(f"{base.name} was refused by the helper")
        return result

    def report(self, base, fault=None, again=False):
        return judge.reports(self.given.coach, [self.measured(base, fault, again)])[0]


def word_errors(measuring, speakers):
    """Whether the readers' words are right but for 6 %."""
    wrong = count = 0
    read = [speakers["reader-portrait"], clips.Base("novel-whole", "wide", "slt", material.CITIES, whole_novel)]
    for base in read + [speakers[name] for name in ("slt-talking", "rms-narrow", "awb-portrait")]:
        said = words(base.words)
        errors = distance(said, words(measuring.measured(base)["transcript"]["text"]))
        print(f"word error rate  {base.name:16} {errors} of {len(said)} ({100 * errors / len(said):.1f} %)")
        if base in read:
            wrong, count = wrong + errors, count + len(said)
    print(f"word error rate  the two readers  {wrong} of {count} ({100 * wrong / count:.1f} %), at most 6 % wanted\n")
    return wrong <= 0.06 * count


def spoken_times(voice, text):
    """The words of a text with start and end, as flite has made them; None where it makes a sound that the dictionary has not."""
    said = words(text)
    made = [sound for sound in material.sounds(voice, text) if sound[0] != "pau"]
    read = material.pronounced(said)
    alike = difflib.SequenceMatcher(None, [name for name, _, _ in made], [name for name, _ in read], autojunk=False)
    at = {block.b + place: made[block.a + place] for block in alike.get_matching_blocks() for place in range(block.size)}
    found = []
    for number, word in enumerate(said):
        own = [place for place, (_, of) in enumerate(read) if of == number]
        found.append((word, at[own[0]][1] if own[0] in at else None, at[own[-1]][2] if own[-1] in at else None))
    return found


def word_times(measuring, speakers):
    """Whether half of all words begin and end within a tenth of a second of where flite has made them."""
    every = []
    for voice, name in VOICES.items():
        said, at = [], sound.LEAD
        for text, piece, pause in zip(material.SCRIPTS[voice], clips.sentences(voice), clips.PAUSES + (0,)):
            cut = clips.lead(sound.read(material.spoken(voice, text)))
            placed = [(word, *(None if time is None else at + (time - cut) / clips.TEMPO.get(voice, 1) for time in times))
                      for word, *times in spoken_times(voice, text)]
            said, at = said + placed, at + len(piece) / sound.RATE + pause
        heard = measuring.measured(speakers[name])["transcript"]["words"]
        alike = difflib.SequenceMatcher(None, [word for word, _, _ in said], [word["w"] for word in heard], autojunk=False)
        pairs = [(said[block.a + place], heard[block.b + place]) for block in alike.get_matching_blocks() for place in range(block.size)]
        off = [abs(told - true) for (_, *truth), word in pairs for true, told in zip(truth, (word["start"], word["end"]))
               if true is not None]
        print(f"word times       {voice:16} {len(off)} beginnings and ends of {len(pairs)} words, off by "
              f"{statistics.median(off):.3f} s in the middle, nine in ten by at most {statistics.quantiles(off, n=10)[-1]:.3f} s")
        every += off
    print(f"word times       off by {statistics.median(every):.3f} s in the middle, at most 0.1 s wanted\n")
    return statistics.median(every) <= 0.1


def pauses(measuring, speakers):
    """Whether 95 % of the pauses that were put between sentences are found, and of those that are told are such."""
    hit = put = told = 0
    for voice, name in VOICES.items():
        truth = inserted(clips.sentences(voice), clips.PAUSES)
        found = measuring.measured(speakers[name])["pauses"]
        hits = sum(any(min(end, pause["end"]) - max(start, pause["start"]) > 0.5 * (end - start) for pause in found)
                   for start, end in truth)
        print(f"pauses           {voice:16} {hits} of {len(truth)} found, {len(found)} told")
        hit, put, told = hit + hits, put + len(truth), told + len(found)
    print(f"pauses           recall {share(hit, put)}, precision at least {share(hit, told)}\n")
    return hit >= 0.95 * put and hit >= 0.95 * told


def glide(speech):
    """A speech whose pitch glides, and what it is each 10 ms."""
    return sound.gliding(sound.levelled(speech()))


def pitch(measuring, speakers):
    """Whether at most 1.5 % of the steps of the melody are gross errors: off by more than a fifth of the pitch."""
    wrong = count = 0
    for name in ("reader-talking", "slt-talking", "rms-narrow"):
        signal, truth = glide(speakers[name].speech)
        result = measuring.measured(clips.Base(f"glide-{name}", "talking", "slt", "", lambda made=signal: made))
        step = round(100 * result["melody"]["stepSec"])
        middle = result["measures"]["pitchMedianHz"]["value"]
        off = []
        for place, semitones in enumerate(result["melody"]["semitones"]):
            voiced = [hertz for hertz in truth[place * step:(place + 1) * step] if hertz > 0]
            # At the edges of the voice it is a matter of taste whether there is any.
            if semitones is not None and len(voiced) == step:
                off.append(abs(middle * 2 ** (semitones / 12) / statistics.median(voiced) - 1))
        gross = sum(error > 0.2 for error in off)
        print(f"pitch            {name:16} {share(gross, len(off))} gross errors, "
              f"off by {100 * statistics.median(off):.1f} % in the middle")
        wrong, count = wrong + gross, count + len(off)
    print(f"pitch            {wrong} of {count} gross errors ({100 * wrong / count:.1f} %), at most 1.5 % wanted\n")
    return wrong <= 0.015 * count


def fillers(measuring, _):
    """Whether 90 % of the fillers that are counted are fillers."""
    right = meant = counted = 0
    for voice in ("slt", "rms"):
        plain = measuring.measured(clips.Base(f"plain-{voice}", "talking", "slt", "", script(voice, PLAIN)))["fillers"] or {}
        texts = [text for text, _ in SET_OFF]
        off = measuring.measured(clips.Base(f"set-off-{voice}", "talking", "slt", "", script(voice, texts)))["fillers"] or {}
        wanted = [name for _, names in SET_OFF for name in names]
        hits = sum(min(off.get(name, 0), wanted.count(name)) for name in set(wanted))
        print(f"fillers          {voice:16} {hits} of {len(wanted)} set off were counted, {sum(off.values())} counted in that "
              f"script; {sum(plain.values())} in the script without any")
        right, meant, counted = right + hits, meant + len(wanted), counted + sum(off.values()) + sum(plain.values())
    print(f"fillers          precision {share(right, counted)}, recall {share(right, meant)}\n")
    return right >= 0.9 * counted


# English as it is recorded: what makes it hard to hear may not make it another language.
HARD = (None, "noise", "too-fast", "flat")


def foreign(language):
    pieces = [clips.trimmed(sound.read(material.foreign(language, text))) for text in languages.TEXTS[language]]
    return clips.Base(f"espeak-{language}", "talking", "slt", "", lambda: sound.joined(pieces, (0.5, 0.8, 0.6, 0.9)))


def spoken_languages(measuring, speakers):
    """Whether at most one English clip in twenty is taken for another language; how many of those are found is printed."""
    def fits(base, fault=None):
        report = measuring.report(base, fault)
        doubt = report["measures"]["wordDoubt"]["value"]
        is_other = "unlike-english" in report["warnings"]
        told = "none" if doubt is None else f"{doubt:.2f}"
        print(f"language         {base.name:16} {fault or '':9} doubt {told:5} {'not English' if is_other else ''}")
        return not is_other
    english = [fits(speakers[name], fault) for name in ("reader-portrait", "novel-wide", "slt-talking", "rms-narrow", "awb-portrait")
               for fault in HARD]
    other = [fits(foreign(language)) for language in languages.TEXTS]
    print(f"language         {share(english.count(False), len(english))} of English wrongly contradicted, at most 5 % wanted; "
          f"{share(other.count(False), len(other))} of other languages found\n")
    return english.count(False) <= 0.05 * len(english)


def voices(measuring, speakers):
    """Whether nine in ten that are told to be two voices are; how many of those are found is printed."""
    said = {"reader": [sound.levelled(sound.read(material.austen(number))) for number in ("0870", "0880", "0890", "0920", "0930")],
            **{voice: clips.sentences(voice) for voice in material.SCRIPTS}}

    def heard(base):
        is_two = "second-voice" in measuring.report(base)["warnings"]
        print(f"voices           {base.name:24} {'two' if is_two else 'one'}")
        return is_two

    def in_turns(first, second):
        turns = [piece for pair in zip(said[first], said[second]) for piece in pair][:8]
        return clips.Base(f"turns-{first}-{second}", "talking", "slt", "", lambda: sound.joined(turns, (0.5, 0.8) * 4))
    names = list(said)
    both = [heard(in_turns(first, second)) for place, first in enumerate(names) for second in names[place + 1:]]
    alone = [heard(base) for base in speakers.values()]
    told = both.count(True) + alone.count(True)
    print(f"voices           precision {share(both.count(True), told)}, at least 90 % wanted; recall {share(both.count(True), len(both))}")
    return both.count(True) >= 0.9 * told


def repeatabilities():
    """What a change of each measure must be larger than to count, as the service has it."""
    path = os.path.join(material.ROOT, "Services/reporting/Progress/TrackedMeasure.swift")
    with open(path, encoding="utf-8") as file:
        found = re.findall(r'"(\w+)"[^"]*?twoPoints: ([\d.]+)(?:, encoding: ([\d.]+))?', re.sub(r'unit: "[^"]*"', "", file.read()))
    limits = {name: max(float(least), float(seen or 0)) for name, least, seen in found}
    assert len(limits) == 10 and limits["confidenceScore"] == 2, f"{path} has another form: {limits}"
    return limits


def repeatability(measuring, speakers):
    """Whether no measure moves by more than what counts as a change when the same clip is encoded again."""
    limits = repeatabilities()
    most = dict.fromkeys(limits, 0)
    set_off = [text for text, _ in SET_OFF]
    for base in [*speakers.values(), clips.Base("set-off-slt", "talking", "slt", "", script("slt", set_off))]:
        first, again = (measuring.report(base, again=other)["measures"] for other in (False, True))
        for name in limits:
            pair = first[name]["value"], again[name]["value"]
            if None not in pair:
                most[name] = max(most[name], abs(pair[0] - pair[1]))
            elif pair != (None, None):
                print(f"repeatability    {base.name:16} {name} has a value once only")
    for name, limit in limits.items():
        print(f"repeatability    {name:20} moves by {most[name]:.2f} at most, {limit:g} wanted")
    return all(most[name] <= limit + 1e-9 for name, limit in limits.items())


PARTS = {"words": word_errors, "times": word_times, "pauses": pauses, "pitch": pitch, "fillers": fillers,
         "languages": spoken_languages, "voices": voices, "repeatability": repeatability}


def main():
    given = argparse.ArgumentParser()
    built = os.path.join(material.ROOT, ".build", "debug")
    given.add_argument("--helper", default=os.path.join(built, "mirrormate-media"))
    given.add_argument("--coach", default=os.path.join(built, "coach"))
    given.add_argument("--models", default=os.path.join(material.STATE, "models"))
    given.add_argument("--only", choices=PARTS, action="append")
    given = given.parse_args()
    problem = judge.found(given.helper, given.coach)
    if problem:
        sys.exit(problem)
    measuring, speakers = Measuring(given), {base.name: base for base in clips.bases()}
    kept = [PARTS[name](measuring, speakers) for name in given.only or PARTS]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
