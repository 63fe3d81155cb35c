"""The parts of the compose test; `test` beside it says how to run them."""
import os
import pathlib
import signal
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "end-to-end"))

from checks import Checks  # noqa: E402
from deployment import Deployment  # noqa: E402
from faults import faults, scale  # noqa: E402
from first import first, life  # noqa: E402
from metrics import metrics  # noqa: E402
from phone import phone  # noqa: E402
from restore import restore  # noqa: E402
from security import security  # noqa: E402
from telemetry import telemetry  # noqa: E402
from tools import tools  # noqa: E402
from troubles import troubles  # noqa: E402

PARTS = {
    "first": first, "life": life, "phone": phone, "security": security, "telemetry": telemetry, "restore": restore,
    "tools": tools, "metrics": metrics, "troubles": troubles,
    "faults": faults, "scale": scale,
}


def main():
    wanted = sys.argv[1:] or ["first", "life", "security", "telemetry", "tools", "restore"]
    unknown = [name for name in wanted if name not in PARTS]
    if unknown:
        print(f"compose-test: there is no part {unknown[0]}; the parts are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    # Every other part stands on the first.
    if wanted[0] != "first":
        wanted.insert(0, "first")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    checks = Checks()
    project = HERE.parent.parent.parent
    stack = Deployment(project)
    stack.demo = (project / ".mirrormate/demo/demo.mp4").read_bytes()
    stack.short = stack.cut(project / ".mirrormate/demo/demo.mp4", seconds=3)
    try:
        for name in wanted:
            checks.part(name, lambda name=name: PARTS[name](checks, stack))
        if checks.failures:
            print(stack.compose("ps", "-a", ok=()))
            print(stack.compose("logs", "--no-color", "--tail", "15", ok=())[-12000:])
    finally:
        if os.environ.get("COMPOSE_TEST_KEEP"):
            print(f"compose-test: kept in {stack.folder} as {stack.project}")
        else:
            stack.remove()
    print(f"\n{checks.passed} checks passed, {len(checks.failures)} failed")
    for failure in checks.failures:
        print(f"  FAIL  {failure}")
    return 1 if checks.failures else 0


if __name__ == "__main__":
    sys.exit(main())
