"""The media helper alone, on good, poor, broken and hostile files: its lines, its exit code, its silence."""
import base64
import collections
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

import pytest

from support import captured, places, samples
from support.waiting import wait

Told = collections.namedtuple("Told", "code stages result error")


class Helper:
    def __init__(self, binaries, models, folder):
        self.program = os.path.join(binaries, "mirrormate-media")
        self.models = models or str(folder / "none")
        self.folder = folder
        self.scratch = folder / "scratch"
        self.scratch.mkdir()
        (folder / "none").mkdir()

    def words(self, path, models=None, scratch=None):
        return [self.program, "analyze", "--input", str(path), "--models", models or self.models, "--scratch",
                str(scratch or self.scratch)]

    def run(self, name, *options, models=None, path=None):
        """What it says of a file, after checking what every run must keep; `path` is where it finds ffmpeg and ffprobe."""
        done = subprocess.run([*self.words(self.folder / name, models), *options], stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=800, check=False,
                              env={**os.environ, "PATH": path or os.environ["PATH"]})
        lines = [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]
        stages = [line["stage"] for line in lines if "stage" in line]
        result = lines[-1].get("result") if lines else None
        error = lines[-1].get("error") if lines else None
        assert done.stderr == b"", "nothing on standard error"
        assert (result is None) != (error is None), f"one result or one error at the end: {lines[-1:]}"
        assert len(stages) <= 6 and len(stages) == len(set(stages)), f"each stage once: {stages}"
        assert os.listdir(self.scratch) == [], "nothing left in the scratch folder"
        if error:
            assert set(error) == {"code", "message", "retryable"} and len(error["message"]) > 20, "a whole error"
            assert done.returncode == (4 if error["retryable"] else 3), "the exit code of the error"
            assert str(self.folder) not in error["message"], "no file name in the message"
        if result:
            assert done.returncode == 0, "exit 0 with a result"
            assert (stages[0], stages[-1], len(stages)) == ("probe", "picture", 5), "all stages"
            for key, measure in result["measures"].items():
                kept = isinstance(measure["value"], (int, float)) if measure["valid"] else measure["value"] is None
                assert kept and measure["valid"] == ("reason" not in measure), f"{key} is a number or null with a reason"
        return Told(done.returncode, stages, result, error)

    def result(self, name, **more):
        told = self.run(name, **more)
        assert told.result is not None, told.error
        return told.result


def reason(result, name):
    return result["measures"][name].get("reason")


def value(result, name):
    return result["measures"][name]["value"]


@pytest.fixture(scope="module")
def helper(build, models, tmp_path_factory):
    folder = tmp_path_factory.mktemp("media")
    samples.make_all(folder)
    return Helper(build, models, folder)


@pytest.fixture
def moonshine(models):
    if models is None or not os.path.isdir(os.path.join(models, "moonshine_voice")):
        pytest.skip("recognition by Moonshine needs its model: run infra/fetch-models")


# MARK: what is refused

REFUSED = {
    "empty.mp4": "unreadable",
    "random.mp4": "unreadable",
    "cut-end.mp4": "unreadable",
    "concat.mp4": "unreadable",
    "playlist.mp4": "unreadable",
    "playlist.m3u8": "unreadable",
    "short.mp4": "too-short",
    "long.mp4": "too-long",
    "speech.mp4 --max-seconds 5": "too-long",
    "live-long.webm --max-seconds 20": "too-long",
    "large.mp4": "too-large-picture",
    "mjpeg.mov": "unsupported-codec",
    "audio-only.mp4": "no-video",
    "cut-front.mp4": "ends-early",
    "twenty-of-22.4.mkv": "ends-early",
    "three-of-4.5.mkv": "ends-early",
    "cut-apart.mp4": "ends-early",
    "cut-live.webm": "ends-early",
    "cut-fragment.mp4": "ends-early",
    "cut-table.mp4": "ends-early",
    "cut-indexed.mp4": "ends-early",
    "subtitles.mp4": "unsupported-codec",
    "avi.mp4": "unreadable",
    "transport.mp4": "unreadable",
    **dict.fromkeys(samples.FOREIGN_CODECS, "unsupported-codec"),
}


