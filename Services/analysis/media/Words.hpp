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
    /// The sign that the recognizer wrote behind it, such as a comma; 0 if none.
    char mark = 0;
};

/// A piece of speech as the recognizer returns it.
struct Line {
    std::string text;
    Span span;
};

/// The words of a text: lower case, straight apostrophes, split at hyphens, numbers spelled out, everything else
/// dropped.
std::vector<std::string> spokenWords(const std::string& text);

/// For each of `spokenWords(text)` the sign behind it: one of , . ; : ? ! - or 0.
std::vector<char> marksBehindWords(const std::string& text);

/// Adds the words of a line, spread over its duration in proportion to their length.
void spread(const Line& line, std::vector<Word>& words);

/// A crude ARPAbet pronunciation for words missing from the dictionary; good enough to find when they are spoken.
std::string crudePronunciation(const std::string& word);

/// The filler words that a report counts, in the order of the report; the same list as `FillerWord.swift`, as a test
/// checks.
constexpr std::array<const char*, 8> fillerNames{
    "um", "uh", "like", "you know", "so", "actually", "basically", "literally"};

/// A filler that was heard.
struct Filler {
    /// Which of `fillerNames`.
    size_t name;
    Span span;
};

/// Finds the fillers in the order of time. Hesitations (um, uh) always are, and a lower bound, because recognizers
/// leave most of them out. The others are ordinary words as well: they count only when set off on both sides, by a
/// pause of at least 0.2 s, a sign that the recognizer wrote, an end of its line, or a hesitation beside it; or when
/// said twice in a row.
std::vector<Filler> findFillers(const std::vector<Word>& words);

/// How many there are of each name.
std::array<int, fillerNames.size()> countFillers(const std::vector<Filler>& fillers);

/// Whether a pause behind this word stands inside a thought: the word cannot end one (a preposition, an article, a
/// hesitation), or the recognizer wrote no sign behind it although its line goes on.
bool isHesitant(const std::vector<Word>& words, const Span& pause);

}  // namespace mirrormate
