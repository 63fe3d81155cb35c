"""Where the voices and the portrait come from: free Debian packages, the speech model's wheel and ffmpeg's synthesiser. All of it
is fetched into .mirrormate/truth and nothing into the tree."""
import glob
import hashlib
import os
import re
import subprocess
import sys
import zipfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
STATE = os.environ.get("MIRRORMATE_STATE") or os.path.join(ROOT, ".mirrormate")
HOME = os.path.join(STATE, "truth")

# What the synthetic voices say: ordinary speech without a filler, in sentences that are set apart by pauses.
SCRIPTS = {
    "slt": (
        "Good morning, everybody, and thank you for coming here today.",
        "I want to tell you about a small garden behind our school, and why it matters.",
        "Two years ago there was nothing but gravel, broken glass and an old bicycle.",
        "Then one teacher brought seeds, and the children brought their parents.",
        "Today that garden feeds forty families, and it taught us to work together."),
    "rms": (
        "My first job was in a bakery, and it began at three in the morning.",
        "The baker did not say much, but he showed me how to listen to the bread.",
        "A good loaf makes a hollow sound, and a bad one makes no sound at all.",
        "I have worked in four companies since then, and I still listen first.",
        "That habit is the reason why customers trust me with their problems."),
    "awb": (
        "The train to the coast leaves at nine, and we will be on it.",
        "We will walk along the cliffs until the lighthouse comes into view.",
        "There is a small cafe below the tower, and it serves the best soup in the county.",
        "After lunch we can rest on the beach, or climb down to the caves.",
        "In the evening a bus will take everybody back to the station."),
}
TEXTS = {
    "0870": "and mister john dashwood had then leisure to consider how much there might be prudently in his power to do for them",
    "0880": "he was not an ill disposed young man",
    "0890": "unless to be rather cold hearted and rather selfish is to be ill disposed",
    "0920": "had he married a more amiable woman he might have been made still more respectable than he was",
    "0930": "he might even have been made amiable himself",
}
CITIES = (
    "it was the best of times it was the worst of times it was the age of wisdom it was the age of foolishness it was the epoch of "
    "belief it was the epoch of incredulity it was the season of light it was the season of darkness it was the spring of hope it "
    "was the winter of despair we had everything before us we had nothing before us we were all going direct to heaven we were all "
    "going direct the other way in short the period was so far like the present period that some of its noisiest authorities "
    "insisted on its being received for good or for evil in the superlative degree of comparison only")


def run(*words, **more):
    subprocess.run(words, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr, **more)


def unpacked(name, *wanted):
    """A folder with the files of Debian packages, which are fetched once and not installed."""
    folder = os.path.join(HOME, name)
    if not os.path.isdir(folder):
        fetched = folder + ".new"
        os.makedirs(fetched, exist_ok=True)
        run("apt-get", "-o", "APT::Sandbox::User=root", "download", "-q", *wanted, cwd=fetched)
        for package in glob.glob(fetched + "/*.deb"):
            run("dpkg-deb", "-x", package, fetched)
        os.rename(fetched, folder)
    return folder


def packages():
    """The folder with the files of the two Debian packages that the demo video is made of."""
    return unpacked("debian", "python3-imageio", "pocketsphinx-testdata")


def wheel():
    """The folder with the recordings in the speech model's wheel; `infra/fetch-models` says which wheel, by its digest."""
    folder = os.path.join(HOME, "wheel")
    if not os.path.isdir(folder):
        with open(os.path.join(ROOT, "infra", "fetch-models"), encoding="utf-8") as file:
            script = file.read()
        version = re.search(r"^version=(\S+)", script, re.M)[1]
        platform, digest = re.search(
            r"Linux-%s[^)]*\)\s+platform=(\S+)\s+digest=(\S+)" % os.uname().machine, script).groups()
        fetched = folder + ".new"
        os.makedirs(fetched, exist_ok=True)
        wanted = os.path.join(fetched, "requirements.txt")
        with open(wanted, "w", encoding="utf-8") as file:
            file.write(f"moonshine-voice=={version} --hash=sha256:{digest}\n")
        run(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:",
            "--platform", platform, "--require-hashes", "--requirement", wanted, "--dest", fetched)
        with zipfile.ZipFile(glob.glob(fetched + "/*.whl")[0]) as archive:
            for name in archive.namelist():
                if name.endswith((".wav", "/LICENSE")):
                    archive.extract(name, fetched)
        os.rename(fetched, folder)
    return folder


def portrait():
    return next(iter(glob.glob(packages() + "/**/astronaut.png", recursive=True)))


def austen(number):
    return next(iter(glob.glob(packages() + f"/**/*austen_64kb-{number}.wav", recursive=True)))


def cities():
    return os.path.join(wheel(), "moonshine_voice", "assets", "two_cities.wav")


def spoken(voice, text):
    """A file with a text in one of flite's voices, made once."""
    os.makedirs(os.path.join(HOME, "flite"), exist_ok=True)
    name = re.sub("[^a-z]+", "-", text.lower())[:60]
    path = os.path.join(HOME, "flite", f"{voice}-{name}.wav")
    if not os.path.exists(path):
        words = path + ".txt"
        with open(words, "w", encoding="utf-8") as file:
            file.write(text + "\n")
        source = f"flite=textfile={os.path.basename(words)}:voice={voice}"
        run("ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", source, "-ar", "16000", path,
            cwd=os.path.dirname(path))
    return path


# The dictionary of the aligner, which the media helper needs too.
PRONUNCIATIONS = "/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict"


def sounds(voice, text):
    """Each sound that flite makes of a text, silences ("pau") among them: its name, its start and its end in seconds."""
    program = unpacked("flite-program", "flite") + "/usr/bin/flite"
    told = subprocess.run([program, "-voice", voice, "-t", text, "-psdur", "-o", "none"], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=True).stdout
    # The dictionary does not know the weak vowel.
    ends = [("ah" if name == "ax" else name, float(end)) for name, end in (part.split(":") for part in told.split())]
    return [(name, start, end) for (name, end), start in zip(ends, [0] + [end for _, end in ends])]


def pronounced(words):
    """The sounds of words, each with the number of its word."""
    wanted, known = set(words), {}
    with open(PRONUNCIATIONS, encoding="utf-8") as file:
        for line in file:
            name, *names = line.lower().split()
            if name in wanted:
                known[name] = names
    return [(name, number) for number, word in enumerate(words) for name in known[word]]


def foreign(language, text):
    """A file with a text in a language of espeak-ng, made once."""
    folder = unpacked("espeak", "espeak-ng", "espeak-ng-data", "libespeak-ng1", "libpcaudio0", "libsonic0")
    libraries = os.path.dirname(glob.glob(folder + "/usr/lib/*/espeak-ng-data")[0])
    os.makedirs(os.path.join(HOME, "espeak-ng"), exist_ok=True)
    path = os.path.join(HOME, "espeak-ng", f"{language}-{hashlib.sha256(text.encode()).hexdigest()[:16]}.wav")
    if not os.path.exists(path):
        run(folder + "/usr/bin/espeak-ng", "--path=" + libraries, "-v", language, "-s", "150", "-w", path + ".new", text,
            env={**os.environ, "LD_LIBRARY_PATH": libraries})
        os.rename(path + ".new", path)
    return path
