#include "Fit.hpp"

#include <algorithm>
#include <cmath>

namespace mirrormate {

namespace {

/// The frames that a word takes in unhurried speech: some for itself, and more for each letter.
double expectedLength(const std::string& word) { return 6 + 5.5 * (double)word.size(); }

}  // namespace

void Fit::addLength(const std::string& word, double length) {
    if (length <= 0) return;
    double ratio = std::log(length / expectedLength(word));
    measured += 1;
    logarithms += ratio;
    squares += ratio * ratio;
}

void Fit::add(const Fit& other) {
    total += other.total;
    frames += other.frames;
    unfitted += other.unfitted;
    words += other.words;
    unknown += other.unknown;
    measured += other.measured;
    logarithms += other.logarithms;
    squares += other.squares;
}

double Fit::spread() const {
    if (measured <= 0) return 0;
    double mean = logarithms / measured;
    return std::sqrt(std::max(squares / measured - mean * mean, 0.0));
}

}  // namespace mirrormate
