"""A deployment for the tests: a copy of the project under a name and ports of its own, all of which is removed at the end."""
import os
import shutil
import subprocess

import pytest

from support import deployed, notes
from support.deployment import Deployment
from support.kept import Kept


def missing():
    """What keeps this machine from deploying, or None."""
    def works(*words):
        return subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              check=False).returncode == 0
    if not shutil.which("docker"):
        return "docker is not installed"
    if not works("docker", "info"):
        return "no Docker engine answers; start one, or set DOCKER_HOST"
    if not works("docker", "compose", "version"):
        return "docker has no compose plugin"
    return None


@pytest.fixture(scope="session")
def engine():
    reason = missing()
    if reason and os.environ.get("COMPOSE") == "1":
        pytest.fail(f"a Docker engine with compose is needed: {reason}")
    if reason:
        pytest.skip(f"a Docker engine with compose would run this: {reason}")
    assert shutil.which("openssl"), "openssl is missing; install it"


def end(deployment):
    if os.environ.get("COMPOSE_TEST_KEEP"):
        notes.note(f"kept in {deployment.folder} as {deployment.project}")
    else:
        deployment.remove()


@pytest.fixture(scope="session")
def images(engine, demo_video):
    """The images are built once, however many deployments there are."""
    if os.environ.get("COMPOSE_TEST_SKIP_BUILD"):
        return
    deployment = Deployment()
    try:
        deployment.init()
        deployment.compose("build", within=1800)
    finally:
        deployment.remove()


def started():
    deployment = Deployment()
    try:
        deployment.init()
        deployment.seconds_to_ready = deployment.up()
    except BaseException:
        end(deployment)
        raise
    return deployment


@pytest.fixture(scope="session")
def kept_deployment(images):
    kept = Kept(started, end)
    yield kept
    kept.end()


@pytest.fixture
def deployment(kept_deployment, request):
    """A running deployment, shared by all tests; a new one after a failure, and after a test that leaves nothing of it."""
    with kept_deployment.lent(request.node) as deployment:
        deployment.trust()
        yield deployment


@pytest.fixture
def owner(deployment):
    """Somebody with a report, and their session. Shared: tests only look."""
    user, session = deployment.kept("owner", lambda: deployed.whole_way(deployment))
    # A token is good for minutes, a deployment for hours.
    user.sign_in()
    return user, session


@pytest.fixture
def user(deployment):
    return deployed.new_user(deployment)
