#pragma once
#include <optional>
#include <string>

#include "Fit.hpp"
#include "Heard.hpp"
#include "Voice.hpp"
#include "Words.hpp"

namespace mirrormate {

/// What was said and when, and how that was determined.
struct Speech {
    /// "moonshine", "pocketsphinx" or "none"; or whoever else wrote the words down.
    std::string engine = "none";
    /// The model of whoever else wrote the words down; empty for the recognizers here.
    std::string model;
    std::string text;
    std::vector<Word> words;
    /// Mean acoustic score per frame over the aligned lines (about -15 for clear, -25 for wrong words).
    std::optional<double> score;
    /// How well the words fit; nothing without the aligner, and of the rough recognizer's own words.
    std::optional<Fit> fit;
    /// Whether all word times come from alignment or the recognizer; otherwise some are spread over their line.
    bool aligned = true;

    /// Whether the rough recognizer was used: its words and everything counted from them deserve little trust.
    bool rough() const { return engine == "pocketsphinx"; }
};

/// Recognizes the recording with the best engine present; where the words are known, finds their times alone.
Speech recognize(const std::vector<int16_t>& samples, const Intensity& intensity, const std::string& models, const Heard* heard);

/// Gaps of at least 0.25 s between adjacent words.
std::vector<Span> wordGaps(const std::vector<Word>& words);

}  // namespace mirrormate
