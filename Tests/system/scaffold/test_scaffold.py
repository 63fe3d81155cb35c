"""The scaffolds of infra/scaffold, used in a copy of the sources that is built and tested.

Each published event, read model and service that they begin must compile everywhere and keep every list joined; what is left to
an engineer is what the contracts' tests name, and no more.
"""
import re

import pytest

from support import copies

EVENTS = [
    ("identity", "UserMoved", "movedAt:time"), ("sessions", "SessionPaused", "pausedAt:time"),
    ("quota", "UnitLent", "daysLent:int"), ("analysis", "AnalysisPaused", "attempt:int", "forGood:bool"),
    ("reporting", "ReportShared", "sharedAt:time", "reportId:uuid"), ("badges", "BadgeShown", "shownAt:time"),
]
READ_MODELS = [("identity", "MovedUser"), ("sessions", "PausedSession"), ("quota", "LentUnit"), ("analysis", "PausedJob"),
               ("reporting", "SharedReport")]
# Of SimulationTests and others only that they compile.
TARGETS = ["DeclarationTests", "ContractPathTests", "SimulationTests", "RouteTests", "BadgesDomainTests", "ReportingDomainTests"]


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    return copies.fresh(tmp_path_factory.mktemp("sources"))


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The copy with everything that the scaffolds make, built."""
    folder = copies.fresh(tmp_path_factory.mktemp("scaffolded"))
    for words in [("new-service", "badges"), *[("new-event", *event) for event in EVENTS],
                  *[("new-read-model", *model) for model in READ_MODELS]]:
        done = copies.scaffold(folder, *words)
        assert done.returncode == 0, f"{' '.join(words)}: {done.stderr}"
        assert "What is left to you:" in done.stdout
    copies.keep(folder)
    code, said = copies.swift(["build", "--build-tests"], ONLY_TARGETS=" ".join(TARGETS))
    errors = dict.fromkeys(line for line in said.splitlines() if re.match(r"/.*error:", line))
    assert code == 0, "\n".join(errors) or said[-3000:]
    return copies.TREE


def run(*filters, **variables):
    words = ["test", "--skip-build", "--disable-xctest"]
    for pattern in filters:
        words += ["--filter", pattern]
    code, said = copies.swift(words, ONLY_TARGETS=" ".join(TARGETS), **variables)
    assert re.search(r"Test run with [1-9]", said), said[-3000:]
    return code, said


@pytest.mark.parametrize("target", ["BadgesDomainTests", "ReportingDomainTests", "DeclarationTests"])
def test_what_was_made_passes_the_tests_that_join_the_lists(built, target):
    code, said = run(rf"^{target}\.")
    assert code == 0, failures(said)


def test_a_new_service_needs_a_token_and_refuses_wrong_settings(built):
    code, said = run(r"^RouteTests\..*configuration", r"^RouteTests\..*badges")
    assert code == 0, failures(said)


def test_a_new_service_publishes_what_its_story_tells_once_that_is_accepted(built):
    code, said = run(r"^ContractPathTests\.PublishingTests/path", CONTRACTS_SERVICE="badges", CONTRACTS_ACCEPT="1")
    assert code == 0, failures(said)
    for name in ("published/SubjectErased.v1.json", "events/BadgeCreated.v1.json", "events/BadgeErased.v1.json"):
        assert (built / "Services/badges/Contracts" / name).exists(), name
    code, said = run(r"^ContractPathTests\.PublishingTests/path", CONTRACTS_SERVICE="badges")
    # What `new-event` added is all that the story does not tell yet.
    assert len(issues(said)) == 1 and "BadgeShown.v1" in said, failures(said)


@pytest.mark.parametrize("service, name", [event[:2] for event in EVENTS])
def test_the_contracts_name_what_is_left_to_write_of_an_event(built, service, name):
    code, said = run(r"^ContractPathTests\.PublishingTests/suite", CONTRACTS_SERVICE=service)
    assert code != 0 and name in said, failures(said)


def issues(said):
    return [line for line in said.splitlines() if "recorded an issue" in line]


def failures(said):
    return "\n".join([line for line in said.splitlines() if line.startswith(("✘", "    ", "↳"))][-40:]) or said[-3000:]


@pytest.mark.parametrize("words, why", [
    (["new-event", "billing", "InvoiceSent"], "There is no service billing"),
    (["new-event", "reporting", "reportShared"], "CamelCase"),
    (["new-event", "reporting", "ReportReady"], "is declared already"),
    (["new-event", "reporting", "ReportWritten"], "has a private event ReportWritten already"),
    (["new-event", "reporting", "ReportShared", "by:text"], "the forms are uuid, time, int, bool"),
    (["new-event", "reporting", "ReportShared", "At:time"], "a field has a name"),
    (["new-event", "reporting", "ReportShared", "at:time", "at:time"], "named twice"),
    (["new-read-model", "reporting", "Report-List"], "CamelCase"),
    (["new-read-model", "reporting", "ReportHistory"], "is declared already"),
    (["new-service", "Badges"], "small letters only"),
    (["new-service", "quota"], "quota is taken"),
    (["new-service", "badges", "Session"], "Session is declared already"),
    (["new-thing"], "usage:"),
], ids=lambda value: " ".join(value[:3]) if isinstance(value, list) else "")
def test_wrong_names_are_refused_and_nothing_is_written(sources, words, why):
    before = copies.contents(sources)
    done = copies.scaffold(sources, *words)
    assert done.returncode == 2 and why in done.stderr, done.stderr
    assert copies.contents(sources) == before


@pytest.mark.parametrize("words, path, old, new", [
    (["new-event", "reporting", "ReportShared"], "Services/sessions/SessionReactions.swift", "ignoring: [", "without: ["),
    (["new-event", "reporting", "ReportShared"], "Services/reporting/ReportEvent.swift", "default: nil", "case _: nil"),
    (["new-read-model", "reporting", "SharedReport"], "Services/reporting/ReportingService.swift", "readModels", "folds"),
    (["new-service", "badges"], "infra/backup", "union all select 'reporting'", "union select 'reporting'"),
    (["new-service", "badges"], "Tests/system/support/deaths.py", '"analysis", "reporting"', '"reporting", "analysis"'),
], ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else "")
def test_a_tree_of_another_form_is_left_as_it_is(sources, words, path, old, new):
    text = (sources / path).read_text()
    assert old in text
    (sources / path).write_text(text.replace(old, new))
    try:
        before = copies.contents(sources)
        done = copies.scaffold(sources, *words)
        assert done.returncode == 1 and "Nothing was written." in done.stderr, done.stderr
        assert copies.contents(sources) == before
    finally:
        (sources / path).write_text(text)
