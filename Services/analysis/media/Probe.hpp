#pragma once
#include <string>
#include <vector>

namespace mirrormate {

/// What ffprobe says about a file. Claims, not facts: decoded lengths are compared with them later.
struct Probe {
    std::string videoCodec;
    int videoStream = -1;
    int width = 0;
    int height = 0;
    int rotation = 0;
    double framesPerSecond = 0;
    bool hasAudio = false;
    /// Seconds, below 0 when the container does not say (browser recordings in WebM do not).
    double duration = -1;
    std::string ffmpegVersion;
};

/// Options that every ffmpeg and ffprobe call gets before its input: only local files, only the containers
/// that cameras and browsers write, bounded allocations.
std::vector<std::string> inputGuards();

/// Asks ffprobe, and throws a `Failure` when the file is not an acceptable video.
Probe probe(const std::string& file, double maximumSeconds);

/// Throws `too-long` or `too-short`; also used with the decoded length when the container gave none.
void checkDuration(double seconds, double maximumSeconds);

/// Shortest video with enough speech and samples to say anything, in seconds.
constexpr double minimumSeconds = 3;

/// Version of the ffmpeg that is installed; empty when there is none.
std::string installedDecoder();

}  // namespace mirrormate
