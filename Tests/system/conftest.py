"""What all system tests are run with: choice by name, what is started once, and the end of a run."""
import collections
import os
import shutil
import subprocess

import pytest

pytest.register_assert_rewrite("support")

from support import deaths, names, notes, object_server, once, places, sealed, signals, users  # noqa: E402
from support.api import small_video  # noqa: E402
from support.kept import FAILED, LAST_OF, kept_stacks  # noqa: E402
from support.stack import Stack  # noqa: E402

SECONDS = pytest.StashKey[collections.Counter]()
LEFT_OUT = pytest.StashKey[list]()
NAMESPACE = pytest.StashKey[sealed.Sealed]()


def pytest_addoption(parser):
    group = parser.getgroup("system tests")
    group.addoption("--named", action="append", default=[], metavar="NAME", help="tests of this name; `run NAME` is short for it")
    group.addoption("--shuffle", type=int, metavar="SEED", help="in another order: files, and tests within each")
    group.addoption("--sealed", action="store_true",
                    help="all in a network namespace whose only way out is recorded; a test that lets a packet out fails")
    group.addoption("--list", action="store_true", help="only tell which tests there are")


def pytest_configure(config):
    signals.restore()
    config.stash[SECONDS] = collections.Counter()
    config.stash[LEFT_OUT] = []
    if config.option.list:
        config.option.collectonly = True
        config.option.verbose = -2


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session):
    """From here on this process, with all that it starts, is in the namespace."""
    if not session.config.option.sealed or session.config.option.list:
        return
    reason = sealed.missing()
    if reason:
        raise pytest.UsageError(f"--sealed: {reason}")
    session.config.stash[NAMESPACE] = sealed.Sealed()
    session.config.stash[NAMESPACE].__enter__()


def pytest_report_header():
    kafka = "the development broker; set KAFKA_HOME for a real one"
    if os.environ.get("KAFKA_HOME"):
        kafka = "Apache Kafka of KAFKA_HOME"
    return [f"Kafka: {kafka}", f"objects: {object_server.described()}"]


def pytest_collection_modifyitems(config, items):
    named = config.option.named
    # Paths and words of -k mean what they say, also when a test takes long.
    exact = config.option.keyword or config.args_source is pytest.Config.ArgsSource.ARGS
    try:
        kept = names.chosen(items, named) if named else [
            item for item in items if exact or not item.get_closest_marker("by_name")]
    except ValueError as error:
        raise pytest.UsageError(str(error)) from error
    if not named:
        config.stash[LEFT_OUT] = sorted({names.file(item) for item in items} - {names.file(item) for item in kept})
    items[:] = own_stacks_last(kept) if config.option.shuffle is None else names.shuffled(kept, config.option.shuffle)


def own_stacks_last(items):
    """Within each file, tests with stacks of their own after those that share one, which is ended by then."""
    files = {path: number for number, path in enumerate(dict.fromkeys(item.path for item in items))}
    return sorted(items, key=lambda item: (files[item.path], "new_stack" in getattr(item, "fixturenames", ())))


def pytest_collection_finish(session):
    wanted = set()
    for item in reversed(session.items):
        asked = {(item.path, name) for name in getattr(item, "fixturenames", ())}
        item.stash[LAST_OF] = {name for _, name in asked - wanted}
        wanted |= asked
    if session.config.option.list:
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        for line in names.listing(session.items):
            reporter.write_line(line)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    item.config.stash[SECONDS][os.path.relpath(item.path, item.config.rootpath)] += report.duration
    if report.failed and call.when in ("setup", "call"):
        item.stash[FAILED] = True
        for name, thing in getattr(item, "funcargs", {}).items():
            if hasattr(thing, "last_words_of_all"):
                report.sections.append((f"last lines of {name}", thing.last_words_of_all()))
            if os.environ.get("SYSTEM_TEST_LOGS") and isinstance(thing, Stack):
                thing.keep_logs(os.path.join(os.environ["SYSTEM_TEST_LOGS"], f"{item.name}-{name}".replace("/", "_")))
    return report


def pytest_keyboard_interrupt():
    signals.ignore()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    """Whatever a fixture has not stopped, because it was interrupted while it started, is stopped here."""
    problems = Stack.end()
    if problems:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        for problem in problems:
            notes.note(f"NOT STOPPED: {problem}")


