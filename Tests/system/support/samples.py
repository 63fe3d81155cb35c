"""Good, poor, broken and hostile files for the media helper, made by ffmpeg and its speech synthesiser."""
import hashlib
import os
import random
import shutil
import struct
import subprocess
import tempfile

from support import once
from support.places import ROOT

FAST = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p"
VPX = "-c:v libvpx -deadline realtime -cpu-used 8"
SPOKEN = (
    "So, um, I like this plan. You know, it is like a long walk. Actually we start early in the morning.\n",
    "So we will arrive before the evening, and everybody can see the river from the house on the hill.\n")
# The files of an ffmpeg and of this source, by a hash of both.
KEPT = os.path.join(ROOT, ".build", "samples")
CLUSTER = b"\x1f\x43\xb6\x75"
PLAYLIST = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n"


# What the helper decodes, and what it must not, each in the container where it is met.
CODECS = {
    "vp8-opus.webm": f"{VPX} -c:a libopus",
    "vp9-opus.webm": "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus",
    "vp8-vorbis.webm": f"{VPX} -c:a libvorbis",
    "av1-opus.mp4": "-c:v libsvtav1 -preset 12 -svtav1-params enable-stat-report=0 -c:a libopus",
    "hevc-aac.mov": "-c:v libx265 -preset ultrafast -x265-params log-level=none -pix_fmt yuv420p -tag:v hvc1 -c:a aac",
    "mpeg4-mp3.mp4": "-c:v mpeg4 -c:a libmp3lame",
    "h264-pcm.mov": f"{FAST} -c:a pcm_s16le",
    "h264-pcm24.mkv": f"{FAST} -c:a pcm_s24le",
}
FOREIGN_CODECS = {
    "h264-wmav2.mkv": f"{FAST} -c:a wmav2",
    "h264-truehd.mkv": f"{FAST} -c:a truehd -strict -2",
    "h264-truehd.mp4": f"{FAST} -c:a truehd -strict -2",
    "h264-alac.mov": f"{FAST} -c:a alac",
    "h264-flac.mkv": f"{FAST} -c:a flac",
    "theora-aac.mkv": "-c:v libtheora -c:a aac",
    "ffv1-opus.mkv": "-c:v ffv1 -c:a libopus",
    "aac-then-truehd.mkv": f"-map 0:v -map 1:a -map 1:a {FAST} -c:a:0 aac -c:a:1 truehd -strict -2",
}

# Whole files in forms that are rarer than those above, and as legal: what writes them stands beside each.
LEGAL = [
    "free-and-end.mp4",  # a camera that leaves room: boxes `free`, `skip` and `wide`, the index at the end
    "uuid.mp4",  # an editor: a box of its own (XMP) before the sound and the picture, and another one behind them
    "recorder.webm",  # a live recorder: no length, no index of its clusters, short clusters
    "segments.mp4",  # a packager for streaming: a fragment after another, each with `styp` and `sidx`
    "main10-hvc1.mp4",  # a phone: HEVC of ten bits under the name `hvc1`, turned
    "timecode.mov",  # a phone or a camera: the brand `qt  `, and a track of time codes
    "timecode.mp4",
    "metadata.mov",  # a phone: a track of what its sensors said, which describes the picture
]


def make(folder, name, words):
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *words.split(), name], cwd=folder, check=True)


def streamed(folder, name, words):
    """A file that was written to a pipe, which cannot be sought: the container never learns its length."""
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
    """Writes all files into a folder: copies, because some seventy runs of ffmpeg make them, and three files of tests want them."""
    version = subprocess.run(["ffmpeg", "-version"], stdin=subprocess.DEVNULL, capture_output=True, check=True).stdout
    with open(__file__, "rb") as file:
        kept = os.path.join(KEPT, hashlib.sha256(file.read() + version).hexdigest()[:16])
    with once.at_a_time("samples"):
        if not os.path.isdir(kept):
            shutil.rmtree(KEPT, ignore_errors=True)
            os.makedirs(KEPT)
            with tempfile.TemporaryDirectory(dir=KEPT) as new:
                made = os.path.join(new, "made")
                os.mkdir(made)
                make_each(made)
                os.rename(made, kept)
    for name in os.listdir(kept):
        shutil.copy(os.path.join(kept, name), folder)
    write(folder, "random.mp4", os.urandom(200_000))


