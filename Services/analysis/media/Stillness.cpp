#include "Stillness.hpp"

#include <cmath>

namespace mirrormate {

namespace {

/// Pixels of a block's side: large enough to average a sensor's noise away, small enough for a cursor to be only a few.
constexpr int side = 8;
/// How much (0-255) a block may differ and be the same.
constexpr double tolerance = 3;
/// The share of blocks that may differ in a picture that is the same: a cursor, a clock, a line of text.
constexpr double moving = 0.02;

/// Whole blocks only: an edge of a few pixels says nothing, and a picture smaller than a block has none.
std::vector<double> blocks(const Picture& picture) {
    const int columns = picture.width / side, rows = picture.height / side;
    std::vector<double> means;
    means.reserve((size_t)columns * (size_t)rows);
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            long sum = 0;
            for (int y = 0; y < side; ++y) {
                const uint8_t* line = &picture.pixels[(size_t)(row * side + y) * picture.width + column * side];
                for (int x = 0; x < side; ++x) sum += line[x];
            }
            means.push_back((double)sum / (side * side));
        }
    }
    return means;
}

}  // namespace

void Stillness::take(const Picture& picture) {
    std::vector<double> means = blocks(picture);
    if (!means.empty() && picture.width == width && picture.height == height) {
        size_t changed = 0;
        for (size_t at = 0; at < means.size(); ++at) changed += std::fabs(means[at] - last[at]) > tolerance;
        ++pairs;
        same += (double)changed <= moving * (double)means.size();
    }
    last = std::move(means);
    width = picture.width;
    height = picture.height;
}

}  // namespace mirrormate
