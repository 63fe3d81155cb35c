#include <cmath>

#include "Decode.hpp"
#include "Voice.hpp"

namespace mirrormate {

namespace {

constexpr size_t hop = sampleRate / 100;
constexpr size_t window = sampleRate * 64 / 1000;

/// Second-order Butterworth high-pass at 80 Hz; removes rumble and offset. Scales samples to -1...1.
std::vector<float> withoutRumble(const std::vector<int16_t>& samples) {
    const double w = 2 * M_PI * 80 / sampleRate, alpha = std::sin(w) / std::sqrt(2.0), c = std::cos(w);
    const double a0 = 1 + alpha, b0 = (1 + c) / 2 / a0, b1 = -(1 + c) / a0, a1 = -2 * c / a0, a2 = (1 - alpha) / a0;
    std::vector<float> result(samples.size());
    double x1 = 0, x2 = 0, y1 = 0, y2 = 0;
    for (size_t index = 0; index < samples.size(); ++index) {
        double x = samples[index] / 32768.0;
        double y = b0 * x + b1 * x1 + b0 * x2 - a1 * y1 - a2 * y2;
        x2 = x1; x1 = x; y2 = y1; y1 = y;
        result[index] = (float)y;
    }
    return result;
}

double toDecibels(double power) { return 10 * std::log10(power + 1e-12); }

/// Runs of frames with the same speech flag, as index ranges.
template <typename Visit>
void eachRun(const std::vector<bool>& flags, Visit visit) {
    for (size_t start = 0; start < flags.size();) {
        size_t end = start;
        while (end < flags.size() && flags[end] == flags[start]) ++end;
        visit(start, end, flags[start]);
        start = end;
    }
}

void findSpeech(Intensity& result, double threshold, double seconds) {
    size_t count = result.decibels.size();
    result.speech.resize(count);
    for (size_t index = 0; index < count; ++index) result.speech[index] = result.decibels[index] > threshold;
    std::vector<bool> cleaned = result.speech;
    eachRun(result.speech, [&](size_t start, size_t end, bool speech) {
        // Clicks are not speech.
        if (speech && end - start < 5) std::fill(cleaned.begin() + (long)start, cleaned.begin() + (long)end, false);
    });
    result.speech = cleaned;
    size_t spoken = 0;
    bool any = false;
    eachRun(result.speech, [&](size_t start, size_t end, bool speech) {
        Span span{Intensity::time(start), Intensity::time(end)};
        if (speech) {
            spoken += end - start;
            if (!any) result.extent.start = span.start;
            result.extent.end = span.end;
            any = true;
            return;
        }
        bool inside = span.start > 0.15 && span.end < seconds - 0.15 && start > 0 && end < count;
        if (inside && span.length() >= 0.25) result.pauses.push_back(span);
    });
    result.speechSeconds = (double)spoken * 0.01;
    result.pauseShare = count > 0 ? 1 - (double)spoken / (double)count : 0;
}

}  // namespace

Intensity intensity(const std::vector<int16_t>& samples) {
    Intensity result;
    if (samples.size() < window) return result;
    std::vector<float> signal = withoutRumble(samples);
    std::vector<float> weights(window);
    double sum = 0;
    for (size_t index = 0; index < window; ++index) {
        weights[index] = (float)(0.5 - 0.5 * std::cos(2 * M_PI * ((double)index + 0.5) / window));
        sum += weights[index];
    }
    for (float& value : signal) value *= value;
    for (size_t start = 0; start + window <= signal.size(); start += hop) {
        float power = 0;
        for (size_t index = 0; index < window; ++index) power += signal[start + index] * weights[index];
        result.decibels.push_back(toDecibels(power / sum));
    }
    double loud = quantile(result.decibels, 0.99), quiet = quantile(result.decibels, 0.05);
    result.peak = loud;
    result.noiseDistance = std::min(60.0, loud - quiet);
    // Below this a microphone records only its own noise.
    double threshold = std::max({loud - 25, quiet + 4, -75.0});
    findSpeech(result, threshold, (double)samples.size() / sampleRate);
    return result;
}

double clippedShare(const std::vector<int16_t>& samples) {
    std::vector<double> levels(samples.size());
    for (size_t index = 0; index < samples.size(); ++index) levels[index] = std::abs((double)samples[index]);
    double top = quantile(levels, 0.9999);
    // Too little to hear: the level is then a few steps of the converter.
    if (top < 200) return 0;
    double near = 0;
    for (double level : levels) near += level >= 0.92 * top;
    return near / (double)levels.size();
}

double volumeDeviation(const std::vector<int16_t>& samples, const Intensity& intensity) {
    std::vector<float> signal = withoutRumble(samples);
    std::vector<double> levels;
    const size_t length = sampleRate * 4 / 10, step = sampleRate / 10;
    for (size_t start = 0; start + length <= signal.size(); start += step) {
        size_t first = start / hop, last = std::min((start + length) / hop, intensity.speech.size());
        size_t spoken = 0;
        for (size_t index = first; index < last; ++index) spoken += intensity.speech[index];
        if (last <= first || spoken * 2 <= last - first) continue;
        double power = 0;
        for (size_t index = start; index < start + length; ++index) power += (double)signal[index] * signal[index];
        levels.push_back(toDecibels(power / (double)length));
    }
    if (levels.size() < 2) return 0;
    double mean = 0, squares = 0;
    for (double level : levels) mean += level / (double)levels.size();
    for (double level : levels) squares += (level - mean) * (level - mean);
    return std::sqrt(squares / (double)levels.size());
}

std::vector<EnergyPoint> energyTimeline(const Intensity& intensity, double seconds) {
    std::vector<double> spoken;
    for (size_t index = 0; index < intensity.decibels.size(); ++index)
        if (intensity.speech[index]) spoken.push_back(intensity.decibels[index]);
    double center = median(spoken);
    std::vector<EnergyPoint> points;
    for (double start = 0; start < seconds; start += 5) {
        double sum = 0;
        size_t count = 0;
        for (size_t index = 0; index < intensity.decibels.size(); ++index) {
            double time = Intensity::time(index);
            if (time < start || time >= start + 5 || !intensity.speech[index]) continue;
            sum += intensity.decibels[index];
            ++count;
        }
        EnergyPoint point{start, 0, count >= 100};
        if (point.valid) point.energy = ramp(sum / (double)count - center, -8, 8);
        points.push_back(point);
    }
    return points;
}

}  // namespace mirrormate
