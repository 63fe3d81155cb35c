#include "Words.hpp"

#include <cstdlib>
#include <cstring>
#include <set>

namespace mirrormate {

namespace {

void addNumber(long number, std::vector<std::string>& words) {
    static const char* small[] = {"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
        "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
    static const char* tens[] = {"", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"};
    if (number >= 1000) {
        addNumber(number / 1000, words);
        words.push_back("thousand");
        if (number % 1000 == 0) return;
        number %= 1000;
    }
    if (number >= 100) {
        words.push_back(small[number / 100]);
        words.push_back("hundred");
        if (number % 100 == 0) return;
        number %= 100;
    }
    if (number >= 20) {
        words.push_back(tens[number / 10]);
        if (number % 10 == 0) return;
        number %= 10;
    }
    words.push_back(small[number]);
}

/// Adds a run of digits: as one number if it can be one, otherwise digit by digit.
void addDigits(const std::string& digits, std::vector<std::string>& words) {
    if (digits.size() <= 6 && digits[0] != '0') return addNumber(atol(digits.c_str()), words);
    for (char digit : digits) addNumber(digit - '0', words);
}

void addWord(std::string word, std::vector<std::string>& words) {
    while (!word.empty() && word.front() == '\'') word.erase(0, 1);
    while (!word.empty() && word.back() == '\'') word.pop_back();
    if (!word.empty() && word.size() <= 40) words.push_back(word);
}

struct Sound {
    const char* letters;
    const char* phones;
};

// Longer spellings first.
constexpr Sound sounds[] = {
    {"sh", "SH"}, {"ch", "CH"}, {"th", "TH"}, {"ph", "F"}, {"ng", "NG"}, {"ck", "K"}, {"qu", "K W"}, {"ee", "IY"},
    {"ea", "IY"}, {"oo", "UW"}, {"ou", "AW"}, {"ow", "AW"}, {"ai", "EY"}, {"ay", "EY"}, {"er", "ER"}, {"ir", "ER"},
    {"ur", "ER"}, {"oi", "OY"}, {"oy", "OY"}, {"a", "AE"}, {"b", "B"}, {"c", "K"}, {"d", "D"}, {"e", "EH"},
    {"f", "F"}, {"g", "G"}, {"h", "HH"}, {"i", "IH"}, {"j", "JH"}, {"k", "K"}, {"l", "L"}, {"m", "M"}, {"n", "N"},
    {"o", "AA"}, {"p", "P"}, {"q", "K"}, {"r", "R"}, {"s", "S"}, {"t", "T"}, {"u", "AH"}, {"v", "V"}, {"w", "W"},
    {"x", "K S"}, {"y", "IY"}, {"z", "Z"}};

}  // namespace

std::vector<std::string> spokenWords(const std::string& text) {
    std::vector<std::string> words;
    std::string word, digits;
    auto finish = [&] {
        if (!digits.empty()) addDigits(digits, words);
        addWord(word, words);
        word.clear();
        digits.clear();
    };
    for (size_t at = 0; at < text.size(); ++at) {
        unsigned char byte = text[at];
        bool curly = text.compare(at, 3, "\xE2\x80\x99") == 0;
        if (byte >= '0' && byte <= '9') {
            if (!word.empty()) finish();
            digits += (char)byte;
        } else if (byte == ',' && !digits.empty() && at + 1 < text.size() && isdigit((unsigned char)text[at + 1])) {
            continue;
        } else if ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z' && byte < 0x80) {
            if (!digits.empty()) finish();
            word += (char)(byte | 0x20);
        } else if (byte == '\'' || curly) {
            if (!word.empty()) word += '\'';
            if (curly) at += 2;
        } else if (byte <= ' ' || byte == '-' || byte == '/' || text.compare(at, 2, "\xE2\x80") == 0) {
            finish();
            if (byte == 0xE2) at += 2;
        }
    }
    finish();
    return words;
}

void spread(const Line& line, std::vector<Word>& words) {
    std::vector<std::string> texts = spokenWords(line.text);
    double letters = 0, start = line.span.start;
    for (const std::string& text : texts) letters += (double)text.size() + 1;
    for (size_t at = 0; at < texts.size(); ++at) {
        double end = start + line.span.length() * ((double)texts[at].size() + 1) / letters;
        words.push_back({texts[at], {start, end}, at == 0});
        start = end;
    }
}

std::string crudePronunciation(const std::string& word) {
    std::string letters, phones;
    for (char letter : word)
        if (letter != '\'') letters += letter;
    bool silentEnd = letters.size() > 2 && letters.back() == 'e' && letters[letters.size() - 2] != 'e';
    if (silentEnd) letters.pop_back();
    for (size_t at = 0; at < letters.size();) {
        size_t step = 1;
        for (const Sound& sound : sounds) {
            size_t length = strlen(sound.letters);
            if (letters.compare(at, length, sound.letters) != 0) continue;
            if (!phones.empty()) phones += ' ';
            phones += sound.phones;
            step = length;
            break;
        }
        at += step;
    }
    return phones;
}

std::vector<char> marksBehindWords(const std::string& text) {
    std::vector<char> marks;
    for (size_t at = 0; at < text.size();) {
        size_t end = std::min(text.find(' ', at), text.size());
        std::string piece = text.substr(at, end - at);
        size_t count = spokenWords(piece).size();
        marks.insert(marks.end(), count, 0);
        while (!piece.empty() && (piece.back() == '"' || piece.back() == '\'' || piece.back() == ')')) piece.pop_back();
        // A dash that stands alone belongs to the word before it.
        if (!marks.empty() && !piece.empty() && strchr(",.;:?!-", piece.back())) marks.back() = piece.back();
        at = end + 1;
    }
    return marks;
}

namespace {

constexpr double setOffSeconds = 0.2;

bool isHesitation(const std::string& word) { return word == "um" || word == "uh"; }

/// Whether something stands between two neighboring words.
bool apart(const std::vector<Word>& words, size_t left, size_t right) {
    if (words[left].mark != 0 || words[right].startsLine) return true;
    if (isHesitation(words[left].text) || isHesitation(words[right].text)) return true;
    return words[right].span.start - words[left].span.end >= setOffSeconds;
}

bool isSetOff(const std::vector<Word>& words, size_t first, size_t last) {
    bool before = first == 0 || apart(words, first - 1, first);
    bool after = last + 1 == words.size() || apart(words, last, last + 1);
    bool again = (first > 0 && words[first - 1].text == words[last].text) ||
        (last + 1 < words.size() && words[last + 1].text == words[first].text);
    return (before && after) || (again && first == last);
}

}  // namespace

std::vector<Filler> findFillers(const std::vector<Word>& words) {
    std::vector<Filler> found;
    for (size_t at = 0; at < words.size(); ++at) {
        for (size_t name = 0; name < fillerNames.size(); ++name) {
            std::string pair = at > 0 ? words[at - 1].text + " " + words[at].text : "";
            bool single = words[at].text == fillerNames[name];
            if (!single && pair != fillerNames[name]) continue;
            size_t first = single ? at : at - 1;
            if (!isHesitation(fillerNames[name]) && !isSetOff(words, first, at)) continue;
            found.push_back({name, {words[first].span.start, words[at].span.end}});
        }
    }
    return found;
}

std::array<int, fillerNames.size()> countFillers(const std::vector<Filler>& fillers) {
    std::array<int, fillerNames.size()> counts{};
    for (const Filler& filler : fillers) ++counts[filler.name];
    return counts;
}

bool isHesitant(const std::vector<Word>& words, const Span& pause) {
    // Words that lead on to another one.
    static const std::set<std::string> open{"a", "an", "the", "and", "but", "or", "of", "to", "in", "on", "at", "for", "with",
        "from", "by", "my", "your", "our", "their", "his", "its", "is", "are", "was", "were", "be", "been", "i", "we", "they", "very",
        "as", "because", "if", "that", "which", "who", "not", "um", "uh"};
    size_t before = words.size();
    for (size_t at = 0; at < words.size() && words[at].span.start < pause.start; ++at) before = at;
    if (before + 1 >= words.size()) return false;
    if (open.count(words[before].text) != 0) return true;
    return words[before].mark == 0 && !words[before + 1].startsLine;
}

}  // namespace mirrormate
