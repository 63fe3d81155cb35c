#pragma once
#include <array>
#include <string>
#include <vector>

#include "Span.hpp"

namespace mirrormate {

/// A recognised word: only a-z and apostrophes.
struct Word {
    std::string text;
    Span span;
    /// First word of a recogniser line.
    bool startsLine = false;
};

/// A piece of speech as the recogniser gives it.
struct Line {
    std::string text;
    Span span;
};

/// Lower case, straight apostrophes, hyphens as gaps, numbers as words, everything else dropped.
std::vector<std::string> spokenWords(const std::string& text);

/// Adds the words of a line, spread over its time by their length.
void spread(const Line& line, std::vector<Word>& words);

/// A crude pronunciation in ARPAbet for words that no dictionary has; good enough to find their time.
std::string crudePronunciation(const std::string& word);

/// The fillers that a report may count, in the order of the report.
constexpr std::array<const char*, 8> fillerNames{
    "um", "uh", "like", "you know", "so", "actually", "basically", "literally"};

/// Counts the fillers. "so" counts only at the start of a line or after a pause of at least 0.25 s; the others
/// are plain word counts, and hesitations (um, uh) are a lower bound because recognisers leave most of them out.
std::array<int, 8> countFillers(const std::vector<Word>& words);

}  // namespace mirrormate
