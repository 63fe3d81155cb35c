#pragma once
#include <optional>
#include <string>

#include "Voice.hpp"
#include "Words.hpp"

namespace mirrormate {

/// What was said, when, and how it was found out.
struct Speech {
    /// "moonshine", "pocketsphinx" or "none".
    std::string engine = "none";
    std::string text;
    std::vector<Word> words;
    /// Mean acoustic score per frame over the aligned lines (about -15 for clear, -25 for wrong words).
    std::optional<double> score;
    /// All word times come from alignment or the recogniser; otherwise some are spread over their line.
    bool aligned = true;

    /// The rough recogniser: its words and everything counted from them deserve little trust.
    bool rough() const { return engine == "pocketsphinx"; }
};

/// Recognises the recording with the best engine present.
Speech recognise(const std::vector<int16_t>& samples, const Intensity& intensity, const std::string& models);

/// Gaps of at least 0.25 s between neighbouring words.
std::vector<Span> wordGaps(const std::vector<Word>& words);

}  // namespace mirrormate
