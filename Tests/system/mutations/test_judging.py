"""How changes are judged, with a program in the place of the tests that fails as it is told to."""
import json
import os
import sys
import threading
import time

import pytest

import judging
import keys

CHANGE = ("a limit is none", "Shared/A/a.swift", "old", "new MUTATED", ["ATests/A limit"])
SQL = ("a lease is for ever", "Shared/A/Schema/a.sql", "old", "new", ["ATests/A limit"])
FILES = {
    "Package.swift": b"package", "Shared/A/a.swift": b"a", "Shared/A/Schema/a.sql": b"sql", "Shared/B/b.swift": b"b",
    "Tests/ATests/a.swift": b"tests", "Tests/BTests/b.swift": b"reads Checkout.root", "docs/limits.md": b"limits",
}
TARGETS = {"A": ("Shared/A/", []), "B": ("Shared/B/", ["A"]), "ATests": ("Tests/ATests/", ["A"]), "BTests": ("Tests/BTests/", ["B"])}

# Says what its plan has for the change and the filter, in the words of swift-testing, and notes that it was asked.
PLAYED = """#!{python}
import json, os, sys, time
plan = json.load(open({plan!r}))
asked = sys.argv[sys.argv.index("--filter") + 1]
name = os.environ.get("MUTATION", "")
with open({log!r}, "a") as log:
    log.write(json.dumps([name, asked, os.environ.get("MUTATION_NEW")]) + "\\n")
times = sum(json.loads(line)[:2] == [name, asked] for line in open({log!r}))
step = plan.get(name + "|" + asked) or plan.get(name) or ["passes"]
step = step[min(times, len(step)) - 1]
title = lambda words: chr(27) + "[91m" + chr(0x2718) + chr(27) + '[0m Test "' + words + '" recorded an issue at a.swift:1:2'
if step == "none":
    print("Test run with 0 tests passed", flush=True)
elif step == "passes":
    print('Test "is kept" passed', flush=True)
    print("Test run with 3 tests passed", flush=True)
elif step == "known":
    print('Test "is kept" recorded a known issue at a.swift:1:2', flush=True)
    print("Test run with 3 tests passed", flush=True)
elif step == "dies":
    os.abort()
elif step == "hangs":
    time.sleep(600)
else:
    print(title(step), flush=True)
    # Others would go on for long.
    time.sleep(600)
"""


class Stage:
    """A judge over a program that is played, and what that was asked."""

    def __init__(self, folder):
        self.folder = folder
        self.plan({})
        program = folder / "tests"
        program.write_text(PLAYED.format(python=sys.executable, plan=str(folder / "plan"), log=str(folder / "log")))
        program.chmod(0o755)
        self.path = str(program)
        self.anew()

    def anew(self, files=FILES):
        """As after an interruption: nothing is remembered but what was kept."""
        self.program = judging.Program(self.path, self.folder)
        self.keys = keys.Keys(files, TARGETS)
        self.results = judging.Results(self.folder / "kept" / "results.json")
        self.judge = judging.Judge(self.program, self.keys, self.results)

    def plan(self, plan):
        (self.folder / "plan").write_text(json.dumps(plan))

    def asked(self):
        """The changes and filters of the runs since it was asked last."""
        log = self.folder / "log"
        found = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        log.unlink(missing_ok=True)
        return found

    def judged(self, change=CHANGE):
        return self.results.get(change[0], self.keys.of_change(change))


@pytest.fixture
def stage(tmp_path):
    return Stage(tmp_path)


WHOLE = r"^ATests\..*A limit"
ONE = r"^ATests\..*is kept \(so\)"


def test_a_change_is_caught_when_the_same_test_fails_twice_and_nothing_is_waited_for(stage):
    stage.plan({CHANGE[0]: ["is kept (so)"]})
    start = time.monotonic()
    found = stage.judge.judge(CHANGE)
    assert (found["by"], found["test"]) == ("ATests/A limit", "is kept (so)")
    assert [one[:2] for one in stage.asked()] == [["", WHOLE], [CHANGE[0], WHOLE], [CHANGE[0], ONE]]
    assert time.monotonic() - start < 60, "what else the program would do is not waited for"
    assert stage.judged()["by"] == "ATests/A limit"


def test_a_change_that_no_test_notices_survives_and_a_known_issue_is_no_failure(stage):
    for step in ("passes", "known"):
        stage.plan({CHANGE[0]: [step]})
        assert stage.judge.judge(CHANGE)["by"] is None


def test_a_failure_that_does_not_come_again_is_not_the_changes(stage):
    stage.plan({f"{CHANGE[0]}|{WHOLE}": ["is kept (so)", "passes"], f"{CHANGE[0]}|{ONE}": ["passes"]})
    assert stage.judge.judge(CHANGE)["by"] is None
    assert len(stage.asked()) == 4
    stage.plan({f"{CHANGE[0]}|{WHOLE}": ["is kept (so)", "is another"], f"{CHANGE[0]}|{ONE}": ["passes"]})
    assert stage.judge.judge(CHANGE)["test"] == "is another"


