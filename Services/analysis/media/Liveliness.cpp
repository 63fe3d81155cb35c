#include "Liveliness.hpp"

#include <algorithm>
#include <cmath>

#include "Span.hpp"

namespace mirrormate {

namespace {

constexpr int faceSize = 64, margin = 16, side = faceSize + 2 * margin;
/// The head may move by a fifth of a face between two pictures.
constexpr int reach = 13;

/// Rows and columns within the cut-out.
struct Region {
    int left, top, right, bottom;
};

constexpr Region upper{margin + 8, margin + 6, margin + 56, margin + 34};
constexpr Region lower{margin + 12, margin + 38, margin + 52, margin + 64};

float at(const std::vector<float>& patch, float x, float y) {
    x = std::clamp(x, 0.0f, (float)side - 1.001f);
    y = std::clamp(y, 0.0f, (float)side - 1.001f);
    int column = (int)x, row = (int)y;
    float fx = x - (float)column, fy = y - (float)row;
    const float* here = &patch[(size_t)(row * side + column)];
    return (here[0] * (1 - fx) + here[1] * fx) * (1 - fy) + (here[side] * (1 - fx) + here[side + 1] * fx) * fy;
}

/// The correlation of a region with the same one of another cut-out, which is moved.
double likeness(const std::vector<float>& a, const std::vector<float>& b, const Region& region,
    float dx, float dy, int step) {
    double sumA = 0, sumB = 0, squareA = 0, squareB = 0, both = 0, count = 0;
    for (int row = region.top; row < region.bottom; row += step) {
        for (int column = region.left; column < region.right; column += step, ++count) {
            double left = a[(size_t)(row * side + column)], right = at(b, (float)column + dx, (float)row + dy);
            sumA += left;
            sumB += right;
            squareA += left * left;
            squareB += right * right;
            both += left * right;
        }
    }
    double varianceA = squareA - sumA * sumA / count, varianceB = squareB - sumB * sumB / count;
    if (varianceA <= count || varianceB <= count) return 0;
    return (both - sumA * sumB / count) / std::sqrt(varianceA * varianceB);
}

struct Match {
    float dx = 0, dy = 0;
    double likeness = -1;
};

void improve(Match& best, const std::vector<float>& a, const std::vector<float>& b, float radius, float step, int grid) {
    Match center = best;
    for (float dy = -radius; dy <= radius; dy += step) {
        for (float dx = -radius; dx <= radius; dx += step) {
            double found = likeness(a, b, upper, center.dx + dx, center.dy + dy, grid);
            if (found > best.likeness) best = {center.dx + dx, center.dy + dy, found};
        }
    }
}

}  // namespace

std::vector<float> Liveliness::cut(const Picture& picture, const Face& face) const {
    std::vector<float> patch((size_t)(side * side));
    const double scale = face.width / faceSize;
    // Averages over the pixels that fall into one of the patch, so that noise and sharpness do not count as change.
    const int taps = std::max(1, (int)std::lround(scale));
    for (int row = 0; row < side; ++row) {
        for (int column = 0; column < side; ++column) {
            double sum = 0;
            for (int dy = 0; dy < taps; ++dy) {
                for (int dx = 0; dx < taps; ++dx) {
                    int x = (int)(face.x + (column - margin + (dx + 0.5) / taps) * scale);
                    int y = (int)(face.y + (row - margin + (dy + 0.5) / taps) * scale);
                    x = std::clamp(x, 0, picture.width - 1);
                    y = std::clamp(y, 0, picture.height - 1);
                    sum += picture.pixels[(size_t)(y * picture.width + x)];
                }
            }
            patch[(size_t)(row * side + column)] = (float)(sum / (taps * taps));
        }
    }
    return patch;
}

void Liveliness::take(const Picture& picture, const Face* face) {
    // A face beside the first one, or a jump to another, is no change of an expression.
    bool near = hasBefore && face && std::fabs(face->x - faceBefore.x) < 0.5 * face->width &&
        std::fabs(face->y - faceBefore.y) < 0.5 * face->width;
    if (near && face->width >= faceSize) {
        // Both are cut by the same box: the detector's boxes jump on a coarse grid.
        std::vector<float> a = cut(before, faceBefore), b = cut(picture, faceBefore);
        Match best;
        improve(best, a, b, reach, 2, 3);
        improve(best, a, b, 2, 1, 2);
        improve(best, a, b, 0.75f, 0.25f, 1);
        if (best.likeness > 0.8) {
            double change = (1 - likeness(a, b, lower, best.dx, best.dy, 1)) - (1 - best.likeness);
            changes.push_back(std::max(change, 0.0));
        }
    }
    hasBefore = face != nullptr;
    if (!face) return;
    before = picture;
    faceBefore = *face;
}

std::optional<double> Liveliness::upperQuarter() const {
    if (changes.size() < 20) return std::nullopt;
    return quantile(changes, 0.75);
}

}  // namespace mirrormate
