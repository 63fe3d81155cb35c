"""Checks for Tests/system/media/run.sh: runs the helper on each file and judges its lines, exit code and silence."""
import json
import os
import random
import signal
import subprocess
import sys
import time

helper, models, demo, work = sys.argv[1:5]
helper = os.path.abspath(helper)
failures = []
left_out = []


def expect(holds, what):
    if not holds:
        failures.append(what)
        print("  FAILED:", what)


def run(name, *options, models=models):
    """Gives (exit code, stages, result or None, error or None) after checking what every run must keep."""
    path = name if os.path.isabs(name) else os.path.join(work, name)
    print(os.path.basename(path), *options)
    done = subprocess.run(
        [helper, "analyze", "--input", path, "--models", models, "--scratch", os.path.join(work, "scratch"), *options],
        stdin=subprocess.DEVNULL, capture_output=True, timeout=200)
    lines = [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]
    stages = [line["stage"] for line in lines if "stage" in line]
    result = lines[-1].get("result") if lines else None
    error = lines[-1].get("error") if lines else None
    expect(done.stderr == b"", "nothing on standard error")
    expect((result is None) != (error is None), "one result or one error at the end")
    expect(len(stages) <= 6 and len(stages) == len(set(stages)), "each stage once")
    expect(os.listdir(os.path.join(work, "scratch")) == [], "nothing left in the scratch folder")
    if error:
        expect(set(error) == {"code", "message", "retryable"} and len(error["message"]) > 20, "a whole error")
        expect(done.returncode == (4 if error["retryable"] else 3), "the exit code of the error")
        expect(work not in error["message"], "no file name in the message")
    if result:
        expect(done.returncode == 0, "exit 0 with a result")
        expect(stages[0] == "probe" and stages[-1] == "picture" and len(stages) == 5, "all stages")
        for key, measure in result["measures"].items():
            kept = isinstance(measure["value"], (int, float)) if measure["valid"] else measure["value"] is None
            expect(kept and measure["valid"] == ("reason" not in measure), key + " is a number or null with a reason")
    return done.returncode, stages, result, error


def refused(name, code, *options):
    _, _, _, error = run(name, *options)
    expect(error is not None and error["code"] == code, f"{name} is refused as {code}, not {error and error['code']}")
    expect(error is not None and not error["retryable"], "a file that cannot succeed is not retried")


def reason(result, name):
    return result["measures"][name].get("reason")


def value(result, name):
    return result["measures"][name]["value"]


def broken_files():
    for name in ("empty.mp4", "random.mp4", "cut-end.mp4", "concat.mp4", "playlist.mp4", "playlist.m3u8"):
        refused(name, "unreadable")
    refused("short.mp4", "too-short")
    refused("long.mp4", "too-long")
    refused("speech.mp4", "too-long", "--max-seconds", "5")
    refused("live-long.webm", "too-long", "--max-seconds", "20")
    refused("large.mp4", "too-large-picture")
    refused("mjpeg.mov", "unsupported-codec")
    refused("audio-only.mp4", "no-video")
    code, _, _, error = run("does-not-exist.mp4")
    expect(code == 4 and error["code"] == "internal", "a missing file is our fault, not the uploader's")


