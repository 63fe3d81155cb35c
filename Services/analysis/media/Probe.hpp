#pragma once
#include <string>
#include <vector>

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
    /// Seconds; negative if the container does not say (WebM recorded by browsers does not).
    double duration = -1;
    std::string ffmpegVersion;
};

/// Options before the input of every ffmpeg and ffprobe call: only local files, only the containers that cameras and
/// browsers write, bounded allocations.
std::vector<std::string> inputGuards();

/// Runs ffprobe; throws a `Failure` if the file is not an acceptable video.
Probe probe(const std::string& file, double maximumSeconds);

/// Throws `too-long` or `too-short`; also used for the decoded length if the container gave none.
void checkDuration(double seconds, double maximumSeconds);

/// The shortest video with enough speech and samples to measure anything, in seconds.
constexpr double minimumSeconds = 3;

/// The version of the installed ffmpeg; empty if there is none.
std::string installedDecoder();

}  // namespace mirrormate
