"""The media helper on files that are mutated, cut and spliced from a seed: `make fuzz-media` for longer than `make test` does.

FUZZ_SEED (default: by the day), FUZZ_SECONDS (60). The helper is built with the sanitizers for addresses and undefined behaviour;
what it must keep: an exit of its own, one result or error at the end, nothing on standard error, nothing left behind, in time.
"""
import datetime
import json
import os
import random
import shutil
import subprocess
import tempfile
import time

import pytest

from support import notes, pictures, places, samples
from support.captured import program, swifts_clang

SEEDS = ["speech.mp4", "front.mp4", "live.webm", "no-audio.mp4", "fragmented.mp4", "three.mkv", *samples.CODECS]
# What containers are made of: the places where a changed byte says something else.
BOXES = [b"moov", b"trak", b"stsd", b"stts", b"stsc", b"stsz", b"stco", b"ctts", b"elst", b"mdhd", b"tkhd", b"avcC", b"hvcC", b"esds",
         b"moof", b"trun", b"\x1a\x45\xdf\xa3", b"\x16\x54\xae\x6b", b"\x1f\x43\xb6\x75", b"\x44\x89", b"\xa3", b"\x86", b"\x63\xa2"]
NUMBERS = [b"\x00\x00\x00\x00", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\x80\x00\x00\x00", b"\x00\x00\x00\x01", b"\x00\x01\x00\x00"]


def flip(data, chance, _):
    for _ in range(1 << chance.randrange(9)):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return data


def rewrite(data, chance, _):
    """Other numbers near the names of boxes and elements."""
    places_ = [at for box in BOXES for at in positions(data, box)] or [0]
    for _ in range(1 + chance.randrange(4)):
        at = max(0, chance.choice(places_) + chance.randrange(-8, 48))
        data[at:at + 4] = chance.choice(NUMBERS)
    return data


def positions(data, box):
    at = data.find(box)
    while at >= 0 and at < 200_000:
        yield at
        at = data.find(box, at + 1)


def cut(data, chance, _):
    return data[:chance.randrange(len(data))]


def hole(data, chance, _):
    at = chance.randrange(len(data))
    del data[at:at + (1 << chance.randrange(16))]
    return data


def splice(data, chance, others):
    """A piece of another file in the place of one's own."""
    other = chance.choice(others)
    start, at, size = chance.randrange(len(other)), chance.randrange(len(data)), 1 << chance.randrange(3, 16)
    data[at:at + (size if chance.random() < 0.5 else 0)] = other[start:start + size]
    return data


def behead(data, chance, others):
    """The head of one file before the body of another."""
    other = chance.choice(others)
    share = chance.random()
    return bytearray(other[:int(len(other) * share)]) + data[int(len(data) * share):]


def noise(data, chance, _):
    at = chance.randrange(len(data))
    size = min(1 << chance.randrange(4, 14), len(data) - at)
    data[at:at + size] = chance.randbytes(size)
    return data


WAYS = [flip, flip, rewrite, rewrite, rewrite, cut, hole, splice, behead, noise]


@pytest.fixture(scope="module")
def sanitized():
    """The helper, built with sanitizers into a folder of its own."""
    source = os.path.join(places.ROOT, "Services", "analysis", "media")
    folder = os.environ.get("FUZZ_BUILD") or os.path.join(places.ROOT, ".build", "fuzz-media")
    os.makedirs(folder, exist_ok=True)
    own = shutil.which("g++") or swifts_clang() + "++"
    flags = ["-std=gnu++17", "-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
             "-DMIRRORMATE_SANITIZED", "-idirafter", "/usr/include/pocketsphinx"]
    for machine in ("x86_64", "aarch64"):
        flags += ["-idirafter", f"/usr/include/{machine}-linux-gnu/sphinxbase"]
    newest = max(os.path.getmtime(os.path.join(source, name)) for name in os.listdir(source))
    objects = []
    for name in sorted(os.listdir(source)):
        if not name.endswith(".cpp"):
            continue
        made = os.path.join(folder, name[:-4] + ".o")
        objects.append(made)
        if not os.path.exists(made) or os.path.getmtime(made) < newest:
            # Face detection is a library's; with its checks it would take all of the time.
            fitting = [flag for flag in flags if "sanitize" not in flag] + ["-O2"] if name == "Faces.cpp" else flags
            subprocess.run([own, *fitting, "-c", os.path.join(source, name), "-o", made], check=True)
    made = os.path.join(folder, "mirrormate-media")
    libraries = [f"-l{name}" for name in ("m", "dl", "z", "dlib", "blas", "lapack", "pocketsphinx", "sphinxbase", "pthread")]
    subprocess.run([own, "-fsanitize=address,undefined", *objects, *libraries, "-o", made], check=True)
    return made


@pytest.fixture
def folder():
    """Not one of pytest's own, which a long run may outlive."""
    with tempfile.TemporaryDirectory(prefix="mirrormate-fuzz-") as path:
        yield path


def test_no_file_breaks_it(sanitized, folder):
    seed = int(os.environ.get("FUZZ_SEED") or datetime.date.today().strftime("%Y%m%d"))
    seconds = float(os.environ.get("FUZZ_SECONDS") or 60)
    notes.note(f"fuzzed the media helper with FUZZ_SEED={seed} for {seconds:.0f} s")
    samples.make_all(folder)
    fuzzed(sanitized, folder, [samples.read(folder, name) for name in SEEDS], seed, seconds, ".mp4", lambda _: ("analyze", "--models", folder))


def test_no_picture_breaks_it(sanitized, folder):
    seed = int(os.environ.get("FUZZ_SEED") or datetime.date.today().strftime("%Y%m%d"))
    seconds = float(os.environ.get("FUZZ_SECONDS") or 60) / 3
    notes.note(f"fuzzed the maker of photos with FUZZ_SEED={seed} for {seconds:.0f} s")
    # Of each form, with what files carry besides pixels, and of each kind of rows.
    plain = pictures.png(pictures.quarters(96, 80))
    text = pictures.chunk(b"zTXt", b"Comment\0\0text") + pictures.chunk(b"iCCP", b"profile\0\0text") + pictures.chunk(b"eXIf", pictures.exif(6))
    seeds = [plain, pictures.png(pictures.quarters(96, 80), text), pictures.with_metadata(pictures.convert(plain), 6),
             pictures.convert(plain, to="webp"), pictures.blank_jpeg(96, 80, 4, progressive=True), pictures.blank_jpeg(96, 80, 3)]
    seeds += [pictures.blank_png(97, 83, depth, colour, interlaced)
              for depth, colour in ((1, 0), (4, 3), (8, 2), (16, 4), (16, 6)) for interlaced in (False, True)]

    def words(data):
        form = {b"\x89": "png", b"\xff": "jpeg"}.get(bytes(data[:1]), "webp")
        return "photo", "--form", form, "--orientation", "6"
    fuzzed(sanitized, folder, seeds, seed, seconds, "", words)


@pytest.fixture
def babbling():
    """A folder for PATH with an ffprobe that believes every file, and an ffmpeg that says whatever comes to its mind."""
    with tempfile.TemporaryDirectory(prefix="mirrormate-babbling-") as path:
        os.chmod(path, 0o755)
        program(os.path.join(path, "ffprobe"), "PROBE", "SOUND")
        program(os.path.join(path, "ffmpeg"), source="babbling.c")
        yield path


def test_no_decoder_that_was_taken_over_breaks_it(sanitized, folder, babbling):
    seed = int(os.environ.get("FUZZ_SEED") or datetime.date.today().strftime("%Y%m%d"))
    seconds = float(os.environ.get("FUZZ_SECONDS") or 60) / 4
    notes.note(f"fuzzed what decoders say with FUZZ_SEED={seed} for {seconds:.0f} s")
    # Such a decoder says what the bytes of the file lead it to.
    seeds = [random.Random(seed).randbytes(4096) for _ in range(2)]
    fuzzed(sanitized, folder, seeds, seed, seconds, ".mp4", lambda _: ("analyze", "--models", folder), {"PATH": babbling})


def fuzzed(helper, folder, seeds, seed, seconds, ending, words, variables=None):
    """Tries the helper on files of these seeds for so long; `words` gives what it is asked about one."""
    chance, began, count, kinds = random.Random(seed), time.monotonic(), 0, {}
    while time.monotonic() - began < seconds:
        data = bytearray(chance.choice(seeds))
        for _ in range(1 + chance.randrange(3)):
            data = chance.choice(WAYS)(data, chance, seeds) if data else data
        path = os.path.join(folder, f"fuzzed{ending}")
        samples.write(folder, f"fuzzed{ending}", data)
        problem, kind = tried(helper, path, words(data), variables or {})
        count += 1
        kinds[kind] = kinds.get(kind, 0) + 1
        if problem:
            kept = os.path.join(os.environ.get("FUZZ_FINDINGS") or tempfile.gettempdir(), f"fuzzed-{seed}-{count}{ending}")
            shutil.copy(path, kept)
            pytest.fail(f"{problem}\nThe file is kept as {kept}.")
    notes.note(f"{count} files: {', '.join(f'{number} {kind}' for kind, number in sorted(kinds.items()))}")
    assert len(kinds) > 1 or count < 20, "some came through or were refused in more than one way"


def tried(helper, path, asked, variables):
    """What is wrong with how it took a file, or None, and how it ended."""
    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryFile() as trouble:
        environment = {**os.environ, **variables, "ASAN_OPTIONS": "detect_leaks=0:symbolize=0:exitcode=99",
                       "UBSAN_OPTIONS": "print_stacktrace=0"}
        words = [helper, *asked, "--input", str(path), "--scratch", scratch]
        try:
            done = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=trouble,
                                  timeout=960, check=False)
        except subprocess.TimeoutExpired:
            return "it did not end", "endless"
        trouble.seek(0)
        said = trouble.read().decode(errors="replace")
        if done.returncode not in (0, 3, 4) or said:
            return f"exit {done.returncode}: {said[-3000:]} {done.stdout[-300:]}", "broken"
        if os.listdir(scratch):
            return f"it left {os.listdir(scratch)}", "untidy"
        try:
            last = json.loads(done.stdout.splitlines()[-1])
        except (ValueError, IndexError):
            return f"it said {done.stdout[-300:]}", "garbled"
        if "result" in last:
            return None, "measured"
        error = last["error"]
        return None, f"{error['code']} ({error['message']})" if error["retryable"] else error["code"]
