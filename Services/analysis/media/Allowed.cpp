#include "Allowed.hpp"

#include <algorithm>
#include <iterator>

namespace mirrormate {

namespace {

/// A codec by ffprobe's name, and the decoders that may be opened for it: ffmpeg holds decoders to its lists by names of their
/// own, which are not always the codec's.
struct Codec {
    const char* name;
    const char* decoders;
};

const char* const demuxers = "mov,mp4,m4a,3gp,matroska,webm";
const char* const coverDecoders = "mjpeg,png";

constexpr Codec videoCodecs[] = {{"h264", "h264"}, {"hevc", "hevc"}, {"vp8", "vp8"}, {"vp9", "vp9"},
    {"av1", "libdav1d,libaom-av1"}, {"mpeg4", "mpeg4"}};
constexpr Codec audioCodecs[] = {{"aac", "aac"}, {"opus", "opus"}, {"vorbis", "vorbis"}, {"mp3", "mp3float,mp3"},
    {"pcm_u8", "pcm_u8"}, {"pcm_s16le", "pcm_s16le"}, {"pcm_s16be", "pcm_s16be"}, {"pcm_s24le", "pcm_s24le"},
    {"pcm_s24be", "pcm_s24be"}, {"pcm_s32le", "pcm_s32le"}, {"pcm_s32be", "pcm_s32be"}, {"pcm_f32le", "pcm_f32le"},
    {"pcm_f32be", "pcm_f32be"}};

std::string decoders() {
    std::string names;
    auto add = [&](const Codec& codec) { names += (names.empty() ? "" : ",") + std::string(codec.decoders); };
    for (const Codec& codec : videoCodecs) add(codec);
    for (const Codec& codec : audioCodecs) add(codec);
    return names;
}

template <size_t count>
bool isOneOf(const Codec (&codecs)[count], const std::string& name) {
    return std::any_of(std::begin(codecs), std::end(codecs), [&](const Codec& codec) { return name == codec.name; });
}

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

bool isAllowedVideo(const std::string& codec) { return isOneOf(videoCodecs, codec); }

bool isAllowedAudio(const std::string& codec) { return isOneOf(audioCodecs, codec); }

}  // namespace mirrormate
