"""supabase-py, in a Python of its own, against a stack."""
import os
import subprocess

from support import tools
from support.places import ROOT
from support.stack import data_of

FOLDER = "Tests/system/end-to-end"


def keys(stack):
    """The stack's anon and service key, made once."""
    def make():
        done, out, notes = stack.command("keys", "--json", "--bin", stack.programs.folder)
        assert done == 0, notes
        data = data_of(out)
        return data["anonKey"], data["serviceKey"]
    return stack.kept("api keys", make)


def start(stack, script, calls, stdin=subprocess.DEVNULL):
    """Starts a script's calls."""
    python = tools.python_with(f"{FOLDER}/supabase.txt", "Supabase's Python SDK")
    return subprocess.Popen(
        [python, "-B", os.path.join(FOLDER, script), calls, stack.url, *keys(stack)], cwd=ROOT, stdin=stdin,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(stack, script, calls):
    """Runs them to their end; gives the words that they print."""
    with start(stack, script, calls) as running:
        out, notes = running.communicate(timeout=300)
    assert running.returncode == 0, out + notes
    return out.split()
