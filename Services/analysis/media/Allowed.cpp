#include "Allowed.hpp"

#include <algorithm>

namespace mirrormate {

namespace {

// ffmpeg holds decoders to its lists by the decoder's name, which is not always the codec's.
const char* const demuxers = "mov,mp4,m4a,3gp,matroska,webm";
const char* const videoDecoders = "h264,hevc,vp8,vp9,libdav1d,libaom-av1,mpeg4";
const char* const audioDecoders =
    "aac,opus,vorbis,mp3float,mp3,pcm_u8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be,pcm_f32le,pcm_f32be";
const char* const coverDecoders = "mjpeg,png";

const char* const videoCodecs[] = {"h264", "hevc", "vp8", "vp9", "av1", "mpeg4"};
const char* const audioCodecs[] = {"aac", "opus", "vorbis", "mp3", "pcm_u8", "pcm_s16le", "pcm_s16be", "pcm_s24le",
    "pcm_s24be", "pcm_s32le", "pcm_s32be", "pcm_f32le", "pcm_f32be"};

std::string decoders() { return std::string(videoDecoders) + "," + audioDecoders; }

}  // namespace

std::vector<std::string> inputGuards() {
    // "repeat": a line is not shortened to "Last message repeated".
    return {"-v", "repeat+error", "-protocol_whitelist", "file,pipe", "-format_whitelist", demuxers, "-codec_whitelist",
        decoders(), "-max_alloc", "268435456"};
}

std::vector<std::string> coverGuards() {
    // "V" are the video tracks without covers. The letter before the first option does the same for all of them, without a
    // colon: ffmpeg takes "v" and "V" behind one for the same.
    return {"-vcodec_whitelist", decoders() + "," + coverDecoders, "-codec_whitelist:V", decoders()};
}

bool isAllowedVideo(const std::string& codec) {
    return std::find(std::begin(videoCodecs), std::end(videoCodecs), codec) != std::end(videoCodecs);
}

bool isAllowedAudio(const std::string& codec) {
    return std::find(std::begin(audioCodecs), std::end(audioCodecs), codec) != std::end(audioCodecs);
}

}  // namespace mirrormate
