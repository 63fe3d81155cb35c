#pragma once
#include <vector>

#include "Span.hpp"

namespace mirrormate {

/// Linear interpolation between points of rising x; constant outside.
inline double interpolate(const std::vector<std::pair<double, double>>& points, double x) {
    if (x <= points.front().first) return points.front().second;
    for (size_t at = 1; at < points.size(); ++at) {
        auto [left, low] = points[at - 1];
        auto [right, high] = points[at];
        if (x <= right) return low + (high - low) * (x - left) / (right - left);
    }
    return points.back().second;
}

/// 0-1 from the pitch range in semitones: monotone synthetic voices reach 3, readers 5-8, lively readers 10.
inline double tonalVariety(double semitones) {
    return interpolate({{0, 0}, {2, 0.1}, {4, 0.4}, {7, 0.8}, {9, 1}}, semitones);
}

/// 0-1 from the standard deviation of the speech level in dB; real readers are at 2.7-4.0.
inline double volumeConsistency(double deviation) {
    return interpolate({{2.5, 1}, {4, 0.7}, {8, 0}}, deviation);
}

/// 0-1: how clear recording and recognition are, not diction. `score` is the mean acoustic score per frame.
inline double clarity(double noiseDistance, double score) {
    return 0.7 * ramp(noiseDistance, 14, 32) + 0.3 * ramp(score, -26, -14);
}

/// 0-1 from the median movement in face widths per 0.2 s: still up to 0.01, natural up to 0.08, restless from 0.12.
inline double stillness(double movement) {
    return interpolate({{0.01, 1}, {0.08, 0.7}, {0.12, 0.3}, {0.2, 0}}, movement);
}

/// 0-1: how well a voice can be heard: its distance to the noise in dB, its level in LUFS, and the share (0-1) of cut
/// peaks. Clean recordings lie at 32 dB and more, noise at 10 dB gives 16-21, at 5 dB 12-16; natural speech has cut
/// peaks below 0.002.
inline double soundQuality(double noiseDistance, double loudness, double clippedShare) {
    return ramp(noiseDistance, 12, 36) * ramp(loudness, -50, -36) * (1 - ramp(clippedShare, 0.002, 0.03));
}

/// 0-1: how well a face can be seen: its light (0-255), how much brighter the rest is, its sharpness, its width of 640
/// pixels, and the share (0-100) of pictures that cut it.
inline double pictureQuality(double light, double backlight, double sharpness, double width, double cut) {
    return ramp(light, 25, 70) * (1 - ramp(backlight, 50, 130)) * ramp(sharpness, 4, 20) * ramp(width, 40, 90) *
        (1 - 0.7 * ramp(cut, 30, 100));
}

/// 0-1 from the change of the lower face: a still portrait is below 0.001, a rendered mouth that speaks
/// at 0.03 to 0.04.
inline double faceLiveliness(double change) { return ramp(change, 0.003, 0.02); }

/// 0-1: whether pauses structure the speech without stalling it. Speech counts from the first to the last sound.
///   0.5 * length:  mean length, full between 0.4 and 1.2 s, zero at 0.2 or from 3 s
///   0.5 * share:   of the time, full between 8 and 25 %, zero at 0 or from 50 %
///   the sum * frequency: pauses per minute, full between 6 and 20, zero at 0 or from 40
///   and * 1 for a longest pause up to 3 s, falling to 0.5 at 6 s.
/// Who never pauses is at 0.
/// The bounds are proposals, not fitted to listeners.
inline double pauseEffectiveness(const std::vector<Span>& pauses, double seconds) {
    if (pauses.empty() || seconds <= 0) return 0;
    double total = 0, longest = 0;
    for (const Span& pause : pauses) {
        total += pause.length();
        longest = std::max(longest, pause.length());
    }
    double often = (double)pauses.size() / seconds * 60, mean = total / (double)pauses.size();
    double parts = 0.5 * interpolate({{0.2, 0}, {0.4, 1}, {1.2, 1}, {3, 0}}, mean) +
        0.5 * interpolate({{0, 0}, {0.08, 1}, {0.25, 1}, {0.5, 0}}, total / seconds);
    return parts * interpolate({{0, 0}, {6, 1}, {20, 1}, {40, 0}}, often) * (1 - 0.5 * ramp(longest, 3, 6));
}

}  // namespace mirrormate
