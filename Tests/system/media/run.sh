#!/bin/sh
# Runs mirrormate-media on good, broken and hostile files and checks what it says.
#
#   Tests/system/media/run.sh [HELPER [MODELS [DEMO]]]
#
# HELPER: .build/debug/mirrormate-media; MODELS: .mirrormate/models (see infra/fetch-models); DEMO: the video of
# infra/make-demo-video, .mirrormate/demo/demo.mp4. All other files are made here by ffmpeg and its speech synthesiser.
# Without MODELS or DEMO the checks that need them are left out, and the last line says so.
set -eu

helper=${1:-.build/debug/mirrormate-media}
models=${2:-.mirrormate/models}
demo=${3:-.mirrormate/demo/demo.mp4}
[ -x "$helper" ] || { echo "run.sh: $helper is not built. Run 'swift build --product mirrormate-media'." >&2; exit 2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$work/scratch" "$work/none"

make() {
    ffmpeg -nostdin -v error -y "$@"
}
fast='-c:v libx264 -preset ultrafast -pix_fmt yuv420p'
# Words from here on are unquoted options on purpose.
# shellcheck disable=SC2086
{
    cat > "$work/one" << 'TEXT'
So, um, I like this plan. You know, it is like a long walk. Actually we start early in the morning.
TEXT
    cat > "$work/two" << 'TEXT'
So we will arrive before the evening, and everybody can see the river from the house on the hill.
TEXT
    make -f lavfi -i "flite=textfile=$work/one:voice=slt,apad=pad_dur=1" \
        -f lavfi -i "flite=textfile=$work/two:voice=slt" \
        -filter_complex "[0][1]concat=v=0:a=1" -ar 16000 "$work/voice.wav"
    make -f lavfi -i "testsrc2=s=640x360:r=10" -i "$work/voice.wav" -shortest $fast -c:a aac "$work/speech.mp4"
    make -i "$work/speech.mp4" -c copy -movflags +faststart "$work/front.mp4"
    make -f lavfi -i "testsrc2=s=320x240:r=10:d=6" -an $fast "$work/no-audio.mp4"
    make -f lavfi -i "color=black:s=640x360:r=10:d=6" -f lavfi -i "anullsrc=r=16000" -t 6 \
        $fast -c:a aac "$work/black.mp4"
    make -f lavfi -i "testsrc2=s=320x240:r=10:d=6" -f lavfi -i "sine=f=440:d=6" -shortest \
        $fast -c:a aac "$work/tone.mp4"
    make -f lavfi -i "testsrc2=s=320x240:r=10:d=2" $fast "$work/short.mp4"
    make -f lavfi -i "color=gray:s=160x120:r=2:d=100" $fast "$work/long.mp4"
    make -f lavfi -i "color=gray:s=4096x2304:r=1:d=4" $fast "$work/large.mp4"
    make -f lavfi -i "testsrc2=s=320x240:r=5:d=4" -c:v mjpeg "$work/mjpeg.mov"
    make -i "$work/voice.wav" -c:a aac "$work/audio-only.mp4"
    make -i "$work/speech.mp4" -c copy -metadata:s:v rotate=90 "$work/rotated.mp4"
    # A pipe cannot be sought, so the container never learns its length, as in browser recordings.
    vpx='-c:v libvpx -deadline realtime -cpu-used 8'
    make -i "$work/speech.mp4" $vpx -c:a libopus -f webm pipe:1 > "$work/live.webm"
    make -f lavfi -i "color=gray:s=160x120:r=2:d=40" $vpx -f webm pipe:1 > "$work/live-long.webm"
}
: > "$work/empty.mp4"
head -c 200000 /dev/urandom > "$work/random.mp4"
head -c $(($(wc -c < "$work/front.mp4") / 3)) "$work/front.mp4" > "$work/cut-front.mp4"
head -c $(($(wc -c < "$work/speech.mp4") / 3)) "$work/speech.mp4" > "$work/cut-end.mp4"
printf "ffconcat version 1.0\nfile '/etc/passwd'\n" > "$work/concat.mp4"
printf '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n' > "$work/playlist.m3u8"
cp "$work/playlist.m3u8" "$work/playlist.mp4"
cp "$work/speech.mp4" "$work/-i.mp4"

python3 "$(dirname "$0")/check.py" "$helper" "$models" "$demo" "$work"
