#pragma once
#include <string>

#include "Decode.hpp"
#include "Looks.hpp"
#include "Speech.hpp"
#include "Voice.hpp"

namespace mirrormate {

/// Everything that was found out about one video, before any judgement of what is valid.
struct Findings {
    Probe probe;
    /// Seconds, from the container or, where it says nothing, from the decoded content.
    double duration = 0;
    bool incomplete = false;
    size_t errorLines = 0;

    Sound sound;
    Intensity intensity;
    double volumeDeviation = 0;
    Pitch pitch;
    Speech speech;
    Looks looks;
};

/// Runs all stages over one file, sound and pictures side by side, and prints the stages as they finish.
/// Throws a `Failure`.
Findings analyse(const std::string& file, const std::string& models, double maximumSeconds);

}  // namespace mirrormate
