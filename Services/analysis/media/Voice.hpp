#pragma once
#include <cstdint>
#include <vector>

#include "Span.hpp"

namespace mirrormate {

/// The strength of the sound over time, and where speech is by energy alone.
struct Intensity {
    /// dB of full scale, one value each 10 ms, Hann window of 64 ms after an 80 Hz high-pass.
    std::vector<double> decibels;
    /// Whether the frame counts as speech.
    std::vector<bool> speech;
    /// Silences of at least 0.25 s that do not touch the first or last 0.15 s.
    std::vector<Span> pauses;
    /// Loud (99 %) over quiet (5 %) frames in dB, at most 60: a dynamic range that stands for the
    /// signal-to-noise ratio. Means something only when `pauseShare` is at least 0.05.
    double noiseDistance = 0;
    /// Share of frames without speech.
    double pauseShare = 0;
    double speechSeconds = 0;
    /// The loud end (99 %) in dB of full scale; below -60 there is nothing to hear.
    double peak = -120;
    /// From the first to the last speech frame.
    Span extent;

    /// Center of frame `index` in seconds.
    static double time(size_t index) { return (double)index * 0.01 + 0.032; }
};

Intensity intensity(const std::vector<int16_t>& samples);

/// The share (0-1) of samples within the top 8 % of the loudest level: hardly any in natural speech, many where the
/// peaks were cut.
double clippedShare(const std::vector<int16_t>& samples);

/// Standard deviation in dB of the 400 ms power over windows that are more than half speech; lower is steadier.
double volumeDeviation(const std::vector<int16_t>& samples, const Intensity& intensity);

/// One point per five seconds.
struct EnergyPoint {
    double time = 0;
    /// 0-1 relative to the same clip, 0.5 is its own average.
    double energy = 0;
    /// Whether the window holds at least a second of speech.
    bool valid = false;
};

std::vector<EnergyPoint> energyTimeline(const Intensity& intensity, double seconds);

/// The fundamental frequency of the voice over the clip.
struct Pitch {
    double medianHertz = 0;
    /// 90 % minus 10 % quantile in semitones, over the frames that are at least 0.35 of the median voiced one's
    /// strength.
    double rangeSemitones = 0;
    double voicedSeconds = 0;
    /// Semitones above the median, one value for each `melodyStep` from the start: the median of those frames; not a
    /// number where fewer than four of them carry the voice.
    std::vector<double> melody;
    /// Seconds.
    static constexpr double melodyStep = 0.1;
};

/// Autocorrelation with Viterbi smoothing, 65-400 Hz, 40 ms frames each 10 ms
/// (after P. Boersma 1993, "Accurate short-term analysis of the fundamental frequency").
Pitch pitch(const std::vector<int16_t>& samples);

}  // namespace mirrormate
