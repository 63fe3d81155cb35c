"""At each named crash point a process dies by kill -9; started again, all ends as if nothing had been."""
import os
import signal

import pytest

from support.crash import Deaths, points_in_sources
from support.notes import note

# In which services each point is tried: those of the flow that come by it in different ways.
POINTS = {
    "append.before-commit": ("identity", "sessions", "quota", "analysis", "reporting"),
    "append.after-commit": ("identity", "sessions", "quota", "analysis", "reporting"),
    "consumer.before-handle": ("sessions", "quota", "analysis", "reporting"),
    "consumer.after-handle": ("sessions", "quota", "analysis", "reporting"),
    "relay.after-send": ("identity", "sessions", "quota", "analysis", "reporting"),
    "relay.after-advance": ("identity", "sessions", "quota", "analysis", "reporting"),
    "analysis.after-claim": ("analysis",),
    "analysis.after-child": ("analysis",),
    "analysis.after-document": ("analysis",),
    "analysis.after-complete-append": ("analysis",),
    "upload.after-object": ("sessions",),
    "upload.after-seal": ("sessions",),
    "sweeper.after-delete": ("sessions",),
    "projector.before-commit": ("sessions", "quota", "reporting"),
    "mail.after-send": ("identity",),
    "erasure.after-guard": ("sessions", "quota", "analysis", "reporting", "notifications"),
    "erasure.after-objects": ("sessions", "analysis", "reporting"),
    "erasure.after-aggregates": ("sessions", "reporting"),
    "export.after-announce": ("reporting",),
    "export.after-object": ("identity", "sessions", "quota", "reporting"),
    "export.after-index": ("sessions", "reporting"),
}
# Those of calls to providers outside, whom no stack here has: AnalysisServiceTests and ReportingServiceTests kill the service there; and
# of webhooks, of which nobody here has any: test_webhooks.py does.
ELSEWHERE = {"analysis.after-call-begun", "analysis.while-lending", "analysis.after-lending", "analysis.after-call",
             "analysis.after-answer", "reporting.after-call-begun",
             "reporting.after-call", "reporting.after-adopted", "webhook.after-send"}
# How often a service comes by before it dies: in turn, or each of those that CRASH_PASSAGES names.
PASSAGES = [int(passage) for passage in os.environ.get("CRASH_PASSAGES", "").split(",") if passage]
PAIRS = [(point, service) for point, services in POINTS.items() for service in services]
CASES = [(point, service, passage) for number, (point, service) in enumerate(PAIRS)
         for passage in PASSAGES or (1 + number % 3,)]
STACKS = int(os.environ.get("CRASH_STACKS") or (3 if os.environ.get("KAFKA_HOME") else 6))


@pytest.fixture(scope="module")
def all_deaths(ground, request):
    """The deaths of the tests that were chosen; they begin with the first that asks, and go on beside it."""
    chosen = [tuple(item.callspec.params[name] for name in ("point", "service", "passage"))
              for item in request.session.items
              if item.path == request.path and "point" in getattr(getattr(item, "callspec", None), "params", {})]
    found = Deaths(chosen, STACKS)
    yield found
    found.end()


def test_every_crash_point_of_the_sources_has_its_cases_and_none_is_gone():
    assert points_in_sources() == set(POINTS) | ELSEWHERE


@pytest.mark.parametrize(
    "point, service, passage", CASES, ids=[f"{point} in {service} at {passage}" for point, service, passage in CASES])
def test_a_death_leaves_one_report_one_charge_and_nothing_stuck(all_deaths, point, service, passage):
    death = all_deaths.of(point, service, passage)
    note(f"{point} in {service} at {passage}: {death.steps} s")
    assert death.how == signal.SIGKILL
    # Whoever came is served, also those who came because the point was not reached yet.
    assert len(death.outcomes) == len(death.clients) >= passage, death.outcomes
    for outcome in death.outcomes:
        assert isinstance(outcome, tuple), outcome
        state, report = outcome
        assert state["status"] == "complete" and report is not None, outcome
    assert death.unrest == [], "nothing is stuck"
    assert death.broken == [], "every rule holds"
