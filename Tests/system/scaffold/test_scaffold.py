"""The scaffolds of infra/scaffold, used in a copy of the sources that is built and tested.

Each published event, read model and service that they begin must compile everywhere and keep every list joined; what is left to
an engineer is what the contracts' tests name, and no more.
"""
import re

import pytest

from support import copies

EVENTS = [
    ("identity", "UserMoved", "movedAt:time", "for=nobody"), ("sessions", "SessionPaused", "pausedAt:time", "for=quota"),
    ("quota", "UnitLent", "daysLent:int", "for=nobody"),
    ("analysis", "AnalysisPaused", "attempt:int", "forGood:bool", "for=nobody", "why=Nobody waits for it"),
    ("reporting", "ReportPrinted", "printedAt:time:When the owner printed it.", "reportId:uuid", "for=nobody"),
    ("badges", "BadgeShown", "shownAt:time", "for=nobody"),
]
PRIVATE_EVENTS = [
    ("identity", "UserGreeted", "command=greet"), ("sessions", "SessionTouched", "touchedAt:time"),
    ("quota", "UnitBorrowed", "command=borrowUnit"),
    ("quota", "UnitReturned", "ownerId:uuid", "returnedAt:time", "command=returnUnit", "meaning=A unit comes back."),
    ("analysis", "JobNoted", "minutes:int", "command=note"),
    ("reporting", "ReportOpened", "openedAt:time", "command=open", "meaning=The owner has opened it."),
    ("badges", "BadgeWorn", "wornAt:time", "command=wear"),
    ("sessions", "SessionRead", "openedAt:time", "command=read", "meaning=The report of the session has been opened."),
]
READ_MODELS = [("identity", "MovedUser"), ("sessions", "PausedSession"), ("quota", "LentUnit"), ("analysis", "PausedJob"),
               ("reporting", "PrintedReport")]
# Of SimulationTests and others only that they compile.
TARGETS = ["DeclarationTests", "ContractPathTests", "SimulationTests", "RouteTests", "BadgesDomainTests", "ReportingDomainTests",
           "HouseTests"]

# Added to the tests of reporting's rules.
USES = """
import EventSourcingTesting
import Testing

@testable import Contracts
@testable import reporting

@Suite("What the scaffolds wrote of reports") struct ScaffoldedTests {
    private let f = Fixture.self
    private var printed: ReportEvent { .printed(f.report, printedAt: f.start, reportId: f.owner) }

    @Test("is stored, read, folded under the report's key, and published") func shares() throws {
        #expect(try storedAndRead(printed) == printed)
        #expect(printed.report == f.report)
        #expect(ReportProjection.keys(of: printed) == [f.id])
        let message = ReportPrinted(f.report.reference, printedAt: f.start, reportId: f.owner)
        #expect(PublishedByReporting.outgoing(for: printed)?.data == message.json)
    }

    @Test("follows from its command, and stays private") func opens() throws {
        let opened = ReportEvent.opened(f.report, openedAt: f.start)
        #expect(Given([f.written]).when(.open(f.report, openedAt: f.start)) == .events([opened]))
        #expect(try storedAndRead(opened) == opened)
        #expect(PublishedByReporting.outgoing(for: opened) == nil)
    }
}
"""


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    return copies.fresh(tmp_path_factory.mktemp("sources"))


@pytest.fixture(scope="module")
def scaffolded(tmp_path_factory):
    """A copy with everything that the scaffolds make, and what each said by the name that it made."""
    folder, said = copies.fresh(tmp_path_factory.mktemp("scaffolded")), {}
    for words in [("new-service", "badges"), *[("new-event", *event) for event in EVENTS],
                  *[("new-private-event", *event) for event in PRIVATE_EVENTS],
                  *[("new-read-model", *model) for model in READ_MODELS]]:
        done = copies.scaffold(folder, *words)
        assert done.returncode == 0, f"{' '.join(words)}: {done.stderr}"
        assert "What is left to you:" in done.stdout
        said[words[2] if len(words) > 2 else words[1]] = done.stdout
    return folder, said


