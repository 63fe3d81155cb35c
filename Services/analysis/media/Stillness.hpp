#pragma once
#include <vector>

#include "Decode.hpp"

namespace mirrormate {

/// How much of a recording shows the same picture from one sample to the next. Use from one thread.
class Stillness {
public:
    /// Takes the pictures in order.
    void take(const Picture& picture);
    /// The pictures that are the same as the one before, in percent of those that could be compared; 0 without any.
    double share() const { return pairs > 0 ? 100.0 * same / pairs : 0; }
    /// How many could be compared with the one before.
    int count() const { return pairs; }

private:
    /// Mean luma of each block of the last picture.
    std::vector<double> last;
    int width = 0, height = 0, pairs = 0, same = 0;
};

}  // namespace mirrormate
