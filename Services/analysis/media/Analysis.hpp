#pragma once
#include <string>

#include "Decode.hpp"
#include "Looks.hpp"
#include "Speech.hpp"
#include "Voice.hpp"

namespace mirrormate {

/// Everything found out about one video, before deciding what is valid.
struct Findings {
    Probe probe;
    /// Seconds, from the container or, if it does not say, from the decoded content.
    double duration = 0;
    bool incomplete = false;
    size_t errorLines = 0;

    Sound sound;
    Intensity intensity;
    double volumeDeviation = 0;
    /// 0-1.
    double clippedShare = 0;
    Pitch pitch;
    Speech speech;
    Looks looks;
};

/// Runs all stages on one file, sound and pictures in parallel, and prints each stage as it finishes.
/// With `heard` the words are those, and no recognizer is asked. Throws a `Failure`.
Findings analyze(const std::string& file, const std::string& models, double maximumSeconds, const Heard* heard = nullptr);

}  // namespace mirrormate