@pytest.fixture(scope="module")
def built(scaffolded):
    """That copy, built."""
    folder, _ = scaffolded
    (folder / "Tests/Services/reporting/ReportingDomainTests/ScaffoldedTests.swift").write_text(USES)
    copies.keep(folder)
    code, said = copies.build(ONLY_TARGETS=" ".join(TARGETS))
    errors = dict.fromkeys(line for line in said.splitlines() if re.match(r"/.*error:", line))
    assert code == 0, "\n".join(errors) or said[-3000:]
    return copies.TREE


def run(*filters, but=(), **variables):
    words = []
    for pattern in filters:
        words += ["--filter", pattern]
    for pattern in but:
        words += ["--skip", pattern]
    code, said = copies.tested(words, **variables)
    assert re.search(r"Test run with [1-9]", said), said[-3000:]
    return code, said


def test_each_answer_that_says_nothing_yet_is_listed(scaffolded):
    _, said = scaffolded
    for line in ["Services/quota/…Decisions.swift: when `.unitReturned` follows from `.returnUnit`",
                 "Services/quota/Allowance.swift: evolve (break)",
                 # It names its owner alone, from which no key can be told.
                 "Services/quota/AllowanceProjection.swift: keys ([]), evolve (break)",
                 "Services/quota/AllowanceReactions.swift: init (as its last arm)",
                 "Services/quota/QuotaService.swift: compensation (.ignore)",
                 'Services/quota/QuotaWords.swift: words ("a unit comes back")',
                 "Tests/Services/SimulationTests/Invariants.swift: accounts (break)"]:
        assert line in said["UnitReturned"], said["UnitReturned"]
    assert "Services/quota/AllowanceProjection.swift: evolve (break)" in said["UnitBorrowed"], said["UnitBorrowed"]
    assert "Services/quota: what follows from it" in said["SessionPaused"], said["SessionPaused"]
    assert "ReportCommand+Recalled.swift: recalled (nil)" in said["ReportPrinted"]
    assert "ReportCommand+Recalled.swift: recalled" not in said["ReportOpened"], said["ReportOpened"]


def test_a_message_is_ignored_for_a_reason_that_is_still_to_be_said(scaffolded):
    folder, said = scaffolded
    for name, file in [("UnitLent", "identity/UserReactions.swift"), ("ReportPrinted", "sessions/SessionReactions.swift"),
                       ("UserMoved", "analysis/JobReactions.swift"), ("UserMoved", "badges/BadgeReactions.swift")]:
        text = " ".join((folder / "Services" / file).read_text().split())
        assert f"// Say why nothing follows from it. {name}.type," in text, f"{name}: {text}"
    assert 'say why in the table of each, in the place of "Say why nothing follows from it."' in said["UnitLent"], said["UnitLent"]


def test_a_message_is_ignored_for_the_reason_that_was_given(scaffolded):
    folder, said = scaffolded
    for file in ("identity/UserReactions.swift", "reporting/ReportReactions.swift", "sessions/SessionReactions.swift"):
        text = " ".join((folder / "Services" / file).read_text().split())
        assert "// Nobody waits for it. AnalysisPaused.type," in text, text
    assert "Say why nothing follows from it." not in said["AnalysisPaused"], said["AnalysisPaused"]


def test_a_meaning_that_nobody_gave_is_refused(built):
    code, said = run(r"^HouseTests\.MeaningTests")
    assert code != 0, said
    for path in ("Shared/Events/Contracts/SessionsMessages.swift", "ContractChecking/Catalogue.swift", "quota/QuotaEvent.swift",
                 # For want of a reason to ignore it.
                 "sessions/SessionReactions.swift",
                 # For want of a rule.
                 "reporting/ReportDecisions.swift"):
        assert path in said, said


EXPORTED = r"^DeclarationTests\..*A table of owners"
# Ten thousand histories each, by rules of practice and progress that no scaffold touches: `unit` runs them over the same sources.
RANDOM_HISTORIES = [r"^ReportingDomainTests\.StreakModelTests/", r"^ReportingDomainTests\.RecordedDayTests/calendars\(\)"]


