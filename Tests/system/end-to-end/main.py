"""The end-to-end test; see README.md."""
import os
import signal
import sys
import time

import accounts
import backup
import crash
import debugging
import inputs
import isolation
import object_server
import parallel
import personal
from chaos import Chaos
from checks import Checks
from flow import Flow
from deaths import adopt_orphans
from stack import HOME, Stack

PARTS = (
    "flow", "debugging", "inputs", "parallel", "personal", "isolation", "accounts", "erasure", "crash", "chaos", "backup")


def prepare(checks):
    """The demo video and the speech model, from where `make demo` keeps them; gives their paths."""
    import subprocess
    state = os.path.join(HOME, ".mirrormate")
    demo = os.environ.get("END_TO_END_VIDEO") or os.path.join(state, "demo", "demo.mp4")
    models = os.environ.get("END_TO_END_MODELS") or os.path.join(state, "models")
    subprocess.run([os.path.join(HOME, "infra", "make-demo-video"), demo], check=True, stdout=subprocess.DEVNULL)
    fetched = subprocess.run([os.path.join(HOME, "infra", "fetch-models"), models], check=False,
                             stdout=subprocess.DEVNULL)
    if fetched.returncode != 0:
        checks.say("Without the speech model: pocketsphinx recognises the words.")
    return demo, models


def interrupted(number, _):
    raise KeyboardInterrupt(f"signal {number}")


def first_parts(checks, wanted, demo, models):
    """The first parts share a stack: what the first leaves behind is what the others look into."""
    stack = Stack(models)
    try:
        begin = time.monotonic()
        stack.up()
        checks.say(f"Up in {time.monotonic() - begin:.1f} s; Kafka: {stack.document['kafka']['kind']}")
        flow = Flow(checks, stack, demo)
        checks.part("flow", flow.run)
        if "debugging" in wanted:
            checks.part("debugging", lambda: debugging.run(checks, stack, flow))
        if "inputs" in wanted:
            checks.part("inputs", lambda: inputs.run(checks, stack))
        if "parallel" in wanted:
            checks.part("parallel", lambda: parallel.run(checks, stack))
        if "personal" in wanted:
            checks.part("personal", lambda: personal.run(checks, stack, flow))
        if "isolation" in wanted:
            checks.part("isolation", lambda: isolation.run(checks, stack))
        if "accounts" in wanted:
            checks.part("accounts", lambda: accounts.run(checks, stack))
        if "erasure" in wanted:
            checks.part("erasure", lambda: personal.erased(checks, stack, flow))
    finally:
        stack.down()


def main(wanted):
    unknown = [part for part in wanted if part not in PARTS]
    if unknown:
        print(f"usage: run.sh [{'|'.join(PARTS)}]...", file=sys.stderr)
        return 2
    wanted = wanted or list(PARTS)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupted)
    adopt_orphans()
    checks = Checks()
    begin = time.monotonic()
    server = object_server.start(checks)
    try:
        if {"flow", "debugging", "inputs", "parallel", "personal", "isolation", "accounts", "erasure"} & set(wanted):
            demo, models = prepare(checks)
            first_parts(checks, wanted, demo, models)
        if "crash" in wanted:
            checks.part("crash", lambda: crash.run(checks))
        if "chaos" in wanted:
            for instances in os.environ.get("CHAOS_INSTANCES", "1,2").split(","):
                chaos = Chaos(checks, int(instances))
                checks.part(f"chaos, instances of each service: {instances}", chaos.run)
        if "backup" in wanted:
            checks.part("backup", lambda: backup.run(checks))
    except KeyboardInterrupt as reason:
        checks.expect(False, "the test is not interrupted", str(reason) or "Ctrl-C")
    finally:
        # A second Ctrl-C must not leave anything running.
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        problems = Stack.end()
        object_server.stop(server)
        checks.expect(not problems, "everything that was started is stopped", problems)
    for failure in checks.failures:
        print(f"failed: {failure}")
    print(f"{checks.passed} passed, {len(checks.failures)} failed in {time.monotonic() - begin:.0f} s")
    return 1 if checks.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
