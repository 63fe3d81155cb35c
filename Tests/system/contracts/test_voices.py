"""The stand-ins that read aloud, judge texts and make voices answer as the clients of the OpenAI and the ElevenLabs API read it."""
import subprocess

import pytest

from support import places, tools


@pytest.mark.parametrize("packages, script", [("openai.txt", "openai/voices.py"), ("elevenlabs.txt", "elevenlabs/read.py")])
def test_the_stand_ins_are_read_by_the_apis_own_clients(packages, script):
    python = tools.python_with(f"Tests/system/contracts/{packages}", "reading answers with an API's own client")
    done = subprocess.run(
        [python, "-B", f"Tests/system/contracts/{script}"], cwd=places.ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        check=False)
    assert (done.returncode, done.stdout) == (0, "read\n"), done.stderr