@pytest.mark.parametrize("words", REFUSED)
def test_a_file_that_cannot_succeed_is_refused_and_not_retried(helper, words):
    error = helper.run(*words.split()).error
    assert error is not None and (error["code"], error["retryable"]) == (REFUSED[words], False), error


@pytest.mark.parametrize("name", [*samples.CODECS, "cover.mp4"])
def test_what_cameras_and_browsers_write_is_measured(helper, name):
    result = helper.result(name)
    assert abs(result["durationMs"] - 4000) < 100 and not {"no-audio", "file-damaged"} & set(result["warnings"]), result["warnings"]


@pytest.mark.parametrize("name", samples.LEGAL)
def test_a_rare_form_of_a_whole_file_is_measured(helper, name):
    result = helper.result(name)
    assert abs(result["durationMs"] - 4000) < 200, result["durationMs"]
    assert not {"no-audio", "file-damaged", "file-incomplete"} & set(result["warnings"]), result["warnings"]


@pytest.fixture(scope="module")
def believing():
    """A folder for PATH with an ffprobe that believes every file, so that the decoder is left alone with it."""
    folder = tempfile.mkdtemp(prefix="mirrormate-believing-")
    os.chmod(folder, 0o755)
    os.symlink(shutil.which("ffmpeg"), os.path.join(folder, "ffmpeg"))
    captured.program(os.path.join(folder, "ffprobe"), "PROBE", "SOUND")
    yield folder
    shutil.rmtree(folder)


DECODED_ALONE = {
    "theora-aac.mkv": "unsupported-codec",
    "ffv1-opus.mkv": "unsupported-codec",
    "h264-wmav2.mkv": "unsupported-codec",
    "h264-truehd.mkv": "unsupported-codec",
    "avi.mp4": "unreadable",
    "transport.mp4": "unreadable",
    "playlist.mp4": "unreadable",
    "concat.mp4": "unreadable",
}


@pytest.mark.parametrize("name", DECODED_ALONE)
def test_the_decoder_holds_to_the_lists_by_itself(helper, believing, name):
    error = helper.run(name, path=believing).error
    assert error and (error["code"], error["retryable"]) == (DECODED_ALONE[name], False), error


def test_a_missing_file_is_our_fault_not_the_uploaders(helper):
    told = helper.run("does-not-exist.mp4")
    assert (told.code, told.error["code"]) == (4, "internal")


# MARK: poor files

def test_what_a_file_without_sound_lacks_is_said(helper):
    result = helper.result("no-audio.mp4")
    assert "no-audio" in result["warnings"] and reason(result, "pitchMedianHz") == "no-audio"
    assert reason(result, "facePresencePct") == "no-face", "no face gives null, not 0"
    assert (result["fillers"], result["transcript"]["text"]) == (None, ""), "no words without audio"
    assert result["soundPromised"] is False, "a file without a sound track has promised none"


def test_darkness_and_silence_are_said(helper):
    result = helper.result("black.mp4")
    assert {"too-dark", "no-speech"} <= set(result["warnings"])
    assert reason(result, "facePresencePct") == "too-dark"
    assert (reason(result, "wordCount"), result["pauses"]) == ("no-speech", []), "silence has no words and no pauses"
    assert (result["soundPromised"], reason(result, "loudnessLufs")) == (True, "too-quiet"), "its track promised sound"
    assert value(result, "meanLuma") < 6, "what is black lies below what counts as black"


def test_a_tone_is_no_voice(helper):
    assert reason(helper.result("tone.mp4"), "pitchMedianHz") == "no-speech"


@pytest.mark.parametrize("name", ["twenty-of-22.1.mkv", "three-of-4.2.mkv", "sound-longer.mp4", "picture-longer.mp4",
                                  "fragmented.mp4", "indexed.mp4", "live.webm", "browser.webm", "cut-browser.webm",
                                  "between-clusters.webm", "between-fragments.mp4"])
def test_a_length_that_is_a_little_off_or_not_told_is_no_reason(helper, name):
    assert helper.run(name).result


def test_one_track_that_ends_before_the_other_is_marked(helper):
    assert "file-incomplete" in helper.result("picture-longer.mp4")["warnings"]


def test_flipped_bits_do_not_crash_it(helper):
    told = helper.run("flipped.mp4")
    assert told.result is not None or told.error["code"] == "unreadable", told.error


