"""Fuzzes the whole API through the gateway of a stack of its own, with a user's token and without.

  fuzz.py [--examples N] [--seed N]    so many random requests for each route, after those at all limits, and sequences of them
  fuzz.py --quick                      only those at all limits, which are the same each time

Whatever schemathesis finds must be mended, in the code or in its description; fuzzing.toml says what it has to know of this
API, with reasons.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests/system/end-to-end"))
import stack  # noqa: E402

# Nobody else calls, so nobody needs protection; the limits themselves have tests of their own.
UNLIMITED = {f"LIMIT_{name}": "1000000/1h" for name in (
    "SIGN_UP", "SIGN_IN", "REFRESH", "DEVICE", "PASSWORD_RESET", "CODE", "ACCOUNT", "ACCOUNT_MAIL")}


def fuzz(url, options, **environment):
    """Runs schemathesis; gives whether it found nothing."""
    command = [pathlib.Path(sys.executable).with_name("schemathesis"), "--config-file", HERE / "fuzzing.toml", "run",
               ROOT / "docs/openapi.json", "--url", url, "--seed", options.seed, "--max-examples", options.examples]
    if options.quick:
        command += ["--phases", "coverage"]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([str(word) for word in command], cwd=folder, env={
            **os.environ, **environment, "SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(HERE),
            "PYTHONDONTWRITEBYTECODE": "1"}, check=False)
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--examples", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    builds = [path for path in (ROOT / ".build/debug", ROOT / ".build/release") if (path / "identity").exists()]
    if not builds:
        sys.exit("Nothing is built: run `make build` or `swift build`.")
    # The broker is not what is fuzzed: the development broker does.
    os.environ.pop("KAFKA_HOME", None)
    stack.BINARIES = str(max(builds, key=lambda path: (path / "identity").stat().st_mtime))
    running = stack.Stack()
    try:
        running.programs.set("identity", **UNLIMITED)
        running.up()
        good = fuzz(running.url, options, FUZZ_USER=running.url)
        good = fuzz(running.url, options) and good
    finally:
        running.down()
    sys.exit(0 if good else 1)


main()
