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
}
CASES = [(point, service) for point, services in POINTS.items() for service in services]
STACKS = int(os.environ.get("CRASH_STACKS") or (3 if os.environ.get("KAFKA_HOME") else 6))


@pytest.fixture(scope="module")
def all_deaths(ground, request):
    """The deaths of the tests that were chosen; they begin with the first that asks, and go on beside it."""
    chosen = [(item.callspec.params["point"], item.callspec.params["service"]) for item in request.session.items
              if item.path == request.path and "point" in getattr(getattr(item, "callspec", None), "params", {})]
    found = Deaths(chosen, STACKS)
    yield found
    found.end()


def test_every_crash_point_of_the_sources_has_its_cases_and_none_is_gone():
    assert points_in_sources() == set(POINTS)


@pytest.mark.parametrize("point, service", CASES, ids=[f"{point} in {service}" for point, service in CASES])
def test_a_death_leaves_one_report_one_charge_and_nothing_stuck(all_deaths, point, service):
    death = all_deaths.of(point, service)
    note(f"{point} in {service}: {death.steps} s")
    assert death.how == signal.SIGKILL
    assert isinstance(death.outcome, tuple), death.outcome
    state, report = death.outcome
    assert state["status"] == "complete" and report is not None, death.outcome
    assert death.unrest == [], "nothing is stuck"
    assert death.broken == [], "every rule holds"
