"""Good, poor, broken and hostile files for the media helper, made by ffmpeg and its speech synthesiser."""
import os
import random
import shutil
import subprocess

FAST = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p"
VPX = "-c:v libvpx -deadline realtime -cpu-used 8"
SPOKEN = (
    "So, um, I like this plan. You know, it is like a long walk. Actually we start early in the morning.\n",
    "So we will arrive before the evening, and everybody can see the river from the house on the hill.\n")
PLAYLIST = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n"


def make(folder, name, words):
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *words.split(), name], cwd=folder, check=True)


def streamed(folder, name, words):
    """A file that was written to a pipe, which cannot be sought: the container never learns its length, as in browsers'
    recordings."""
    with open(os.path.join(folder, name), "wb") as file:
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *words.split(), "-f", "webm", "pipe:1"], cwd=folder,
                       stdout=file, check=True)


def write(folder, name, content):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(content)


def read(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def make_all(folder):
    """Writes all files into a folder."""
    for name, text in zip(("one", "two"), SPOKEN):
        write(folder, name, text.encode())
    make(folder, "voice.wav",
         "-f lavfi -i flite=textfile=one:voice=slt,apad=pad_dur=1 -f lavfi -i flite=textfile=two:voice=slt "
         "-filter_complex [0][1]concat=v=0:a=1 -ar 16000")
    make(folder, "speech.mp4", f"-f lavfi -i testsrc2=s=640x360:r=10 -i voice.wav -shortest {FAST} -c:a aac")
    make(folder, "front.mp4", "-i speech.mp4 -c copy -movflags +faststart")
    make(folder, "no-audio.mp4", f"-f lavfi -i testsrc2=s=320x240:r=10:d=6 -an {FAST}")
    make(folder, "black.mp4",
         f"-f lavfi -i color=black:s=640x360:r=10:d=6 -f lavfi -i anullsrc=r=16000 -t 6 {FAST} -c:a aac")
    make(folder, "tone.mp4",
         f"-f lavfi -i testsrc2=s=320x240:r=10:d=6 -f lavfi -i sine=f=440:d=6 -shortest {FAST} -c:a aac")
    make(folder, "short.mp4", f"-f lavfi -i testsrc2=s=320x240:r=10:d=2 {FAST}")
    make(folder, "long.mp4", f"-f lavfi -i color=gray:s=160x120:r=2:d=100 {FAST}")
    make(folder, "large.mp4", f"-f lavfi -i color=gray:s=4096x2304:r=1:d=4 {FAST}")
    make(folder, "mjpeg.mov", "-f lavfi -i testsrc2=s=320x240:r=5:d=4 -c:v mjpeg")
    make(folder, "audio-only.mp4", "-i voice.wav -c:a aac")
    make(folder, "rotated.mp4", "-i speech.mp4 -c copy -metadata:s:v rotate=90")
    streamed(folder, "live.webm", f"-i speech.mp4 {VPX} -c:a libopus")
    streamed(folder, "live-long.webm", f"-f lavfi -i color=gray:s=160x120:r=2:d=40 {VPX}")
    write(folder, "empty.mp4", b"")
    write(folder, "random.mp4", os.urandom(200_000))
    front, speech = read(folder, "front.mp4"), read(folder, "speech.mp4")
    write(folder, "cut-front.mp4", front[:len(front) // 3])
    write(folder, "cut-end.mp4", speech[:len(speech) // 3])
    write(folder, "concat.mp4", b"ffconcat version 1.0\nfile '/etc/passwd'\n")
    for name in ("playlist.m3u8", "playlist.mp4"):
        write(folder, name, PLAYLIST.encode())
    shutil.copy(os.path.join(folder, "speech.mp4"), os.path.join(folder, "-i.mp4"))
    write(folder, "flipped.mp4", flipped(front))


def flipped(data):
    """With some bits turned over, behind the first quarter; the same ones each time."""
    data, chance = bytearray(data), random.Random(7)
    for _ in range(400):
        data[chance.randrange(len(data) // 4, len(data))] ^= 1 << chance.randrange(8)
    return bytes(data)
