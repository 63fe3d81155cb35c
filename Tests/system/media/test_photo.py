"""The media helper makes photos: what comes out of a picture, what it refuses, and that nothing else of a file comes through."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import zlib

import pytest

from support import captured, pictures
from support.notes import note


class Maker:
    def __init__(self, build, folder, path=None):
        self.program = os.path.join(build, "mirrormate-media")
        self.folder = folder
        self.scratch = folder / "scratch"
        self.scratch.mkdir()
        self.path = path or os.environ["PATH"]

    def words(self, picture, form, orientation=1):
        file = self.folder / "picture"
        file.write_bytes(picture)
        return [self.program, "photo", "--input", str(file), "--form", form, "--orientation", str(orientation), "--scratch", str(self.scratch)]

    def ask(self, picture, form, orientation=1):
        """Its exit code and its one line."""
        done = subprocess.run(self.words(picture, form, orientation), stdin=subprocess.DEVNULL, capture_output=True, timeout=120,
                              check=False, env={"PATH": self.path})
        assert done.stderr == b"" and os.listdir(self.scratch) == [], "nothing is said elsewhere, and nothing is left"
        line, = done.stdout.splitlines()
        return done.returncode, json.loads(line)

    def peak(self, picture, form):
        """Its exit code and the most memory that it, or a decoder of its, has had, in MiB."""
        with subprocess.Popen(self.words(picture, form, 6), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env={"PATH": self.path}) as helper:
            # Of what it has waited for, too (RUSAGE_CHILDREN would count those of other tests).
            _, status, used = os.wait4(helper.pid, 0)
            helper.returncode = os.waitstatus_to_exitcode(status)
        return helper.returncode, used.ru_maxrss / 1024

    def photo(self, picture, form, orientation=1):
        code, line = self.ask(picture, form, orientation)
        assert code == 0, line
        return base64.b64decode(line["result"]["jpeg"], validate=True)

    def error(self, picture, form):
        code, line = self.ask(picture, form)
        assert code == (4 if line["error"]["retryable"] else 3), line
        return line["error"]["code"]


@pytest.fixture
def maker(build, tmp_path):
    return Maker(build, tmp_path)


WIDE = pictures.png(pictures.quarters(320, 200))
UPRIGHT = {name: name for name in pictures.COLOURS}


@pytest.mark.parametrize("form", ["jpeg", "png", "webp"])
def test_a_photo_is_the_square_in_the_middle_and_nothing_besides(maker, form):
    photo = maker.photo(WIDE if form == "png" else pictures.convert(WIDE, to=form), form)
    assert pictures.pixels(photo)[:2] == (512, 512) and len(photo) <= 98_304
    assert pictures.shown_quarters(photo) == UPRIGHT
    found, ends = pictures.markers(photo)
    assert set(found) == {0xE0, 0xDB, 0xC4, 0xC0} and ends, "a frame and its tables"


def test_what_lies_beside_the_square_is_cut_off(maker):
    rows = [[(0, 0, 0)] * 100 + row + [(255, 255, 255)] * 100 for row in pictures.quarters(200, 200)]
    assert pictures.shown_quarters(maker.photo(pictures.png(rows), "png")) == UPRIGHT


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_picture_stands_upright_however_the_camera_was_held(maker, orientation):
    rows = pictures.lying(pictures.quarters(512, 512), orientation)
    assert pictures.shown_quarters(maker.photo(pictures.png(rows), "png", orientation)) == UPRIGHT


def test_what_a_file_says_besides_its_pixels_is_gone(maker):
    jpeg = pictures.with_metadata(pictures.convert(WIDE), 6) + b"PLANTED-BEHIND"
    assert b"PLANTED-PLACE" in jpeg
    photo = maker.photo(jpeg, "jpeg", 1)
    assert b"PLANTED" not in photo and b"Planted" not in photo and b"Exif" not in photo
    assert pictures.shown_quarters(photo) == UPRIGHT, "it is turned as it is told, and not by what the file says"
    text = pictures.chunk(b"tEXt", b"Comment\0PLANTED-TEXT") + pictures.chunk(b"eXIf", pictures.exif(6))
    assert b"PLANTED" not in maker.photo(pictures.png(pictures.quarters(128, 128), text), "png")


def test_what_is_transparent_is_white(maker):
    rows = [[(200, 30, 30, 0)] * 64 + [(200, 30, 30, 255)] * 64 for _ in range(128)]
    width, _, raw = pictures.pixels(maker.photo(pictures.png(rows), "png"))
    left, right = raw[width * 100 * 3:][:3], raw[(width * 100 + 500) * 3:][:3]
    assert min(left) > 250 and abs(right[0] - 200) < 12 and abs(right[1] - 30) < 12


def test_one_that_is_all_noise_is_still_small(maker):
    rows = [[tuple(os.urandom(3)) for _ in range(512)] for _ in range(512)]
    assert len(maker.photo(pictures.png(rows), "png")) <= 98_304


@pytest.mark.parametrize("depth", ["gray", "pal8", "rgb48be", "rgba64be", "ya8"])
def test_rarer_forms_of_png_are_read(maker, depth):
    assert pictures.pixels(maker.photo(pictures.convert(WIDE, "-pix_fmt", depth, to="png"), "png"))[:2] == (512, 512)


def test_the_largest_picture_is_read(maker):
    assert pictures.pixels(maker.photo(pictures.blank_png(5000, 5000), "png"))[:2] == (512, 512)


@pytest.mark.parametrize("interlaced", [False, True])
@pytest.mark.parametrize("depth, colour", [(1, 0), (4, 3), (8, 2), (16, 4), (16, 6)])
def test_a_png_that_lacks_a_row_is_damaged_though_its_marks_are_whole(maker, depth, colour, interlaced):
    size = {"width": 67, "height": 71, "depth": depth, "colour": colour, "interlaced": interlaced}
    assert maker.ask(pictures.blank_png(**size), "png")[0] == 0
    assert maker.error(pictures.blank_png(**size, missing=1), "png") == "unreadable"
    assert maker.error(pictures.blank_png(**size, missing=pictures.row_bytes(**size)), "png") == "unreadable"


def test_a_png_whose_bytes_are_not_those_of_its_sums_is_damaged(maker):
    whole = bytearray(pictures.png(pictures.quarters(128, 128)))
    whole[whole.index(b"IDAT") + 40] ^= 1
    assert maker.error(bytes(whole), "png") == "unreadable"


@pytest.mark.parametrize("share", [0.02, 0.3, 0.9, 0.99])
@pytest.mark.parametrize("form", ["jpeg", "png", "webp"])
def test_part_of_a_picture_is_no_picture(maker, form, share):
    whole = pictures.convert(pictures.png([[tuple(os.urandom(3)) for _ in range(128)] for _ in range(128)]), to=form)
    assert maker.error(whole[:int(len(whole) * share)], form) == "unreadable"


@pytest.mark.parametrize("form", ["png", "webp"])
def test_a_picture_of_another_form_than_it_was_said_to_be_is_not_opened(maker, form):
    assert maker.error(pictures.convert(WIDE), form) == "unreadable"


OTHERS = {
    "nothing": b"", "a page": b"<html><script>alert(1)</script></html>", "a vector picture": b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    "a list of files": b"ffconcat version 1.0\nfile /etc/passwd\n", "a playlist": b"#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n",
    "noise": bytes(range(256)) * 40}


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("form", ["jpeg", "png", "webp"])
def test_what_is_no_picture_is_refused(maker, form, other):
    assert maker.error(OTHERS[other], form) == "unreadable"


@pytest.mark.parametrize("size", [(5001, 5000), (60_000, 60_000), (2**31 - 1, 2**31 - 1)])
def test_a_picture_that_says_it_is_huge_is_not_decoded(maker, size):
    """Identity has refused it before; the decoder holds to the limit by itself."""
    assert maker.error(pictures.png(pictures.quarters(64, 64), size=size), "png") == "unreadable"


def bomb(size):
    """So many zeros, made small without making them first."""
    deflate = zlib.compressobj(9)
    part = bytes(10_000_000)
    return b"".join(deflate.compress(part) for _ in range(size // len(part))) + deflate.flush()


def text_bomb():
    """A few texts that become gigabytes, and many that become as much together."""
    huge, large = bomb(400_000_000), bomb(30_000_000)
    more = pictures.chunk(b"iCCP", b"profile\0\0" + huge) + pictures.chunk(b"zTXt", b"Comment\0\0" + huge)
    more += pictures.chunk(b"iTXt", b"Comment\0\1\0\0\0" + large)
    more += b"".join(pictures.chunk(b"zTXt", b"Comment %d\0\0" % number + large) for number in range(100))
    picture = pictures.png(pictures.quarters(128, 128), more)
    assert len(picture) < 8 << 20
    return picture


# The decoder's address space is limited to 768 MiB (`photoAllowance`), of which it should never need more than half: two at once,
# their helpers and their files fit into the container (PICTURES_MEMORY in docker-compose.yml).
MOST_MEMORY = 384
BOMBS = {
    "texts that become gigabytes": ("png", text_bomb),
    "rows that become gigabytes": ("png", lambda: pictures.with_rows(100, 100, bomb(1_000_000_000))),
    "the most pixels of 64 bits": ("png", lambda: pictures.blank_png(5000, 5000, depth=16, colour=6)),
    "the most pixels in long rows": ("png", lambda: pictures.blank_png(390_625, 64, depth=16, colour=6)),
    "the most pixels, read in passes": ("png", lambda: pictures.blank_png(5000, 5000, depth=16, colour=6, interlaced=True)),
    "a progressive JPEG of four components": ("jpeg", lambda: pictures.blank_jpeg(5000, 5000, 4, progressive=True)),
    "a progressive JPEG in long rows": ("jpeg", lambda: pictures.blank_jpeg(65_000, 384, 4, progressive=True)),
    "a JPEG of huge dimensions": ("jpeg", lambda: pictures.blank_jpeg(65_000, 65_000, 3, blocks=10)),
    "a PNG of huge dimensions": ("png", lambda: pictures.png(pictures.quarters(64, 64), size=(60_000, 60_000))),
}


@pytest.mark.parametrize("what", BOMBS)
def test_a_bomb_takes_no_more_memory_than_there_is_for_it(maker, what):
    form, make = BOMBS[what]
    code, most = maker.peak(make(), form)
    note(f"{what}: {most:.0f} MiB")
    assert code in (0, 3) and most < MOST_MEMORY, f"exit {code}, {most:.0f} MiB"
    assert os.listdir(maker.scratch) == []


def test_texts_and_profiles_reach_no_decoder(maker):
    # Damaged ones would have the decoder refuse the picture.
    more = pictures.chunk(b"zTXt", b"Comment\0\0no such stream") + pictures.chunk(b"iCCP", b"profile\0\0no such stream")
    assert maker.ask(pictures.png(pictures.quarters(128, 128), more), "png")[0] == 0


@pytest.mark.parametrize("words", [
    ["--form", "gif", "--orientation", "1"], ["--form", "jpeg", "--orientation", "9"], ["--form", "jpeg", "--orientation", "0"],
    ["--form", "jpeg"], ["--orientation", "1"]])
def test_what_is_no_form_and_no_orientation_is_no_request(maker, words):
    (maker.folder / "picture").write_bytes(WIDE)
    done = subprocess.run([maker.program, "photo", "--input", str(maker.folder / "picture"), "--scratch", str(maker.scratch), *words],
                          capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")


# MARK: a decoder that was taken over

@pytest.fixture
def captured_maker(build, tmp_path):
    """Makes photos with a decoder that does something, and then, if it still can, gives what is no larger than a photo."""
    place = tempfile.mkdtemp(prefix="mirrormate-captured-")
    os.chmod(place, 0o755)

    def make(deed):
        captured.program(os.path.join(place, "ffmpeg"), f"DEED={deed}", 'TARGET=""', "PICTURES=1")
        return Maker(build, tmp_path, place)

    yield make
    shutil.rmtree(place)


def test_a_decoder_that_does_nothing_forbidden_is_believed(captured_maker):
    assert captured_maker("NOTHING").photo(WIDE, "png").startswith(b"P5"), "so an error below is one of the deed's"


@pytest.mark.parametrize("deed", ["SOCKET", "BOMB", "DAEMON", "TRACE", "MOUNT", "NAMESPACE", "ROOT"])
def test_a_decoder_that_was_taken_over_is_held_as_one_of_videos_is(captured_maker, deed):
    assert captured_maker(deed).error(WIDE, "png") == "internal"


# MARK: through the socket

def test_the_server_makes_the_same_photo(build, maker):
    client = os.path.join(build, "mirrormate-media-client")
    place = tempfile.mkdtemp(prefix="mm-")
    socket, scratch = os.path.join(place, "socket"), os.path.join(place, "scratch")
    os.mkdir(scratch)
    words = [maker.program, "serve", "--socket", socket, "--models", place, "--scratch", scratch]
    with subprocess.Popen(words, stdin=subprocess.DEVNULL) as server:
        try:
            file = maker.folder / "picture"
            own = maker.ask(WIDE, "png", 6)

            def ask(form, orientation):
                done = subprocess.run([client, "photo", "--socket", socket, "--input", str(file), "--form", form,
                                       "--orientation", orientation], capture_output=True, timeout=60, check=False)
                return done.returncode, done.stdout
            code, line = ask("png", "6")
            assert (code, json.loads(line)) == own and code == 0
            code, line = ask("jpeg", "1")
            assert (code, json.loads(line)["error"]["code"]) == (3, "unreadable")
            for form, orientation in [("gif", "1"), ("png", "9"), ("png --models", "1"), ("png", "1 1")]:
                assert ask(form, orientation) == (70, b""), "it is no request, and nothing is started for it"
            assert os.listdir(scratch) == []
        finally:
            server.terminate()
            server.wait(20)
            shutil.rmtree(place)
