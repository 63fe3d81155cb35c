"""Services, broker and PostgreSQL are killed at random while people use them; then nothing is lost, doubled or stuck."""
import os
import random

import pytest

from support.chaos import Chaos
from support.invariants import at_rest, broken, gapless, stray_objects
from support.notes import note
from support.waiting import wait

USERS = int(os.environ.get("CHAOS_USERS", "20"))
SECONDS = float(os.environ.get("CHAOS_SECONDS", "60"))
SEED = int(os.environ.get("CHAOS_SEED") or random.SystemRandom().randrange(1 << 32))
INSTANCES = [int(count) for count in os.environ.get("CHAOS_INSTANCES", "1,2").split(",")]


@pytest.mark.parametrize("instances", INSTANCES, ids=[f"{count}-of-each-service" for count in INSTANCES])
def test_random_kills_lose_double_and_stick_nothing(new_stack, instances):
    note(f"CHAOS_SEED={SEED}, {instances} of each service, {USERS} users, {SECONDS:.0f} s of kills")
    stack = new_stack
    stack.up(instances)
    chaos = Chaos(stack, instances, SEED, USERS, SECONDS)
    chaos.play()
    note(f"killed {dict(chaos.kills)}; up {dict(chaos.ups)}; sessions {dict(chaos.outcomes)}")
    assert sum(chaos.kills.values()) >= 5, "there was chaos"
    assert chaos.problems[:5] == [], "everybody came to the end they wanted"
    completed = sum(chaos.outcomes[wish] for wish in ("complete", "deleted", "erased"))
    assert completed >= USERS // 2, "many sessions were completed"
    assert [fault for client in chaos.clients for fault in client.faults][:5] == [], \
        "nobody saw an answer 500 or progress that goes back"
    # Causes before their consequences.
    left = sorted(at_rest(stack), key=lambda what: what.startswith(("session ", "job ", "allowance ")))
    assert left[:10] == [], "nothing is stuck"
    assert broken(stack, None, chaos.deleted(), chaos.erased())[:5] == [], \
        "every session ended once, was charged or given back once, and has one report when complete"
    known = {session for client in chaos.clients for session in client.sessions}
    reports = {row["s"] for row in stack.sql("select session_id::text s from reporting.reports")}
    assert len(reports) == chaos.outcomes["complete"], "reports are as many as completed sessions"
    assert reports - known == set()
    # The sweeper comes by every few seconds.
    wait("no object is left over", lambda: not stray_objects(stack))
    assert stray_objects(stack)[:5] == [], "no object is left over and none is missing"
    assert gapless(stack) == [], "the logs have neither a hole nor a repeat"
    wait("quota tells each user the same", lambda: not chaos.disagreements())
    assert chaos.disagreements()[:5] == []