def poor_files():
    _, _, result, _ = run("no-audio.mp4")
    expect("no-audio" in result["warnings"] and reason(result, "pitchMedianHz") == "no-audio", "no audio is said")
    expect(reason(result, "facePresencePct") == "no-face", "no face gives null, not 0")
    expect(result["fillers"] is None and result["transcript"]["text"] == "", "no words without audio")
    _, _, result, _ = run("black.mp4")
    expect({"too-dark", "no-speech"} <= set(result["warnings"]), "black and silent are said")
    expect(reason(result, "facePresencePct") == "too-dark", "darkness is the reason")
    expect(reason(result, "wordCount") == "no-speech" and result["pauses"] == [], "silence has no words and no pauses")
    _, _, result, _ = run("tone.mp4")
    expect(reason(result, "pitchMedianHz") == "no-speech", "a tone is no voice")
    _, _, result, _ = run("cut-front.mp4")
    expect("file-incomplete" in result["warnings"], "a cut file is marked incomplete")
    data = bytearray(open(os.path.join(work, "front.mp4"), "rb").read())
    chance = random.Random(7)
    for _ in range(400):
        data[chance.randrange(len(data) // 4, len(data))] ^= 1 << chance.randrange(8)
    with open(os.path.join(work, "flipped.mp4"), "wb") as file:
        file.write(data)
    _, _, result, error = run("flipped.mp4")
    expect(result is not None or error["code"] == "unreadable", "flipped bits do not crash it")


def spoken_files():
    _, _, whole, _ = run("speech.mp4")
    for name in ("rotated.mp4", "live.webm", "-i.mp4"):
        _, _, result, _ = run(name)
        near = abs(result["durationMs"] - whole["durationMs"]) < 600
        expect(near, f"{name} is as long as the original")
    _, _, result, _ = run("rotated.mp4")
    expect(abs(result["video"]["rotation"]) == 90, "rotation is reported")
    expect(whole["video"]["codec"] == "h264" and whole["video"]["width"] == 640, "the video is described")
    expect(len(whole["toneTimeline"]) == -(-whole["durationMs"] // 5000), "one point every five seconds")
    expect(whole["measures"]["loudnessLufs"]["valid"], "loudness needs no words")
    if not os.path.isdir(os.path.join(models, "moonshine_voice")):
        left_out.append("recognition by Moonshine (infra/fetch-models)")
        return
    words = [word["w"] for word in whole["transcript"]["words"]]
    expect(whole["engines"]["asr"] == "moonshine" and 36 <= len(words) <= 42, f"most words are found, {len(words)}")
    expect({"morning", "evening", "river", "house", "hill"} <= set(words), "the words are the spoken ones")
    times = [(word["start"], word["end"]) for word in whole["transcript"]["words"]]
    ordered = all(a[0] <= b[0] for a, b in zip(times, times[1:])) and all(a <= b for a, b in times)
    expect(ordered and times[-1][1] <= whole["durationMs"] / 1000 + 0.2, "word times rise and stay inside")
    fillers = whole["fillers"]
    expect(fillers["like"] == 2 and fillers["you know"] == 1 and fillers["actually"] == 1, f"fillers: {fillers}")
    expect(fillers["so"] == words.count("so") == 2, "each so starts a sentence or follows a pause here")
    expect(value(whole, "pauseCount") == 1 and 0.9 < value(whole, "pauseLongestSeconds") < 1.5, "one pause")
    pause, after = whole["pauses"][0], whole["transcript"]["words"][[w["w"] for w in
                                                                    whole["transcript"]["words"]].index("so", 1)]
    expect(abs(pause["end"] - after["start"]) < 0.15, "the pause ends where the next word starts")
    expect(whole["fillersAtLeast"] is True, "fillers are a lower bound")
    expect(120 <= value(whole, "paceWordsPerMin") <= 240, "the pace is a human one")
    expect(140 <= value(whole, "pitchMedianHz") <= 240, "the pitch is that of the voice slt")
    _, _, again, _ = run("speech.mp4")
    expect(again == whole, "the same file gives the same result")


def rough_recogniser():
    _, _, result, _ = run("speech.mp4", models=os.path.join(work, "none"))
    expect(result["engines"]["asr"] == "pocketsphinx" and result["transcript"]["lowConfidence"], "the fallback says so")
    expect("rough-recogniser" in result["warnings"] and len(result["transcript"]["words"]) > 20, "and finds words")
    expect(reason(result, "clarity") == "engine-missing", "clarity needs the better recogniser")


def demo_video():
    if not os.path.isfile(demo):
        left_out.append("the demo video (infra/make-demo-video)")
        return
    _, _, result, _ = run(os.path.abspath(demo))
    expect(value(result, "facePresencePct") >= 99 and value(result, "facingCameraPct") >= 99, "the face is seen")
    expect(0.01 < value(result, "headMovement") < 0.08, "the head moves naturally")
    expect(90 <= value(result, "pitchMedianHz") <= 100, "the pitch is that of the reader")
    expect(value(result, "pauseCount") == 5 and 1.9 < value(result, "pauseLongestSeconds") < 2.1, "five pauses")
    expect(-25.5 < value(result, "loudnessLufs") < -23.5, "loudness")
    if result["engines"]["asr"] == "moonshine":
        expect(65 <= value(result, "wordCount") <= 72, "nearly all words")


def processes_with(mark):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                if mark.encode() in file.read():
                    found.append(int(pid))
        except OSError:
            pass
    return [pid for pid in found if pid != os.getpid()]


def ends_with_parent():
    print("parent killed")
    mark = os.path.join(work, "orphan.mp4")
    os.link(os.path.join(work, "speech.mp4"), mark)
    script = 'import subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)'
    parent = subprocess.Popen([sys.executable, "-c", script, helper, "analyze", "--input", mark, "--models", models,
                               "--scratch", os.path.join(work, "scratch")])
    deadline = time.monotonic() + 20
    while len(processes_with(mark)) < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    expect(len(processes_with(mark)) >= 3, "parent, helper and decoder were seen at work")
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    while processes_with(mark) and time.monotonic() < deadline:
        time.sleep(0.02)
    expect(processes_with(mark) == [], "helper and decoder end with their parent")


def uses():
    print("version, wrong use")
    told = json.loads(subprocess.run([helper, "version", "--models", models], capture_output=True).stdout)
    expect({"asr", "model", "aligner", "face", "ffmpeg", "thresholds"} == set(told), "version names the engines")
    wrong = subprocess.run([helper, "analyze", "--input"], capture_output=True)
    expect(wrong.returncode == 2 and wrong.stdout == b"" and b"usage" in wrong.stderr, "wrong use is told")


for check in (uses, broken_files, poor_files, spoken_files, rough_recogniser, demo_video, ends_with_parent):
    check()
for part in left_out:
    print("NOT CHECKED:", part)
print("media:", "all checks hold" if not failures else f"{len(failures)} checks failed")
sys.exit(1 if failures else 0)
