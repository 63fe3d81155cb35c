"""The stand-ins of providers answer as the OpenAI API's own client reads it, strictly."""
import subprocess

from support import places, tools


def test_the_stand_ins_of_providers_are_read_by_the_apis_own_client():
    python = tools.python_with("Tests/system/contracts/openai.txt", "reading answers with the OpenAI API's client")
    done = subprocess.run(
        [python, "-B", "Tests/system/contracts/openai/read.py"], cwd=places.ROOT, stdin=subprocess.DEVNULL, capture_output=True,
        text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "read\n"), done.stderr
