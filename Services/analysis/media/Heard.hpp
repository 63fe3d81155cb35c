#pragma once
#include <optional>
#include <string>
#include <vector>

#include "Words.hpp"

namespace mirrormate {

/// The words of a recording as somebody else wrote them down.
struct Heard {
    /// Who, and with what.
    std::string engine, model;
    /// Pieces of speech, split at pauses.
    std::vector<Line> lines;
};

/// Reads the text of a file of words: the engine's name, its model, and a line for each word with the milliseconds of its start and its end and
/// the word as it was written. Nothing for any other text.
std::optional<Heard> readHeard(const std::string& text);

}  // namespace mirrormate
