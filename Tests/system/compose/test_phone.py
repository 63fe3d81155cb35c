"""A video as a phone makes it: a minute of HEVC with 10 bits, rotated, with a variable frame rate, 60 to 90 MB."""
import os

import pytest

from support.deployed import report_of, submit
from support.deployment import read
from support.notes import note

pytestmark = pytest.mark.by_name


def make(deployment):
    plain, video = f"{deployment.folder}/plain.mov", f"{deployment.folder}/phone.mov"
    source = f"{deployment.folder}/demo.mp4"
    with open(source, "wb") as file:
        file.write(deployment.demo)
    deployment.run(
        "ffmpeg", "-nostdin", "-v", "error", "-y", "-stream_loop", "2", "-i", source, "-t", "60",
        # Turned, so that the picture stands upright only when the rotation is heeded; noise, as a dark room gives.
        "-vf", "transpose=1,noise=alls=14:allf=t,select='mod(n\\,7)*mod(n\\,11)'", "-vsync", "vfr",
        "-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le", "-tag:v", "hvc1",
        "-b:v", "11000k", "-maxrate", "12000k", "-bufsize", "10000k", "-x265-params", "log-level=error",
        "-c:a", "aac", "-b:a", "96k", plain, within=600)
    deployment.run("ffmpeg", "-nostdin", "-v", "error", "-y", "-i", plain, "-c", "copy", "-metadata:s:v", "rotate=90", video)
    probe = deployment.run(
        "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries",
        "stream=codec_name,pix_fmt,width,height,r_frame_rate,avg_frame_rate:stream_side_data=rotation", "-of",
        "compact", video)
    return video, probe.strip()


def test_a_phones_video_goes_through_the_gateway_to_a_report(deployment, user):
    video, probe = make(deployment)
    size = os.path.getsize(video)
    note(f"{size / 1e6:.0f} MB, {probe}")
    assert 60e6 <= size <= 90e6 and "hevc" in probe and "10le" in probe, "the video is as a phone's"
    session = submit(user, read(video), "video/quicktime")
    events = list(user.follow(session, within=400))
    assert events and events[-1][2]["status"] == "complete", events[-1:]
    answer = report_of(user, session)
    assert answer.status == 200, answer
    assert abs(answer.json["durationSec"] - 60) <= 1
