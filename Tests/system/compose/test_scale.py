"""Two instances of each service, all of which are killed while twenty users submit videos."""
import time

import pytest

from support.crowd import USERS, Crowd, agreed
from support.deployment import SERVICES
from support.notes import note

pytestmark = pytest.mark.by_name


def test_two_instances_of_each_service_share_the_work_and_lose_nothing(deployment):
    # Others expect one of each.
    deployment.is_used_up = True
    seconds = deployment.up("--profile", "scale")
    note(f"two instances of each service, ready in {seconds:.0f} s")
    crowd = Crowd(deployment, USERS, over=USERS)
    crowd.start()
    for name in SERVICES + [f"{name}-2" for name in SERVICES]:
        time.sleep(5)
        deployment.docker("kill", deployment.name(name))
        deployment.docker("start", deployment.name(name))
    note("under load: " + deployment.memory())
    agreed(deployment, crowd)
    for name in SERVICES[1:]:
        shared = deployment.sql(
            f"select count(*) from pg_stat_activity where usename = '{name}' and application_name <> ''"
            " group by client_addr")
        assert len(shared.splitlines()) == 2, f"both instances of {name} are at work"