def make_each(folder):
    for name, text in zip(("one", "two"), SPOKEN):
        write(folder, name, text.encode())
    make(folder, "voice.wav",
         "-f lavfi -i flite=textfile=one:voice=slt,apad=pad_dur=1 -f lavfi -i flite=textfile=two:voice=slt "
         "-filter_complex [0][1]concat=v=0:a=1 -ar 16000")
    make(folder, "speech.mp4", f"-f lavfi -i testsrc2=s=640x360:r=10 -i voice.wav -shortest {FAST} -c:a aac")
    # Speech that is nobody's language, over a picture in which nothing moves.
    make(folder, "backwards.mp4", f"-f lavfi -i smptebars=s=640x360:r=10 -i voice.wav -af areverse -shortest {FAST} -c:a aac")
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
    for codec, options in (CODECS | FOREIGN_CODECS).items():
        make(folder, codec, f"-f lavfi -i testsrc2=s=160x120:r=10:d=4 -f lavfi -i sine=d=4 {options}")
    make(folder, "cover.jpg", "-f lavfi -i testsrc2=s=64x64 -frames:v 1")
    make(folder, "cover.mp4", "-i hevc-aac.mov -i cover.jpg -map 0 -map 1 -c copy -tag:v:0 hvc1 -disposition:v:1 attached_pic")
    write(folder, "lines.srt", b"1\n00:00:00,000 --> 00:00:02,000\nlines\n")
    make(folder, "subtitles.mp4", "-i speech.mp4 -i lines.srt -map 0 -map 1 -c copy -c:s mov_text")
    make(folder, "avi.mp4", "-i speech.mp4 -c copy -f avi")
    make(folder, "transport.mp4", "-i speech.mp4 -c copy -f mpegts")
    streamed(folder, "live.webm", f"-i speech.mp4 {VPX} -c:a libopus")
    write(folder, "browser.webm", endless(read(folder, "live.webm")))
    streamed(folder, "live-long.webm", f"-f lavfi -i color=gray:s=160x120:r=2:d=40 {VPX}")
    make_legal(folder)
    write(folder, "empty.mp4", b"")
    front, speech = read(folder, "front.mp4"), read(folder, "speech.mp4")
    write(folder, "cut-front.mp4", front[:len(front) // 3])
    # Twenty seconds and 3.3 seconds, in files that promise more.
    for name, seconds, promises in (("twenty", 20, (22.1, 22.4)), ("three", 3.3, (4.2, 4.5))):
        make(folder, f"{name}.mkv", f"-f lavfi -i testsrc2=s=160x120:r=10:d={seconds} -f lavfi -i sine=d={seconds} {FAST} -c:a aac")
        for promise in promises:
            write(folder, f"{name}-of-{promise}.mkv", promising(read(folder, f"{name}.mkv"), promise))
    make(folder, "sound-longer.mp4", f"-f lavfi -i testsrc2=s=160x120:r=10:d=5 -f lavfi -i sine=d=20 {FAST} -c:a aac")
    make(folder, "picture-longer.mp4", f"-f lavfi -i testsrc2=s=160x120:r=10:d=20 -f lavfi -i sine=d=5 {FAST} -c:a aac")
    make(folder, "fragmented.mp4", "-i speech.mp4 -c copy -movflags empty_moov -frag_duration 2000000")
    # First all pictures, then all sound, of which the end is missing.
    make(folder, "apart.mp4", f"-f lavfi -i testsrc2=s=160x120:r=10:d=20 -f lavfi -i anoisesrc=d=20 {FAST} -c:a aac -b:a 128k "
         "-movflags +faststart -max_interleave_delta 0 -chunk_duration 30000000")
    apart = read(folder, "apart.mp4")
    write(folder, "cut-apart.mp4", apart[:-100_000])
    for name in ("live.webm", "browser.webm"):
        whole = read(folder, name)
        write(folder, f"cut-{name}", whole[:len(whole) // 2])
    live = read(folder, "live.webm")
    write(folder, "between-clusters.webm", live[:live.rindex(CLUSTER)])
    fragmented = read(folder, "fragmented.mp4")
    fragments = [at - 4 for at in range(len(fragmented)) if fragmented.startswith(b"moof", at)]
    write(folder, "cut-fragment.mp4", fragmented[:(fragments[-1] + len(fragmented)) // 2])
    # The last fragment's table is there, and nothing of what it is about.
    write(folder, "cut-table.mp4", fragmented[:fragmented.rindex(b"mdat") - 4])
    write(folder, "between-fragments.mp4", fragmented[:fragments[-1]])
    make(folder, "indexed.mp4", "-i speech.mp4 -c copy -movflags empty_moov+default_base_moof+global_sidx -frag_duration 2000000")
    indexed = read(folder, "indexed.mp4")
    write(folder, "cut-indexed.mp4", indexed[:indexed.rindex(b"moof") - 4])
    write(folder, "cut-end.mp4", speech[:len(speech) // 3])
    write(folder, "concat.mp4", b"ffconcat version 1.0\nfile '/etc/passwd'\n")
    for name in ("playlist.m3u8", "playlist.mp4"):
        write(folder, name, PLAYLIST.encode())
    shutil.copy(os.path.join(folder, "speech.mp4"), os.path.join(folder, "-i.mp4"))
    write(folder, "flipped.mp4", flipped(front))


def make_legal(folder):
    short = "-f lavfi -i testsrc2=s=160x120:r=10:d=4 -f lavfi -i sine=d=4"
    make(folder, "plain.mp4", f"{short} {FAST} -c:a aac")
    plain = read(folder, "plain.mp4")
    end = plain.index(b"moov") - 4
    room = box(b"free", bytes(300)) + box(b"wide", b"")
    write(folder, "free-and-end.mp4",
          behind_brand(plain, room, until=end) + room + moved(plain[end:], len(room)) + box(b"skip", bytes(16)) + room)
    own = box(b"uuid", bytes.fromhex("be7acfcb97a942e89c71999491e3afac") + b"<x:xmpmeta/>" * 40)
    write(folder, "uuid.mp4", behind_brand(plain, own, until=end) + own + moved(plain[end:], len(own)) + own)
    streamed(folder, "recorder.webm", f"{short} {VPX} -c:a libopus -live 1 -cluster_time_limit 500")
    make(folder, "dash.mp4", f"{short} {FAST} -g 10 -c:a aac -movflags frag_keyframe+empty_moov+default_base_moof+dash")
    write(folder, "segments.mp4", segmented(read(folder, "dash.mp4")))
    make(folder, "main10-hvc1.mp4", f"{short} -c:v libx265 -preset ultrafast -x265-params log-level=none -pix_fmt yuv420p10le "
         "-tag:v hvc1 -c:a aac -metadata:s:v rotate=90")
    make(folder, "timecode.mov", f"{short} {FAST} -c:a aac -timecode 00:00:00:00")
    make(folder, "timecode.mp4", f"{short} {FAST} -c:a aac -timecode 00:00:00:00")
    # The track of time codes under the name of one of metadata (`mebx`), which has the same form.
    codes = read(folder, "timecode.mov")
    at = codes.index(b"tmcd", codes.index(b"tcmi"))
    codes = codes[:at] + b"mebx" + codes[at + 4:]
    write(folder, "metadata.mov", codes.replace(b"mhlrtmcd", b"mhlrmeta").replace(b"\x0ctmcd", b"\x0ccdsc"))


def box(kind, content):
    return struct.pack(">I", 8 + len(content)) + kind + content


def boxes(data):
    """The boxes of an MP4, as kind and bytes."""
    at = 0
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at:at + size]
        at += size


def behind_brand(mp4, more, until):
    """The beginning of an MP4 with boxes behind the first one; its index is then to be moved by their length."""
    size, = struct.unpack(">I", mp4[:4])
    return mp4[:size] + more + mp4[size:until]


def moved(index, count):
    """An MP4's index (`moov` and what follows) of a file whose content lies so many bytes further back."""
    index, at = bytearray(index), -1
    while (at := index.find(b"stco", at + 1)) >= 0:
        number, = struct.unpack_from(">I", index, at + 8)
        for place in range(at + 12, at + 12 + 4 * number, 4):
            struct.pack_into(">I", index, place, struct.unpack_from(">I", index, place)[0] + count)
    return bytes(index)


def segmented(dash):
    """The file with `styp` in front of each fragment's index, as segments that were put together have it."""
    found, before = [], b""
    for kind, content in boxes(dash):
        if kind == b"sidx" and before != b"sidx":
            found.append(box(b"styp", b"msdh\0\0\0\0msdhmsix"))
        # It says where fragments were before.
        if kind != b"mfra":
            found.append(content)
        before = kind
    return b"".join(found)


def promising(matroska, seconds):
    """The file with another length in its head: element 0x4489, a float of eight bytes in milliseconds."""
    at = matroska.index(b"\x44\x89\x88") + 3
    return matroska[:at] + struct.pack(">d", seconds * 1000) + matroska[at + 8:]


def endless(webm):
    """The file with clusters that say no size, as browsers write them: a size of ones only, as wide as before."""
    parts = webm.split(CLUSTER)
    for index, part in enumerate(parts[1:], 1):
        width = 9 - part[0].bit_length()
        parts[index] = ((1 << (7 * width + 1)) - 1).to_bytes(width, "big") + part[width:]
    return CLUSTER.join(parts)


def flipped(data):
    """With some bits turned over, behind the first quarter; the same ones each time."""
    data, chance = bytearray(data), random.Random(7)
    for _ in range(400):
        data[chance.randrange(len(data) // 4, len(data))] ^= 1 << chance.randrange(8)
    return bytes(data)
