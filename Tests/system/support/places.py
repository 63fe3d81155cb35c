"""Where things lie."""
import os

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
BINARIES = os.path.join(ROOT, ".build", "debug")
# What `make demo` keeps: the demo video and the speech model.
KEPT = os.environ.get("MIRRORMATE_STATE") or os.path.join(ROOT, ".mirrormate")
DEMO = os.environ.get("SYSTEM_TEST_VIDEO") or os.path.join(KEPT, "demo", "demo.mp4")
MODELS = os.environ.get("SYSTEM_TEST_MODELS") or os.path.join(KEPT, "models")
