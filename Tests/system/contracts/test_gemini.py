"""The stand-ins of Gemini answer as the Gemini API's own client reads it, and are asked as that client asks."""
import subprocess

from support import places, tools


def test_the_stand_ins_of_gemini_are_read_by_the_apis_own_client():
    python = tools.python_with("Tests/system/contracts/gemini.txt", "reading answers with the Gemini API's client")
    done = subprocess.run(
        [python, "-B", "Tests/system/contracts/gemini/read.py"], cwd=places.ROOT, stdin=subprocess.DEVNULL, capture_output=True,
        text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "read\n"), done.stderr
