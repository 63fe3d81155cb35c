"""A sample of the bench of the coaching's truth; `truth/README.md` says what it is."""
import json
import os
import re
import subprocess

import pytest

from support import places
from truth import reading


class Sample:
    """The bench's run: what it said, and what was measured and reported of each clip."""

    def __init__(self, ran, kept):
        self.code, self.text = ran.returncode, ran.stdout + ran.stderr
        with open(kept, encoding="utf-8") as file:
            entries = [json.loads(line) for line in file]
        self.entries = {(entry["base"], entry["fault"]): entry for entry in entries}

    def measure(self, base, fault, name):
        return self.entries[base, fault]["measured"]["measures"][name]

    def value(self, base, fault, name):
        return self.measure(base, fault, name)["value"]

    def report(self, base, fault):
        return self.entries[base, fault]["report"]


@pytest.fixture(scope="module")
def sample(build, models, tmp_path_factory):
    if models is None:
        pytest.skip("the bench needs the speech model: run infra/fetch-models")
    kept = tmp_path_factory.mktemp("truth") / "kept.jsonl"
    ran = subprocess.run([os.path.join(places.ROOT, "Tests", "system", "truth", "run"), "--sample", "--binaries", str(build),
                          "--models", models, "--keep", str(kept)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                         check=False, timeout=2400)
    if ran.returncode == 3:
        pytest.skip("NumPy is missing, and could not be fetched")
    return Sample(ran, kept)


READER, SLT = "reader-portrait", "slt-talking"


def test_reports_see_what_was_made_worse_and_praise_nobody_for_it(sample):
    assert sample.code == 0, sample.text
    falls = re.search(r"the part that was made worse falls: (\d+) of (\d+)", sample.text)
    assert falls and falls[1] == falls[2], sample.text


def test_eye_contact_counts_all_pictures_and_says_why_it_lacks(sample):
    assert sample.value(READER, None, "cameraContactPct") > 95
    assert sample.value(READER, "leaves-frame", "cameraContactPct") < 45 < sample.value(READER, "leaves-frame", "noFacePct")
    assert sample.value(READER, "second-face", "cameraContactPct") < 10 and sample.value(READER, "second-face", "severalFacesPct") > 90
    assert sample.report(READER, "leaves-frame")["gaze"]["eyeContactPct"] < 0.45


def test_a_still_portrait_is_told_from_a_face_that_speaks(sample):
    assert sample.value(READER, None, "faceLiveliness") < 0.1 < 0.5 < sample.value(SLT, None, "faceLiveliness")
    assert sample.measure(SLT, "tiny-face", "faceLiveliness")["reason"] == "face-too-small"


def test_darkness_and_small_faces_are_measured(sample):
    assert sample.value(READER, None, "pictureQuality") > 0.9
    assert sample.value(READER, "dark", "pictureQuality") < 0.2 and "too-dark" in sample.report(READER, "dark")["warnings"]
    assert sample.value(SLT, "tiny-face", "pictureQuality") < 0.3 and "face-small" in sample.report(SLT, "tiny-face")["warnings"]


def test_cut_peaks_and_noise_are_measured(sample):
    assert sample.value(READER, None, "clippedPct") < 0.2 < 0.8 < sample.value(READER, "clipping", "clippedPct")
    assert sample.value(SLT, None, "soundQuality") > 0.9 > 0.75 > sample.value(SLT, "noise", "soundQuality")


def test_who_never_pauses_is_judged(sample):
    assert sample.measure(READER, "no-pauses", "pauseEffectiveness")["valid"]
    assert sample.value(READER, "no-pauses", "pauseEffectiveness") < 0.4 < sample.value(READER, None, "pauseEffectiveness")


def test_fillers_have_times_and_only_take_away(sample):
    report = sample.report(SLT, "fillers")
    assert len(report["fillerTimes"]) == sum(report["fillerWords"].values()) >= 3
    assert report["confidenceScore"] < sample.report(SLT, None)["confidenceScore"]
    assert sample.report(SLT, None)["fillerTimes"] == [], "nothing is heard where nothing was said"


def test_every_measure_says_what_it_is(sample):
    measured, told = sample.entries[READER, None]["measured"]["measures"], sample.report(READER, None)["measures"]
    assert {measure["source"] for measure in measured.values()} <= {"measured", "model"}
    assert {measure["source"] for measure in told.values()} <= {"measured", "model", "estimated", "notRated"}
    for name, measure in [*measured.items(), *told.items()]:
        assert measure["unit"] and measure["version"] >= 1, name
        assert measure["direction"] in ("higher", "lower", "within", "none"), name


def test_whole_reports_can_be_read_aloud(sample):
    for (base, fault), entry in sample.entries.items():
        report = entry["report"]
        told = " ".join(reading.text(f"{base} {fault}", report).split())
        sentences = [report["feedback"], *report["strengths"], *report["areasForImprovement"], *report["practiceExercises"],
                     *report["warningTexts"], *(moment["description"] for moment in report["keyMoments"])]
        assert all(" ".join(sentence.split()) in told for sentence in sentences), told
