#pragma once
#include <string>
#include <vector>

namespace mirrormate {

/// A small picture of a recording: a JPEG, upright, longer side 512, at most 96 KiB, without anything that the file says besides.
struct Frame {
    long milliseconds = 0;
    std::string jpeg;
};

/// Up to 8 pictures, spread evenly over a recording. Throws a `Failure` for what is no acceptable video.
std::vector<Frame> takeFrames(const std::string& file, double maximumSeconds);

/// The line that hands them over: `{"result":{"frames":[{"atMs":…,"jpeg":"…"}]}}`, in base 64.
std::string framesLine(const std::vector<Frame>& frames);

}  // namespace mirrormate
