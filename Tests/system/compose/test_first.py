"""From nothing to a report."""
import re

import pytest

from support.deployed import whole_way
from support.deployment import Deployment
from support.notes import note


@pytest.fixture
def copy(engine):
    """A copy of the project that nobody has set up."""
    deployment = Deployment()
    yield deployment
    deployment.remove()


def test_without_a_first_set_up_compose_says_what_to_run(copy):
    said = copy.compose("up", "-d", ok=(1, 14, 15, 16))
    assert "infra/init" in said, said


def test_a_first_set_up_overwrites_nothing(copy):
    copy.init()
    again = copy.run("infra/init", copy.url, ok=(3,))
    assert "already exists" in again, again


def test_everything_is_ready_within_a_minute(deployment):
    sizes = deployment.docker("images", "--format", "{{.Repository}} {{.Size}}")
    note("; ".join(sorted(set(re.findall(r"mirrormate/\S+ \S+", sizes)))))
    note(f"up to ready in {deployment.seconds_to_ready:.0f} s; idle: {deployment.memory()}")
    assert deployment.seconds_to_ready <= 60


def test_a_video_becomes_a_report(deployment):
    whole_way(deployment)


def test_the_doctor_finds_nothing(deployment):
    said = deployment.doctor()
    assert "nothing is wrong" in said, said
