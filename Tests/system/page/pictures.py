"""Writes the pictures that README shows, of the page and of the demo's report, in light and dark: `make pictures`.

It starts a stack of its own, opens the page as somebody who comes for the first time, sends the demo, and waits for the report that the real helper
makes. The person in the demo is in neither picture. No test runs this, so no test changes what is in the tree."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from support import deaths, places, signals  # noqa: E402
from support.browser import Browser  # noqa: E402
from support.stack import Stack  # noqa: E402

FOLDER = os.path.join(places.ROOT, "docs", "pictures")
SIZE = (1120, 760)
LIMIT = 200_000
# Sound and words of half a minute are measured on a small machine, too.
PATIENCE = 300


def fewer_colours(path):
    """Makes a picture small: these have few colours, and no gradient that would show it."""
    small = path + ".small.png"
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", path, "-vf", "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=dither=none", small],
                   stdin=subprocess.DEVNULL, check=True)
    os.replace(small, path)


def taken(browser, name, folder):
    """The view as it is, in light and dark."""
    paths = []
    for look in ("light", "dark"):
        browser.size(SIZE, dark=look == "dark")
        browser.script("scrollTo(0, 0); document.activeElement.blur()")
        path = os.path.join(folder, f"{name}-{look}.png")
        browser.picture(path, whole=False)
        fewer_colours(path)
        paths.append(path)
    return paths


def shot(folder):
    stack = Stack()
    paths = []
    try:
        stack.up()
        browser = Browser()
        try:
            browser.size(SIZE)
            browser.open(stack.url + "/")
            browser.sees("See yourself speak")
            paths += taken(browser, "page", folder)
            browser.click("Try it without an account")
            browser.find(".choices")
            browser.choose_file(places.DEMO)
            browser.click("Get my report", within=60)
            browser.sees("All figures", within=PATIENCE)
            paths += taken(browser, "report", folder)
            mistakes = browser.heard()
        finally:
            browser.close()
    finally:
        problems = Stack.end()
    if mistakes or problems:
        sys.exit("\n".join(["No picture was written:", *mistakes, *problems]))
    return paths


def main():
    signals.restore()
    deaths.adopt_orphans()
    with tempfile.TemporaryDirectory(prefix="mirrormate-pictures-") as folder:
        paths = shot(folder)
        for path in paths:
            if os.path.getsize(path) > LIMIT:
                sys.exit(f"{os.path.basename(path)} has {os.path.getsize(path)} bytes; at most {LIMIT} are shown in README. No picture was written.")
        os.makedirs(FOLDER, exist_ok=True)
        for path in paths:
            name = os.path.join(FOLDER, os.path.basename(path))
            with open(path, "rb") as source, open(name + ".new", "wb") as target:
                target.write(source.read())
            os.replace(name + ".new", name)
            print(f"{os.path.relpath(name, places.ROOT)}: {os.path.getsize(name)} bytes")


if __name__ == "__main__":
    main()
