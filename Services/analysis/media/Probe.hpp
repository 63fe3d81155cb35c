#pragma once
#include <string>

#include "Output.hpp"

namespace mirrormate {

/// What ffprobe says about a file: claims, not facts; decoded lengths are compared with them later.
struct Probe {
    std::string videoCodec;
    int videoStream = -1;
    int width = 0;
    int height = 0;
    int rotation = 0;
    double framesPerSecond = 0;
    bool hasAudio = false;
    /// The codec of the first audio track.
    std::string audioCodec;
    /// Seconds; negative if the container does not say (WebM recorded by browsers does not).
    double duration = -1;
    /// Seconds that the picture or the sound is promised to last, whichever is longer; negative if unknown. Other tracks, such
    /// as a phone's motion data, may last longer than both.
    double promised = -1;
    std::string ffmpegVersion;
};

/// Runs ffprobe; throws a `Failure` if the file is not an acceptable video.
Probe probe(const std::string& file, double maximumSeconds);

/// The refusal of a file with a track that no decoder of the list can decode.
Failure unsupportedCodec();

/// Throws `too-long` or `too-short`; also used for the decoded length if the container gave none.
void checkDuration(double seconds, double maximumSeconds);

/// The shortest video with enough speech and samples to measure anything, in seconds.
constexpr double minimumSeconds = 3;

/// The version of the installed ffmpeg; empty if there is none.
std::string installedDecoder();

}  // namespace mirrormate
