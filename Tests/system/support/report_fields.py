"""Every field that a report must have, with its type, and what must hold of it."""
import re
from itertools import zip_longest


def integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def share(value):
    return number(value) and 0 <= value <= 1


def text(value):
    return isinstance(value, str) and value.strip() != ""


def texts(value):
    return isinstance(value, list) and all(text(entry) for entry in value)


def null(value):
    return value is None


def either(*kinds):
    return lambda value: any(kind(value) for kind in kinds)


def members(**kinds):
    """An object with at least these members."""
    return lambda value: isinstance(value, dict) and all(
        name in value and kind(value[name]) for name, kind in kinds.items())


def rows(**kinds):
    """An array of such objects."""
    one = members(**kinds)
    return lambda value: isinstance(value, list) and all(one(entry) for entry in value)


def counts(value):
    return isinstance(value, dict) and all(text(name) and integer(many) and many >= 0 for name, many in value.items())


TAGS = set("confident nervous engaging professional enthusiastic calm energetic articulate "
           "polished relaxed poised natural credible composed dynamic persuasive".split())
FILLERS = {"um", "uh", "like", "you know", "so", "actually", "basically", "literally"}
EMOTIONS = members(joy=share, neutral=share, anxious=share, engaged=share, surprise=share)

FIELDS = {
    "sessionId": text,
    "createdAt": text,
    "madeBy": lambda value: value == "software",
    "notice": text,
    "kept": members(report=texts, recording=members(kept=lambda value: isinstance(value, bool), until=either(text, null))),
    "durationSec": integer,
    "confidenceScore": either(lambda value: integer(value) and 0 <= value <= 100, null),
    "impressionTags": lambda value: texts(value) and set(value) <= TAGS,
    "fillerWords": lambda value: counts(value) and set(value) <= FILLERS,
    "toneTimeline": rows(t=number, energy=either(share, null), confidence=either(share, null)),
    "paceTimeline": rows(t=number, wordsPerMin=integer),
    "pitchTimeline": rows(t=number, semitones=either(number, null)),
    "emotionBreakdown": either(EMOTIONS, null),
    "gaze": members(eyeContactPct=either(share, null)),
    "vocalAnalysis": members(
        paceWordsPerMin=either(integer, null), volumeConsistency=either(share, null), tonalVariety=either(share, null),
        clarity=either(share, null), pauseEffectiveness=either(share, null)),
    "bodyLanguageAnalysis": members(
        postureScore=either(share, null), gestureNaturalness=either(share, null),
        facialExpressiveness=either(share, null), eyeContactPct=either(share, null),
        movementPurpose=either(share, null)),
    "strengths": texts,
    "areasForImprovement": texts,
    "practiceExercises": texts,
    "keyMoments": lambda value: rows(
        timestamp=integer, type=text, description=text, start=number, end=number, quote=either(text, null), measures=texts)(value) and all(
        moment["type"] in ("strength", "improvement") for moment in value),
    "feedback": text,
    "firstStep": either(members(what=text, why=text, exercise=text, nextRecording=text,
                                points=either(integer, null), measures=texts), null),
    "warnings": texts,
    "warningTexts": texts,
    "transcript": lambda value: members(text=text, words=rows(w=text, start=number, end=number))(value) and all(
        word["start"] <= word["end"] for word in value["words"]),
}

# Each plain field has its measure, by the field's own name.
MEASURED = ("durationSec confidenceScore impressionTags fillerWords toneTimeline emotionBreakdown eyeContactPct "
            "paceWordsPerMin volumeConsistency tonalVariety clarity pauseEffectiveness postureScore gestureNaturalness "
            "facialExpressiveness movementPurpose strengths areasForImprovement practiceExercises keyMoments feedback "
            "transcript").split()


def plain_values(report):
    """The numbers at the top level by the name of their measure."""
    return {"confidenceScore": report["confidenceScore"], "emotionBreakdown": report["emotionBreakdown"],
            "eyeContactPct": report["gaze"]["eyeContactPct"], **report["vocalAnalysis"],
            **{name: value for name, value in report["bodyLanguageAnalysis"].items() if name != "eyeContactPct"}}


def wrong_fields(report):
    """Fields that are missing or of another type, with what is there."""
    return {name: report.get(name, "missing") for name, kind in FIELDS.items()
            if not (name in report and kind(report[name]))}


def wrong_measures(report):
    """Measures without value, unit, source and valid, and those that are null and do not say why."""
    return {name: measure for name, measure in report["measures"].items() if not (
        {"value", "unit", "source", "valid"} <= set(measure) and text(measure["unit"])
        and measure["source"] in ("measured", "model", "estimated", "notRated") and isinstance(measure["valid"], bool)
        and (measure["valid"] and measure["value"] is not None
             or not measure["valid"] and measure["value"] is None and text(measure.get("reason"))))}


def parted_values(report):
    """Plain fields that are null although their measure is valid, or the other way round."""
    measures = report["measures"]
    return [name for name, value in plain_values(report).items()
            if (value is None) == measures.get(name, {}).get("valid", False)]


# Sentences, and beside each the names of the measures that it rests on.
BESIDE = {"strengths": "strengthMeasures", "areasForImprovement": "improvementMeasures", "practiceExercises": "exerciseMeasures"}


def baseless_advice(report):
    """Sentences of advice without a known measure beside them."""
    advice = [pair for texts, beside in BESIDE.items() for pair in zip_longest(report[texts], report[beside], fillvalue=[])]
    advice += [(moment["description"], moment["measures"]) for moment in report["keyMoments"]]
    advice.append((report["feedback"], report["feedbackMeasures"]))
    return [text for text, names in advice if not names or not set(names) <= set(report["measures"])]


def technical_advice(report):
    """Sentences of advice that name a measure or give a bare ratio."""
    advice = [text for texts in BESIDE for text in report[texts]] + [report["feedback"]]
    advice += [moment["description"] for moment in report["keyMoments"]]
    return [text for text in advice if re.search(r"\b[a-z]+[A-Z]\w*\b|\d of 1\b(?!\.\d)|%", text)]
