"""supabase-py, in a Python of its own, against a stack."""
import os
import subprocess

from support import tools
from support.places import ROOT
from support.stack import data_of

FOLDER = "Tests/system/end-to-end/supabase"


def keys(stack):
    """The stack's anon and service key, made once."""
    def make():
        done, out, notes = stack.command("keys", "api", "--json")
        assert done == 0, notes
        data = data_of(out)
        return data["anonKey"], data["serviceKey"]
    return stack.kept("api keys", make)


def start(stack, script, calls, *words, **streams):
    """Starts a script's calls; both streams are the caller's."""
    python = tools.python_with(f"{FOLDER}/supabase.txt", "supabase-py")
    return subprocess.Popen(
        [python, "-B", os.path.join(ROOT, FOLDER, script), calls, stack.url, *keys(stack), *words], cwd=ROOT,
        stdin=streams.get("stdin", subprocess.DEVNULL), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(stack, script, calls, *words):
    """Runs them to their end; gives the words that they print."""
    running = start(stack, script, calls, *words)
    out, notes = running.communicate(timeout=300)
    assert running.returncode == 0, out + notes
    return out.split()
