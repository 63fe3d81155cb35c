"""Where things lie."""
import os

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
BINARIES = os.path.join(ROOT, ".build", "debug")
# What `make demo` keeps: the demo video and the speech model.
KEPT = os.environ.get("MIRRORMATE_STATE") or os.path.join(ROOT, ".mirrormate")
DEMO = os.environ.get("SYSTEM_TEST_VIDEO") or os.path.join(KEPT, "demo", "demo.mp4")
MODELS = os.environ.get("SYSTEM_TEST_MODELS") or os.path.join(KEPT, "models")


def written(folder, name, text):
    """A file that every service can read."""
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o644)
    return path