# MARK: spoken files

@pytest.fixture(scope="module")
def whole(helper):
    return helper.result("speech.mp4")


@pytest.mark.parametrize("name", ["live.webm", "-i.mp4"])
def test_another_form_of_the_file_is_as_long_as_the_original(helper, whole, name):
    assert abs(helper.result(name)["durationMs"] - whole["durationMs"]) < 600


def test_rotation_is_reported_and_changes_no_length(helper, whole):
    rotated = helper.result("rotated.mp4")
    assert abs(rotated["video"]["rotation"]) == 90
    assert abs(rotated["durationMs"] - whole["durationMs"]) < 600


def test_the_video_is_described(whole):
    assert (whole["video"]["codec"], whole["video"]["width"]) == ("h264", 640)
    assert len(whole["toneTimeline"]) == -(-whole["durationMs"] // 5000), "one point every five seconds"
    assert whole["measures"]["loudnessLufs"]["valid"], "loudness needs no words"


def test_the_spoken_words_are_found_with_their_times(moonshine, whole):
    words = [word["w"] for word in whole["transcript"]["words"]]
    assert whole["engines"]["asr"] == "moonshine" and 36 <= len(words) <= 42, words
    assert {"morning", "evening", "river", "house", "hill"} <= set(words), "the words are the spoken ones"
    times = [(word["start"], word["end"]) for word in whole["transcript"]["words"]]
    assert all(a[0] <= b[0] for a, b in zip(times, times[1:])) and all(a <= b for a, b in times), "word times rise"
    assert times[-1][1] <= whole["durationMs"] / 1000 + 0.2, "and stay inside"


def test_fillers_and_the_pause_are_those_of_the_text(moonshine, whole):
    words = whole["transcript"]["words"]
    fillers = whole["fillers"]
    assert fillers["like"] == 0, "a verb and a comparison are no fillers"
    assert fillers["actually"] == 0 and fillers["so"] <= 1, "nothing behind them sets them off"
    assert [entry["word"] for entry in whole["fillerTimes"]].count("you know") == fillers["you know"] <= 1, fillers
    assert sum(fillers.values()) == len(whole["fillerTimes"]) >= 1, "each is counted once and has its time"
    assert all(0 <= entry["start"] < entry["end"] <= whole["durationMs"] / 1000 + 0.2 for entry in whole["fillerTimes"])
    assert whole["fillersAtLeast"] is True, "fillers are a lower bound"
    assert value(whole, "pauseCount") == 1 and 0.9 < value(whole, "pauseLongestSeconds") < 1.5, whole["pauses"]
    assert whole["pauses"][0]["kind"] == "strategic", "it stands at the end of a sentence"
    after = words[[word["w"] for word in words].index("so", 1)]
    assert abs(whole["pauses"][0]["end"] - after["start"]) < 0.15, "the pause ends where the next word starts"


def test_pace_and_pitch_are_those_of_a_human_voice(moonshine, whole):
    assert 120 <= value(whole, "paceWordsPerMin") <= 240
    assert 140 <= value(whole, "pitchMedianHz") <= 240, "the pitch is that of the voice slt"


def test_words_fit_what_was_said_and_not_what_was_not(moonshine, helper, whole):
    backwards = helper.result("backwards.mp4")
    assert -16 < value(whole, "wordFit") < -8, "the words are those of the sound"
    assert value(whole, "unfittedPct") == 0 and value(whole, "unknownWordPct") < 6
    assert 0.2 < value(whole, "wordLengthSpread") < 0.6
    assert len(backwards["transcript"]["words"]) > 20, "words are made of what is none"
    assert value(backwards, "wordFit") < value(whole, "wordFit") - 10 or value(backwards, "unfittedPct") > 50, "and do not fit it"


def test_a_picture_in_which_nothing_moves_is_told_from_one_that_moves(helper, whole):
    still = helper.result("backwards.mp4")
    assert value(still, "stillPicturePct") == 100 and "still-picture" in still["warnings"]
    assert "no-face" not in still["warnings"], "one of the two is said"
    assert value(whole, "stillPicturePct") < 10 and "no-face" in whole["warnings"]


def test_the_same_file_gives_the_same_result(helper, whole):
    assert helper.result("speech.mp4") == whole


def test_without_the_model_the_rough_recogniser_says_so(helper):
    result = helper.result("speech.mp4", models=str(helper.folder / "none"))
    assert result["engines"]["asr"] == "pocketsphinx" and result["transcript"]["lowConfidence"]
    assert "rough-recogniser" in result["warnings"] and len(result["transcript"]["words"]) > 20, "it finds words"
    assert reason(result, "clarity") == "engine-missing", "clarity needs the better recogniser"
    for name in ("wordFit", "wordLengthSpread", "unfittedPct", "unknownWordPct"):
        assert reason(result, name) == "engine-missing", "its own words fit it whatever was said"


# MARK: sound for somebody else, and their words

def sound(helper, name, *options):
    done = subprocess.run(
        [helper.program, "sound", "--input", str(helper.folder / name), "--scratch", str(helper.scratch), *options],
        stdin=subprocess.DEVNULL, capture_output=True, timeout=200, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.stderr == b"" and len(lines) == 1 and os.listdir(helper.scratch) == [], lines
    return done.returncode, lines[0]


def test_the_sound_alone_is_small_as_long_as_it_was_and_says_nothing_of_the_file(helper, whole, tmp_path):
    code, said = sound(helper, "speech.mp4")
    ogg = base64.b64decode(said["result"]["ogg"], validate=True)
    assert code == 0 and ogg[:4] == b"OggS" and b"OpusHead" in ogg[:100]
    # Its picture lasts a little longer than its sound.
    lasts = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "a:0", "-show_entries", "stream=duration", "-of", "csv=p=0", str(helper.folder / "speech.mp4")],
        capture_output=True, check=True, text=True).stdout
    assert abs(said["result"]["durationMs"] - 1000 * float(lasts)) < 100, said["result"]["durationMs"]
    assert len(ogg) < 5 * whole["durationMs"], "some kilobytes a second"
    (tmp_path / "sound.ogg").write_bytes(ogg)
    told = json.loads(subprocess.run(
        ["ffprobe", "-v", "error", "-show_streams", "-show_format", "-of", "json", str(tmp_path / "sound.ogg")],
        capture_output=True, check=True).stdout)
    stream = told["streams"][0]
    assert len(told["streams"]) == 1 and stream["codec_name"] == "opus" and stream["channels"] == 1
    tags = {**told["format"].get("tags", {}), **stream.get("tags", {})}
    assert set(tags) <= {"encoder", "ENCODER"}, "no title, no place, no time"


