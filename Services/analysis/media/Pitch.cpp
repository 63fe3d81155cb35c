#include <array>
#include <cmath>

#include "Decode.hpp"
#include "Voice.hpp"

namespace mirrormate {

namespace {

constexpr int rate = sampleRate / 2;
constexpr size_t frameLength = rate * 40 / 1000;
constexpr size_t frameStep = rate / 100;
constexpr size_t shortestLag = 20, longestLag = 123;
constexpr double lowestHertz = 65;
constexpr size_t framesPerStep = 10, leastOfStep = 4;
static_assert(framesPerStep * frameStep == (size_t)(Pitch::melodyStep * rate + 0.5));

/// A possible pitch of a frame; 0 Hz means unvoiced.
struct Candidate {
    double hertz = 0;
    double strength = 0;
};

/// The candidates: the unvoiced one first, then at most five voiced ones.
struct Frame {
    std::array<Candidate, 6> candidates;
    size_t count = 1;
};

/// Halves the sample rate with a three-tap filter and removes the offset.
std::vector<float> halved(const std::vector<int16_t>& samples) {
    std::vector<float> result(samples.size() / 2);
    double last = 0, held = 0;
    for (size_t index = 0; index < result.size(); ++index) {
        size_t at = index * 2;
        double before = at > 0 ? samples[at - 1] : 0;
        double value = (0.25 * before + 0.5 * samples[at] + 0.25 * samples[at + 1]) / 32768.0;
        // One-pole high-pass at about 40 Hz.
        held = 0.969 * (held + value - last);
        last = value;
        result[index] = (float)held;
    }
    return result;
}

struct Window {
    std::array<float, frameLength> weights{};
    std::array<double, longestLag + 2> correlation{};

