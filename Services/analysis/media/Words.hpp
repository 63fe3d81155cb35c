#pragma once
#include <array>
#include <string>
#include <vector>

#include "Span.hpp"

namespace mirrormate {

/// A recognized word: only a-z and apostrophes.
struct Word {
    std::string text;
    Span span;
    /// Whether it is the first word of a recognizer's line.
    bool startsLine = false;
};

/// A piece of speech as the recognizer returns it.
struct Line {
    std::string text;
    Span span;
};

/// The words of a text: lower case, straight apostrophes, split at hyphens, numbers spelled out, everything else
/// dropped.
std::vector<std::string> spokenWords(const std::string& text);

/// Adds the words of a line, spread over its duration in proportion to their length.
void spread(const Line& line, std::vector<Word>& words);

/// A crude ARPAbet pronunciation for words missing from the dictionary; good enough to find when they are spoken.
std::string crudePronunciation(const std::string& word);

/// The filler words that a report counts, in the order of the report; the same list as `FillerWord.swift`, as a test
/// checks.
constexpr std::array<const char*, 8> fillerNames{
    "um", "uh", "like", "you know", "so", "actually", "basically", "literally"};

/// Counts the fillers. "so" counts only at the start of a line or after a pause of at least 0.25 s; the others are
/// plain word counts. Hesitations (um, uh) are a lower bound, because recognizers leave most of them out.
std::array<int, fillerNames.size()> countFillers(const std::vector<Word>& words);

}  // namespace mirrormate
