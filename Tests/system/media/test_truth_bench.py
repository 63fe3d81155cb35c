"""What the bench of the coaching's truth keeps of a clip, and what it measures again; the helper is played."""
import os

import pytest

from truth import judge

GOOD = """echo '{"stage":"probe"}'; echo '{"result":{"durationMs":1000}}'; exit 0"""
BUSY = """echo '{"error":{"code":"internal","message":"The analysis took too long.","retryable":true}}'; exit 4"""
REFUSED = """echo '{"error":{"code":"no-video","message":"There is no picture.","retryable":false}}'; exit 3"""
KILLED = """echo '{"stage":"probe"}'; kill -9 $$"""


class Bench:
    """A helper that plays one script after another, the last one for ever, and counts its runs."""

    def __init__(self, folder):
        self.folder, self.runs = folder, folder / "runs"
        self.clip = folder / "clip.mp4"
        self.clip.write_bytes(b"clip")

    def plays(self, *scripts):
        self.runs.write_text("")
        cases = "".join(f"{index}) {script} ;;\n" for index, script in enumerate(scripts[:-1], 1))
        helper = self.folder / "helper"
        # One program for all tests of a bench, as results are kept for each program.
        helper.write_text(f"#!/bin/sh\n. {self.folder}/script\n")
        (self.folder / "script").write_text(
            f'echo run >> "{self.runs}"\ncase $(wc -l < "{self.runs}") in\n{cases}*) {scripts[-1]} ;;\nesac\n')
        helper.chmod(0o755)

    def measured(self):
        return judge.measured(str(self.folder / "helper"), "none", str(self.clip), str(self.folder / "kept"))

    @property
    def count(self):
        return len(self.runs.read_text().split())


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


def test_a_clip_that_was_measured_is_kept(bench):
    bench.plays(GOOD)
    assert bench.measured() == bench.measured() == {"durationMs": 1000}
    assert bench.count == 1


@pytest.mark.parametrize("failure", [BUSY, KILLED], ids=["busy", "killed"])
def test_a_clip_that_could_not_be_measured_is_measured_again(bench, failure):
    bench.plays(failure, GOOD)
    assert bench.measured() == {"durationMs": 1000}
    assert bench.count == 2


@pytest.mark.parametrize("failure", [BUSY, KILLED], ids=["busy", "killed"])
def test_no_failure_is_kept_as_a_clips_answer(bench, failure):
    bench.plays(failure)
    with pytest.raises(judge.Unmeasured):
        bench.measured()
    bench.plays(GOOD)
    assert bench.measured() == {"durationMs": 1000}


def test_a_failure_that_was_kept_by_a_bench_of_before_is_measured_again(bench):
    bench.plays(GOOD)
    bench.measured()
    [place] = (bench.folder / "kept").rglob("*.json")
    place.write_text("null")
    assert bench.measured() == {"durationMs": 1000}


def test_a_clip_that_is_refused_has_no_answer_and_no_second_try(bench):
    bench.plays(REFUSED)
    assert bench.measured() is None
    assert bench.count == 1


def test_a_clip_that_was_made_anew_is_measured_anew(bench):
    bench.plays(GOOD)
    bench.measured()
    [place] = (bench.folder / "kept").rglob("*.json")
    before = place.stat().st_mtime
    os.utime(bench.clip, (before + 10, before + 10))
    bench.measured()
    assert bench.count == 2
