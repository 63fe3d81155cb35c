"""Our verdicts on identity tokens of Google's form are those of google-auth and PyJWT, but where our rules are narrower."""
import os
import subprocess

from support import places, tools


def test_verdicts_on_identity_tokens_are_those_of_other_verifiers(build):
    python = tools.python_with("Tests/system/identity-tokens/libraries.txt", "comparing verdicts")
    done = subprocess.run(
        [python, "-B", "Tests/system/identity-tokens/compare.py", os.path.join(build, "mirrormate"), "500"], cwd=places.ROOT,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