    Window() {
        for (size_t index = 0; index < frameLength; ++index)
            weights[index] = (float)(0.5 - 0.5 * std::cos(2 * M_PI * ((double)index + 0.5) / frameLength));
        for (size_t lag = 0; lag < correlation.size(); ++lag)
            for (size_t index = 0; index + lag < frameLength; ++index)
                correlation[lag] += weights[index] * weights[index + lag];
    }
};

void insert(Frame& frame, Candidate candidate) {
    if (frame.count < frame.candidates.size()) {
        frame.candidates[frame.count++] = candidate;
        return;
    }
    size_t weakest = 1;
    for (size_t index = 2; index < frame.count; ++index)
        if (frame.candidates[index].strength < frame.candidates[weakest].strength) weakest = index;
    if (candidate.strength > frame.candidates[weakest].strength) frame.candidates[weakest] = candidate;
}

Frame analyzeFrame(const float* start, const Window& window, double globalPeak) {
    Frame frame;
    std::array<float, frameLength> shaped{};
    double mean = 0, localPeak = 0;
    for (size_t index = 0; index < frameLength; ++index) mean += start[index] / (double)frameLength;
    for (size_t index = 0; index < frameLength; ++index) {
        double value = start[index] - mean;
        localPeak = std::max(localPeak, std::fabs(value));
        shaped[index] = (float)value * window.weights[index];
    }
    double quietness = globalPeak > 0 ? 2 - (localPeak / globalPeak) / (0.03 / 1.45) : 2;
    frame.candidates[0] = {0, 0.45 + std::max(0.0, quietness)};
    std::array<double, longestLag + 2> correlation{};
    for (size_t lag = 0; lag < correlation.size(); lag = lag == 0 ? shortestLag - 1 : lag + 1) {
        float sum = 0;
        for (size_t index = 0; index + lag < frameLength; ++index) sum += shaped[index] * shaped[index + lag];
        correlation[lag] = sum;
    }
    if (correlation[0] <= 0) return frame;
    auto normal = [&](size_t lag) {
        return correlation[lag] / correlation[0] / (window.correlation[lag] / window.correlation[0]);
    };
    for (size_t lag = shortestLag; lag <= longestLag; ++lag) {
        double before = normal(lag - 1), here = normal(lag), after = normal(lag + 1);
        if (here < before || here <= after || here <= 0.25) continue;
        double bend = before - 2 * here + after;
        double shift = bend < 0 ? 0.5 * (before - after) / bend : 0;
        double height = here - 0.25 * (before - after) * shift;
        if (height > 1) height = 1 / height;
        double hertz = rate / ((double)lag + shift);
        insert(frame, {hertz, height + 0.01 * std::log2(hertz / lowestHertz)});
    }
    return frame;
}

/// The root mean square of a frame.
double strength(const float* start) {
    double sum = 0;
    for (size_t index = 0; index < frameLength; ++index) sum += (double)start[index] * start[index];
    return std::sqrt(sum / (double)frameLength);
}

double changeCost(const Candidate& from, const Candidate& to) {
    if ((from.hertz > 0) != (to.hertz > 0)) return 0.14;
    return from.hertz > 0 ? 0.35 * std::fabs(std::log2(to.hertz / from.hertz)) : 0;
}

/// The path through all frames with the largest sum of strengths minus transition costs (Viterbi).
std::vector<double> bestPath(const std::vector<Frame>& frames) {
    std::vector<std::array<double, 6>> scores(frames.size());
    std::vector<std::array<size_t, 6>> origins(frames.size());
    for (size_t at = 0; at < frames.size(); ++at) {
        for (size_t index = 0; index < frames[at].count; ++index) {
            const Candidate& candidate = frames[at].candidates[index];
            double best = 0;
            for (size_t before = 0; at > 0 && before < frames[at - 1].count; ++before) {
                double score = scores[at - 1][before] - changeCost(frames[at - 1].candidates[before], candidate);
                if (before > 0 && score <= best) continue;
                best = score;
                origins[at][index] = before;
            }
            scores[at][index] = best + candidate.strength;
        }
    }
    std::vector<double> hertz(frames.size());
    if (frames.empty()) return hertz;
    const auto& last = scores.back();
    size_t index = (size_t)(std::max_element(last.begin(), last.begin() + (long)frames.back().count) - last.begin());
    for (size_t at = frames.size(); at-- > 0;) {
        hertz[at] = frames[at].candidates[index].hertz;
        index = origins[at][index];
    }
    return hertz;
}

}  // namespace

Pitch pitch(const std::vector<int16_t>& samples) {
    Pitch result;
    std::vector<float> signal = halved(samples);
    if (signal.size() < frameLength) return result;
    double globalPeak = 0;
    for (float value : signal) globalPeak = std::max(globalPeak, (double)std::fabs(value));
    static const Window window;
    std::vector<Frame> frames;
    for (size_t start = 0; start + frameLength <= signal.size(); start += frameStep)
        frames.push_back(analyzeFrame(signal.data() + start, window, globalPeak));
    std::vector<double> path = bestPath(frames), voiced, strengths, carrying;
    std::vector<size_t> places;
    for (size_t index = 0; index < path.size(); ++index) {
        if (path[index] <= 0) continue;
        voiced.push_back(path[index]);
        strengths.push_back(strength(signal.data() + index * frameStep));
        places.push_back(index);
    }
    result.voicedSeconds = (double)voiced.size() * 0.01;
    if (voiced.empty()) return result;
    result.medianHertz = median(voiced);
    // The ends of words fade and sink; how much of them is heard depends on the recording, not on the melody.
    const double faint = 0.35 * median(strengths);
    std::vector<std::vector<double>> steps(path.size() / framesPerStep + 1);
    for (size_t index = 0; index < voiced.size(); ++index) {
        if (strengths[index] < faint) continue;
        carrying.push_back(voiced[index]);
        steps[places[index] / framesPerStep].push_back(12 * std::log2(voiced[index] / result.medianHertz));
    }
    for (const std::vector<double>& step : steps)
        result.melody.push_back(step.size() < leastOfStep ? std::nan("") : median(step));
    result.rangeSemitones = 12 * std::log2(quantile(carrying, 0.9) / quantile(carrying, 0.1));
    return result;
}

}  // namespace mirrormate