def pytest_terminal_summary(terminalreporter, config):
    if not config.stash[SECONDS]:
        return
    if notes.all_notes():
        terminalreporter.section("noted")
        for line in notes.all_notes():
            terminalreporter.write_line(line)
    skipped = list(names.skips(terminalreporter.stats.get("skipped", [])))
    if skipped:
        terminalreporter.section("skipped")
        for line in skipped:
            terminalreporter.write_line(line)
    if config.stash[LEFT_OUT]:
        terminalreporter.section("not asked for")
        terminalreporter.write_line(f"Run these by name: {', '.join(config.stash[LEFT_OUT])}")
    terminalreporter.section("where the time went")
    for line in names.table(config.stash[SECONDS]):
        terminalreporter.write_line(line)


@pytest.fixture(autouse=True)
def nothing_leaves(request):
    """With --sealed, that no test sends anything out of this machine, whatever it is about; looked at when all of it is down."""
    yield
    namespace = request.config.stash.get(NAMESPACE, None)
    if namespace:
        left = namespace.packets()
        assert not left, f"packets left: {left[:10]}"


# MARK: what is started once

@pytest.fixture(scope="session")
def build():
    """The debug binaries, up to date; without them no test could say anything."""
    if os.environ.get("SYSTEM_TEST_SKIP_BUILD"):
        return places.BINARIES
    for program in ("psql", "kcat", "ffmpeg"):
        if not shutil.which(program):
            pytest.exit(f"{program} is missing; run infra/setup --tests.", returncode=3)
    # Tests/run has built everything, and nobody changes it meanwhile.
    if os.environ.get("SYSTEM_TEST_BUILT"):
        return places.BINARIES
    swift = subprocess.run([os.path.join(places.ROOT, "infra", "find-swift")], capture_output=True, text=True, check=False)
    if swift.returncode != 0:
        pytest.exit("No Swift toolchain found; run infra/setup.", returncode=3)
    built = subprocess.run([swift.stdout.strip(), "build", "--quiet"], cwd=places.ROOT, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if built.returncode != 0:
        pytest.exit(f"It does not build:\n{built.stdout}", returncode=1)
    return places.BINARIES


@pytest.fixture(scope="session")
def demo_video():
    """The bytes of the demo video, which is made when it is not there."""
    with once.at_a_time("demo-video"):
        made = subprocess.run([os.path.join(places.ROOT, "infra", "make-demo-video"), places.DEMO], cwd=places.ROOT,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert made.returncode == 0, f"the demo video cannot be made:\n{made.stdout}"
    with open(places.DEMO, "rb") as file:
        return file.read()


@pytest.fixture(scope="session")
def models():
    """The folder of the speech model, or None where it cannot be had."""
    with once.at_a_time("models"):
        fetched = subprocess.run([os.path.join(places.ROOT, "infra", "fetch-models"), places.MODELS], cwd=places.ROOT,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)
    if fetched.returncode != 0:
        notes.note("Without the speech model: pocketsphinx recognises the words.")
        return None
    return places.MODELS


@pytest.fixture(scope="session")
def ground(build):
    """What every stack needs: binaries, somebody who takes orphans in, and perhaps an S3 server."""
    if os.environ.get("SYSTEM_TEST_S3") and not object_server.wanted():
        notes.note("NOT on an S3 server, although SYSTEM_TEST_S3 is set: set S3_TEST_SERVER to the program versitygw.")
    deaths.adopt_orphans()
    server = object_server.start()
    yield
    object_server.stop(server)


# MARK: stacks

@pytest.fixture(scope="module")
def kept_stack(ground):
    yield from kept_stacks(Stack.recorded)


@pytest.fixture
def stack(kept_stack, request):
    """A running stack that the tests of a file share, and a recorded media helper in it; a new one after a failure."""
    with kept_stack.lent_in_file(request) as stack:
        yield stack


@pytest.fixture(scope="module")
def kept_measuring_stack(ground, models):
    yield from kept_stacks(Stack)


@pytest.fixture
def measuring_stack(kept_measuring_stack, request):
    """The same with the real media helper, which measures what it is given."""
    with kept_measuring_stack.lent_in_file(request) as stack:
        yield stack


@pytest.fixture
def new_stack(ground):
    """A stack of a test's own with a recorded media helper; not yet started."""
    stack = Stack.recorded()
    yield stack
    stack.down()


@pytest.fixture
def speaker(measuring_stack, demo_video):
    """Somebody who has the report of the demo video. Shared: tests look, and leave the rest to people of their own."""
    return measuring_stack.kept("speaker", lambda: users.Speaker(measuring_stack, demo_video))


@pytest.fixture
def varied_history(stack):
    """A bit of everything has happened on the stack."""
    stack.kept("history", lambda: users.varied_history(stack))


@pytest.fixture
def visitor(stack):
    """Somebody who has a recorded report. Shared as well."""
    return stack.kept("visitor", lambda: users.Speaker(stack, small_video()))