def test_without_sound_there_is_none_and_a_refused_file_is_refused(helper):
    assert sound(helper, "no-audio.mp4") == (0, {"result": {"ogg": None, "durationMs": 0}})
    code, said = sound(helper, "short.mp4")
    assert code == 3 and said["error"]["code"] == "too-short"
    assert sound(helper, "cut-front.mp4")[1]["error"]["code"] == "ends-early"
    assert sound(helper, "speech.mp4", "--max-seconds", "5")[1]["error"]["code"] == "too-long"


# MARK: pictures for somebody else

def frames(helper, name, *options):
    done = subprocess.run(
        [helper.program, "frames", "--input", str(helper.folder / name), "--scratch", str(helper.scratch), *options],
        stdin=subprocess.DEVNULL, capture_output=True, timeout=200, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.stderr == b"" and len(lines) == 1 and os.listdir(helper.scratch) == [], lines
    return done.returncode, lines[0]


def test_a_few_small_pictures_are_spread_over_a_recording_and_say_nothing_of_the_file(helper, whole, tmp_path):
    code, said = frames(helper, "speech.mp4")
    taken = said["result"]["frames"]
    moments = [frame["atMs"] for frame in taken]
    assert code == 0 and len(taken) == 8 and moments == sorted(set(moments))
    # The middle of each eighth, but for half a sixteenth.
    for number, moment in enumerate(moments):
        assert abs(moment - (number + 0.5) * whole["durationMs"] / 8) < whole["durationMs"] / 16, moments
    for frame in taken:
        jpeg = base64.b64decode(frame["jpeg"], validate=True)
        assert jpeg[:3] == b"\xff\xd8\xff" and jpeg[-2:] == b"\xff\xd9" and len(jpeg) <= 96 * 1024
        (tmp_path / "picture.jpg").write_bytes(jpeg)
        told = json.loads(subprocess.run(
            ["ffprobe", "-v", "error", "-show_streams", "-show_format", "-show_frames", "-of", "json", str(tmp_path / "picture.jpg")],
            capture_output=True, check=True).stdout)
        [stream] = told["streams"]
        assert stream["codec_name"] == "mjpeg" and max(stream["width"], stream["height"]) == 512
        tags = {**told["format"].get("tags", {}), **stream.get("tags", {}), **told["frames"][0].get("tags", {})}
        assert tags == {} and b"Exif" not in jpeg and b"Lavc" not in jpeg, "no title, no place, no time"


def test_of_a_file_of_a_wrong_length_there_is_no_picture(helper):
    # One that ends early is refused when it is measured, after which nobody asks for pictures.
    code, said = frames(helper, "short.mp4")
    assert code == 3 and said["error"]["code"] == "too-short"
    assert frames(helper, "speech.mp4", "--max-seconds", "5")[1]["error"]["code"] == "too-long"


def written(whole, engine="someone", model="a-model-1"):
    """The words that were heard, as somebody else would hand them in: a little off, with signs."""
    lines = [engine, model]
    for at, word in enumerate(whole["transcript"]["words"]):
        start, end = round(word["start"] * 1000), round(word["end"] * 1000)
        lines.append(f"{start + 40} {max(end, start + 40)} {word['w'].capitalize()}{'.' if at % 9 == 8 else ''}")
    return "\n".join(lines) + "\n"


def test_words_of_somebody_else_are_measured_as_ours_are(moonshine, helper, whole, tmp_path):
    (tmp_path / "words").write_text(written(whole))
    result = helper.run("speech.mp4", "--words", str(tmp_path / "words")).result
    assert (result["engines"]["asr"], result["engines"]["model"]) == ("someone", "a-model-1")
    ours, theirs = ([word["w"] for word in one["transcript"]["words"]] for one in (whole, result))
    assert theirs == ours
    for one, other in zip(whole["transcript"]["words"], result["transcript"]["words"]):
        assert abs(one["start"] - other["start"]) < 0.25, "the times are found in the sound"
    assert abs(value(result, "paceWordsPerMin") - value(whole, "paceWordsPerMin")) < 10
    assert value(result, "loudnessLufs") == value(whole, "loudnessLufs"), "the voice is the same"


@pytest.mark.parametrize("count", [9, 10, 19, 20])
def test_fillers_are_counted_from_ten_words_on_and_rates_from_twenty(moonshine, helper, whole, tmp_path, count):
    (tmp_path / "words").write_text("".join(f"{line}\n" for line in written(whole).splitlines()[:2 + count]))
    result = helper.run("speech.mp4", "--words", str(tmp_path / "words")).result
    assert len(result["transcript"]["words"]) == count
    assert (result["fillers"] is None) == (count < 10) == (result.get("fillersReason") == "too-few-words")
    for name in ("paceWordsPerMin", "articulationWordsPerMin", "wordFit", "unknownWordPct"):
        assert (reason(result, name) == "too-few-words") == (count < 20), name


def test_words_that_nobody_said_do_not_fit(helper, tmp_path):
    text = "someone\nmodel\n" + "".join(f"{at * 400} {at * 400 + 300} elephant\n" for at in range(30))
    (tmp_path / "words").write_text(text)
    result = helper.run("speech.mp4", "--words", str(tmp_path / "words")).result
    assert value(result, "unfittedPct") > 50 or value(result, "wordFit") < -20


def test_silence_in_words_is_no_speech(helper, tmp_path):
    (tmp_path / "words").write_text("someone\nmodel\n")
    result = helper.run("speech.mp4", "--words", str(tmp_path / "words")).result
    assert result["transcript"]["words"] == [] and "no-speech" in result["warnings"]


@pytest.mark.parametrize("text", [
    "", "someone", "someone\n", "some one\nmodel\n", "someone\n\n0 1 a\n", "someone\nmodel\n0 1 a", "someone\nmodel\n-1 1 a\n",
    "someone\nmodel\n1 a\n", "someone\nmodel\n2 1 a\n", "someone\nmodel\n500 600 a\n400 450 b\n", "someone\nmodel\n0 1 \n",
    "someone\nmodel\n999999999 9999999999 a\n", "someone\nmodel\n0 1 " + 201 * "a" + "\n",
    "someone\nmodel\n" + "0 1 a\n" * 200_000])
def test_a_file_of_words_of_another_form_is_refused(helper, tmp_path, text):
    (tmp_path / "words").write_text(text)
    error = helper.run("speech.mp4", "--words", str(tmp_path / "words")).error
    assert error["code"] == "internal" and error["retryable"]


def test_the_demo_video_is_measured_as_it_is(helper, demo_video):
    result = helper.result(places.DEMO)
    assert value(result, "facePresencePct") >= 99 and value(result, "facingCameraPct") >= 99, "the face is seen"
    assert value(result, "cameraContactPct") >= 99 and value(result, "severalFacesPct") == 0, "alone, and turned to the camera"
    assert value(result, "faceLiveliness") < 0.2, "a portrait that is moved about is no living face"
    assert 0.01 < value(result, "headMovement") < 0.08, "the head moves naturally"
    assert 90 <= value(result, "pitchMedianHz") <= 100, "the pitch is that of the reader"
    assert value(result, "pauseCount") == 5 and 1.9 < value(result, "pauseLongestSeconds") < 2.1, "five pauses"
    assert -25.5 < value(result, "loudnessLufs") < -23.5, "loudness"
    if result["engines"]["asr"] == "moonshine":
        assert 65 <= value(result, "wordCount") <= 72, "nearly all words"


def test_a_measure_is_judged_from_its_least_on_and_not_before(helper, demo_video, tmp_path):
    def cut(seconds):
        path = str(tmp_path / f"{seconds}.mp4")
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", places.DEMO, "-t", str(seconds), "-c", "copy", path], check=True)
        return helper.result(path)
    # 18 samples and less than 5 s of voice; then 100 samples, more than 5 s of voice and more than 10 s of speech.
    short, long = cut(3.6), cut(20)
    for names, why in ((("cameraContactPct", "faceWidthPx", "pictureQuality", "facingCameraPct", "faceLiveliness", "headMovement"), "too-few-samples"),
                       (("pitchMedianHz", "pitchRangeSemitones", "tonalVariety", "volumeConsistency"), "too-little-speech"),
                       (("paceWordsPerMin",), "too-few-words")):
        for name in names:
            assert reason(short, name) == why and long["measures"][name]["valid"], name
    # Without a pause in so short a time, the noise is not known either.
    assert not short["measures"]["pauseEffectiveness"]["valid"] and long["measures"]["pauseEffectiveness"]["valid"]


# MARK: the process

def processes_with(*marks):
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/cmdline", "rb") as file:
                words = file.read()
                if any(mark.encode() in words for mark in marks) and int(number) != os.getpid():
                    found.append(int(number))
        except OSError:
            pass
    return found


def test_helper_and_decoder_end_with_their_parent(helper, tmp_path):
    mark = helper.folder / "orphan.mp4"
    os.link(helper.folder / "speech.mp4", mark)
    script = "import subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)"
    parent = subprocess.Popen([sys.executable, "-c", script, *helper.words(mark, scratch=tmp_path)], stdin=subprocess.DEVNULL)
    try:
        wait("parent and helper are at work", lambda: len(processes_with(str(mark))) >= 2, within=20, every=0.01)
        # Started by root, the decoder is given a copy with the helper's number.
        marks = [str(mark), *(f"input-{number}\0" for number in processes_with(str(mark)))]
        wait("the decoder is too", lambda: len(processes_with(*marks)) >= 3, within=20, every=0.01)
    finally:
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    wait("helper and decoder have ended", lambda: processes_with(*marks) == [], within=20, every=0.02)


def test_the_version_names_the_engines(helper):
    told = subprocess.run([helper.program, "version", "--models", helper.models], stdin=subprocess.DEVNULL,
                          capture_output=True, check=False)
    assert set(json.loads(told.stdout)) == {"asr", "model", "aligner", "face", "ffmpeg", "thresholds"}


def test_wrong_use_is_told(helper):
    wrong = subprocess.run([helper.program, "analyze", "--input"], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert (wrong.returncode, wrong.stdout) == (2, b"") and b"usage" in wrong.stderr, wrong