def test_a_table_is_named_until_an_export_has_it_or_somebody_says_why_not(built, scaffolded):
    code, said = run(EXPORTED)
    assert code != 0, said
    for table in ("lent_unit", "badge_list", "moved_user"):
        assert f'"{table}"' in said, said
    _, told = scaffolded
    for name in ("LentUnit", "badges"):
        assert "ExportedTableTests.swift: which table of an export says what" in told[name], told[name]


@pytest.mark.parametrize("target", ["BadgesDomainTests", "ReportingDomainTests", "DeclarationTests"])
def test_what_was_made_passes_the_tests_that_join_the_lists(built, target):
    code, said = run(rf"^{target}\.", but=[EXPORTED, *RANDOM_HISTORIES])
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


def test_who_is_to_react_is_asked_for_the_reaction(built):
    code, said = run(r"^ContractPathTests\.ReadingTests", CONTRACTS_SERVICE="quota")
    assert code != 0 and "quota has SessionPaused.v1 in its table and never does anything about it" in said, failures(said)


def issues(said):
    return [line for line in said.splitlines() if "recorded an issue" in line]


def failures(said):
    return "\n".join([line for line in said.splitlines() if line.startswith(("✘", "    ", "↳"))][-40:]) or said[-3000:]


@pytest.mark.parametrize("words, why", [
    (["new-event", "billing", "InvoiceSent", "for=nobody"], "There is no service billing"),
    (["new-event", "reporting", "reportPrinted", "for=nobody"], "CamelCase"),
    (["new-event", "reporting", "ReportReady", "for=nobody"], "is declared already"),
    (["new-event", "reporting", "ReportWritten", "for=nobody"], "has a private event ReportWritten already"),
    (["new-event", "reporting", "ReportPrinted", "by:text", "for=nobody"], "the forms are uuid, time, int, bool"),
    (["new-event", "reporting", "ReportPrinted", "At:time", "for=nobody"], "a field has a name"),
    (["new-event", "reporting", "ReportPrinted", "at:time", "at:time", "for=nobody"], "named twice"),
    (["new-event", "reporting", "ReportPrinted", 'at:time:The "time".', "for=nobody"], "without quotation marks"),
    (["new-event", "reporting", "ReportPrinted", "for=nobody", 'why=No "reason".'], "without quotation marks"),
    (["new-event", "reporting", "ReportPrinted"], "Say which services react to it"),
    (["new-event", "reporting", "ReportPrinted", "for=billing"], "There is no service billing"),
    (["new-event", "reporting", "ReportPrinted", "for=reporting"], "reporting publishes it"),
    (["new-private-event", "billing", "InvoiceSent"], "There is no service billing"),
    (["new-private-event", "reporting", "ReportWritten"], "has a private event ReportWritten already"),
    (["new-private-event", "reporting", "ExportReady"], "has a private event ExportReady already"),
    (["new-private-event", "reporting", "ReportReady"], "is declared already"),
    (["new-private-event", "quota", "UnitLent", "by:text"], "the forms are uuid, time, int, bool"),
    (["new-private-event", "quota", "UnitLent", "command=reserve"], "AllowanceCommand has a case reserve already"),
    (["new-private-event", "quota", "UnitLent", "command=LendUnit"], "is no name of a command"),
    (["new-private-event", "quota", "UnitLent", 'meaning=A "unit".'], "without quotation marks"),
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
    (["new-event", "reporting", "ReportPrinted", "for=nobody"], "Services/sessions/SessionReactions.swift", "ignoring: [", "without: ["),
    (["new-event", "reporting", "ReportPrinted", "for=nobody"], "Services/reporting/ReportEvent.swift", "default: nil", "case _: nil"),
    (["new-private-event", "quota", "UnitLent"], "Services/quota/QuotaEventCoding.swift", "default: return",
     "case _: return"),
    (["new-private-event", "quota", "UnitLent", "command=lend"], "Services/quota/AllowanceCommand.swift", "enum AllowanceCommand",
     "enum Asked"),
    (["new-read-model", "reporting", "PrintedReport"], "Services/reporting/ReportingService.swift", "readModels", "folds"),
    (["new-service", "badges"], "infra/backup", "union all select 'notifications'", "union select 'notifications'"),
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
