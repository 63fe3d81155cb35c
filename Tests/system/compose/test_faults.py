"""What breaks while twenty users submit videos, and that nothing is lost, doubled or charged twice by it."""
import contextlib
import functools
import os
import signal
import subprocess
import time

import pytest

from support.crowd import USERS, Crowd, agreed
from support.deployment import SERVICES
from support.notes import note

pytestmark = pytest.mark.by_name

# Smaller numbers make a quick run; in seconds.
PAUSE = float(os.environ.get("COMPOSE_TEST_PAUSE", "30"))
AWAY = float(os.environ.get("COMPOSE_TEST_AWAY", "60"))
CUT = float(os.environ.get("COMPOSE_TEST_CUT", "10"))

CONTAINERS = SERVICES + ["gateway", "s3", "kafka", "postgres"]
# Who cannot reach whom for a while.
CUTS = [("quota", "kafka"), ("sessions", "postgres"), ("analysis", "s3"), ("gateway", "reporting")]


def test_faults_lose_double_and_charge_nothing(deployment):
    crowd = Crowd(deployment, USERS, over=len(CONTAINERS) * PAUSE + AWAY)
    begin = time.monotonic()
    crowd.start()
    for name in CONTAINERS:
        deployment.docker("kill", deployment.name(name))
        deployment.docker("start", deployment.name(name))
    note(f"{', '.join(CONTAINERS)} were killed and started")
    for name in CONTAINERS:
        stand_still(deployment, name, PAUSE)
    note(f"each of them stood still for {PAUSE:.0f} s")
    deployment.compose("stop", "kafka")
    time.sleep(AWAY)
    deployment.compose("start", "kafka")
    note(f"kafka was away for {AWAY:.0f} s")
    deployment.compose("restart", "postgres")
    for one, other in CUTS:
        with cut_off(deployment, one, other):
            time.sleep(CUT)
        note(f"{one} and {other} were cut off from each other for {CUT:.0f} s")
    note(f"all faults took {time.monotonic() - begin:.0f} s")
    agreed(deployment, crowd)


def stand_still(deployment, name, seconds):
    """Pauses a container; where the engine cannot, each of its processes is stopped from outside."""
    container = deployment.name(name)
    if "unable" not in deployment.docker("pause", container, ok=()):
        try:
            time.sleep(seconds)
        finally:
            deployment.docker("unpause", container)
        return
    processes = [int(line) for line in deployment.docker("top", container, "-eo", "pid").split()[1:]]
    try:
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        time.sleep(seconds)
    finally:
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)


@contextlib.contextmanager
def cut_off(deployment, one, other):
    """Two containers that cannot reach each other, while each still reaches the rest.

    Where the engine runs on another machine or for another user, the first one is cut off from all.
    """
    def routes(what):
        for here, there in ((one, other), (other, one)):
            facts = deployment.inspect(here)
            address = deployment.inspect(there)["NetworkSettings"]["Networks"][f"{deployment.project}_inside"]["IPAddress"]
            subprocess.run(
                ["nsenter", "-t", str(facts["State"]["Pid"]), "-n", "ip", "route", what, "blackhole", f"{address}/32"],
                check=True, capture_output=True)
    network = (f"{deployment.project}_inside", deployment.name(one))
    try:
        routes("add")
        mend = functools.partial(routes, "del")
    except (OSError, subprocess.CalledProcessError):
        deployment.docker("network", "disconnect", *network)
        mend = functools.partial(deployment.docker, "network", "connect", "--alias", one, *network)
    try:
        yield
    finally:
        mend()
