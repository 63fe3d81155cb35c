"""A video as a phone makes it: a minute of HEVC with 10 bits, rotated, with a variable frame rate, 60 to 90 MB."""
import os

from api import User
from first import report_of, submit


def make(stack):
    plain, video = f"{stack.folder}/plain.mov", f"{stack.folder}/phone.mov"
    source = f"{stack.folder}/demo.mp4"
    with open(source, "wb") as file:
        file.write(stack.demo)
    stack.run(
        "ffmpeg", "-nostdin", "-v", "error", "-y", "-stream_loop", "2", "-i", source, "-t", "60",
        # Turned, so that the picture stands upright only when the rotation is heeded; noise, as a dark room gives.
        "-vf", "transpose=1,noise=alls=14:allf=t,select='mod(n\\,7)*mod(n\\,11)'", "-vsync", "vfr",
        "-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le", "-tag:v", "hvc1",
        "-b:v", "11000k", "-maxrate", "12000k", "-bufsize", "10000k", "-x265-params", "log-level=error",
        "-c:a", "aac", "-b:a", "96k", plain, within=600)
    stack.run("ffmpeg", "-nostdin", "-v", "error", "-y", "-i", plain, "-c", "copy", "-metadata:s:v", "rotate=90", video)
    probe = stack.run(
        "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries",
        "stream=codec_name,pix_fmt,width,height,r_frame_rate,avg_frame_rate:stream_side_data=rotation", "-of",
        "compact", video)
    return video, probe.strip()


def phone(checks, stack):
    video, probe = make(stack)
    size = os.path.getsize(video)
    checks.say(f"  {size / 1e6:.0f} MB, {probe}")
    checks.expect(60e6 <= size <= 90e6 and "hevc" in probe and "10le" in probe, "the video is as a phone's", probe)
    user = User(stack.url)
    user.sign_up()
    with open(video, "rb") as file:
        media = file.read()
    session = submit(user, media, "video/quicktime")
    checks.expect(True, "it goes through the gateway")
    events = list(user.follow(session, within=400))
    checks.equal(events[-1][2]["status"] if events else None, "complete", "its events end with complete")
    answer = report_of(user, session)
    checks.equal(answer.status, 200, "its report is there")
    checks.expect(abs(answer.json["durationSec"] - 60) <= 1, "it says a minute", answer.json["durationSec"])
