#include "Heard.hpp"

#include <cstring>

namespace mirrormate {

namespace {

/// A pause that splits, one at the end of a sentence, and how long a piece gets before a short one, or none, is enough: where somebody goes on
/// without one, a word belongs to either side.
constexpr double pauseSeconds = 0.5, sentencePause = 0.2, breath = 0.05, longPiece = 10, longestPiece = 20;
constexpr size_t longestWord = 200, longestName = 100;

/// Takes the next line off a text; false at its end.
bool take(const std::string& text, size_t& at, std::string& line) {
    size_t end = text.find('\n', at);
    if (end == std::string::npos) return false;
    line = text.substr(at, end - at);
    at = end + 1;
    return true;
}

bool isName(const std::string& text) {
    if (text.empty() || text.size() > longestName) return false;
    for (unsigned char byte : text)
        if (byte < 0x21 || byte > 0x7E) return false;
    return true;
}

/// A whole number of milliseconds, up to the next space.
bool takeTime(const std::string& line, size_t& at, double& seconds) {
    long milliseconds = 0;
    size_t first = at;
    for (; at < line.size() && line[at] >= '0' && line[at] <= '9' && at - first < 8; ++at) milliseconds = milliseconds * 10 + (line[at] - '0');
    if (at == first || at >= line.size() || line[at] != ' ') return false;
    ++at;
    seconds = (double)milliseconds / 1000;
    return true;
}

/// Whether a word begins a new piece behind this one.
bool isApart(const Line& piece, const Span& word) {
    double gap = word.start - piece.span.end, length = word.end - piece.span.start;
    bool endsSentence = strchr(".?!", piece.text.back()) != nullptr;
    return gap >= pauseSeconds || (endsSentence && gap >= sentencePause) || (length > longPiece && gap >= breath) || length > longestPiece;
}

}  // namespace

std::optional<Heard> readHeard(const std::string& text) {
    Heard heard;
    size_t at = 0;
    if (!take(text, at, heard.engine) || !take(text, at, heard.model)) return std::nullopt;
    if (!isName(heard.engine) || !isName(heard.model)) return std::nullopt;
    double last = 0;
    for (std::string line; at < text.size();) {
        size_t place = 0;
        Span span{0, 0};
        if (!take(text, at, line) || !takeTime(line, place, span.start) || !takeTime(line, place, span.end)) return std::nullopt;
        std::string word = line.substr(place);
        if (word.empty() || word.size() > longestWord || span.start < last || span.end < span.start) return std::nullopt;
        last = span.start;
        if (heard.lines.empty() || isApart(heard.lines.back(), span)) {
            heard.lines.push_back({word, span});
        } else {
            heard.lines.back().text += " " + word;
            heard.lines.back().span.end = std::max(heard.lines.back().span.end, span.end);
        }
    }
    return heard;
}

}  // namespace mirrormate
