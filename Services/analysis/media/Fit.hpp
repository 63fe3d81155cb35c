#pragma once
#include <string>

namespace mirrormate {

/// How well recognized words fit the sound and the language: the recognizer makes English words of everything that is said,
/// and of another language they are words that fit neither.
struct Fit {
    /// The acoustic scores of the frames of 10 ms that the words take, and how many frames those are.
    double total = 0, frames = 0;
    /// The frames of lines into which their words cannot be fitted at all.
    double unfitted = 0;
    /// The words, and those of them that no English dictionary has.
    double words = 0, unknown = 0;
    /// Of the words that have a length: how many, and the sums of ln(length / expected length) and of its square.
    double measured = 0, logarithms = 0, squares = 0;

    /// Takes a word of so many frames.
    void addLength(const std::string& word, double length);
    void add(const Fit& other);

    /// Mean acoustic score of a frame; 0 without one.
    double score() const { return frames > 0 ? total / frames : 0; }
    /// 0-1, of the time of all lines.
    double unfittedShare() const { return unfitted > 0 ? unfitted / (unfitted + frames) : 0; }
    /// 0-1.
    double unknownShare() const { return words > 0 ? unknown / words : 0; }
    /// Standard deviation of ln(length / expected length): how little the words' lengths follow their letters.
    double spread() const;
};

}  // namespace mirrormate
