#pragma once
#include <algorithm>
#include <vector>

namespace mirrormate {

/// A span of time in seconds from the start of the video.
struct Span {
    double start = 0;
    double end = 0;

    double length() const { return end - start; }
    double overlap(const Span& other) const {
        return std::max(0.0, std::min(end, other.end) - std::max(start, other.start));
    }
};

inline double clamp01(double value) { return std::clamp(value, 0.0, 1.0); }

/// 0 at `low`, 1 at `high`, linear between, constant outside.
inline double ramp(double value, double low, double high) { return clamp01((value - low) / (high - low)); }

/// The value below which the share `part` (0-1) of the values lies; 0 if there are no values.
inline double quantile(std::vector<double> values, double part) {
    if (values.empty()) return 0;
    size_t at = (size_t)(part * (double)(values.size() - 1) + 0.5);
    std::nth_element(values.begin(), values.begin() + (long)at, values.end());
    return values[at];
}

inline double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

}  // namespace mirrormate