def test_a_death_counts_when_it_comes_twice_and_what_waits_for_ever_is_noticed(stage, monkeypatch):
    stage.plan({CHANGE[0]: ["dies", "passes"]})
    assert stage.judge.judge(CHANGE)["by"] is None
    stage.asked()
    stage.plan({CHANGE[0]: ["dies"]})
    assert stage.judge.judge(CHANGE)["by"] == "ATests/A limit"
    monkeypatch.setattr(judging, "LEAST", 0.5)
    monkeypatch.setattr(judging, "SLOWER", 0)
    stage.plan({CHANGE[0]: ["hangs"]})
    assert "did not end" in stage.judge.judge(CHANGE)["said"]


def test_the_test_that_noticed_a_change_is_asked_first_and_all_others_when_it_does_not_any_more(stage):
    stage.plan({CHANGE[0]: ["is kept (so)"]})
    stage.judge.judge(CHANGE)
    stage.asked()
    stage.anew({**FILES, "Shared/A/a.swift": b"another"})
    assert stage.judged() is None, "other sources were judged"
    assert stage.judge.judge(CHANGE)["by"] == "ATests/A limit"
    assert [one[:2] for one in stage.asked()] == [["", WHOLE], [CHANGE[0], ONE]]
    for step in ("passes", "none"):
        stage.anew({**FILES, "Shared/A/a.swift": step.encode()})
        stage.plan({f"{CHANGE[0]}|{ONE}": [step], CHANGE[0]: ["is another"]})
        assert stage.judge.judge(CHANGE)["test"] == "is another"
        # Noticed by the first again, for the next turn of this loop.
        stage.plan({CHANGE[0]: ["is kept (so)"]})
        stage.results.known.clear()
        stage.judge.judge(CHANGE)
        stage.asked()


def test_what_was_judged_is_kept_whatever_ends_the_run(stage):
    stage.plan({CHANGE[0]: ["is kept (so)"], SQL[0]: ["hangs"]})
    stage.judge.judge(CHANGE)
    ended = []

    def under_way():
        with pytest.raises(judging.Stopped):
            stage.judge.judge(SQL)
        ended.append(True)

    thread = threading.Thread(target=under_way)
    thread.start()
    while not stage.program.running:
        time.sleep(0.05)
    running = next(iter(stage.program.running)).pid
    stage.program.stop()
    thread.join(30)
    assert ended and not os.path.exists(f"/proc/{running}")
    stage.asked()
    stage.anew()
    assert stage.judged() and stage.judged(SQL) is None
    stage.plan({SQL[0]: ["is kept (so)"]})
    assert stage.judge.judge(SQL)["by"]
    assert all(one[0] == SQL[0] and one[2] == "new" for one in stage.asked()), "no part is run without a change again"


def test_a_part_that_fails_without_a_change_notices_none(stage):
    stage.plan({"": ["is kept (so)"], CHANGE[0]: ["is kept (so)"]})
    for _ in range(2):
        with pytest.raises(judging.NoBaseline, match="Without a change ATests/A limit"):
            stage.judge.judge(CHANGE)
    assert [one[0] for one in stage.asked()] == ["", ""] and stage.judged() is None
    stage.anew()
    stage.plan({"": ["is kept (so)", "passes"], CHANGE[0]: ["is kept (so)"]})
    assert stage.judge.judge(CHANGE)["by"], "once may be by chance"
    stage.anew({**FILES, "Package.swift": b"other"})
    stage.plan({"": ["none"]})
    with pytest.raises(judging.NoBaseline, match="There is no test"):
        stage.judge.judge(CHANGE)


def test_a_verdict_stands_as_long_as_what_its_tests_are_made_of():
    def of(files, *changes):
        found = keys.Keys(files, TARGETS)
        return [found.of_change(change) for change in changes]

    other = (*CHANGE[:4], ["BTests"])
    known = of(FILES, CHANGE, other)
    for file, (same, same_there) in {
        "Shared/A/a.swift": (False, False), "Tests/ATests/a.swift": (False, True), "Shared/B/b.swift": (True, False),
        # Read by tests that look for the checkout.
        "docs/limits.md": (True, False), "Package.swift": (False, False),
    }.items():
        now = of({**FILES, file: b"changed"}, CHANGE, other)
        assert (now[0] == known[0], now[1] == known[1]) == (same, same_there), file
    for changed in [(*CHANGE[:3], "other MUTATED", CHANGE[4]), (*CHANGE[:4], ["ATests"])]:
        assert of(FILES, changed) != known[:1]
    found = keys.Keys(FILES, TARGETS)
    assert found.sees("BTests", "Shared/A/a.swift") and not found.sees("ATests", "Shared/B/b.swift")
