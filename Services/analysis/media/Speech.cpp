#include "Speech.hpp"

#include "Decode.hpp"
#include "Limits.hpp"
#include "Moonshine.hpp"
#include "Sphinx.hpp"

namespace mirrormate {

namespace {

std::string trimmed(const std::string& text) {
    size_t first = text.find_first_not_of(" \t\r\n"), last = text.find_last_not_of(" \t\r\n");
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

/// Lines may overlap where the recognizer split speech, and then the second line begins with repeated or invented words.
/// Nobody says two words at once: drops leading words whose middle is in the previous line. Returns how many.
size_t dropSpokenAlready(std::vector<Word>& words, size_t first) {
    if (first == 0 || first >= words.size()) return 0;
    double spokenUntil = words[first - 1].span.end;
    size_t end = first;
    while (end < words.size() && (words[end].span.start + words[end].span.end) / 2 < spokenUntil) ++end;
    words.erase(words.begin() + (long)first, words.begin() + (long)end);
    if (first < words.size()) {
        words[first].startsLine = true;
        Span& next = words[first].span;
        next.start = std::min(std::max(next.start, spokenUntil), next.end);
    }
    return end - first;
}

/// The text without its first `count` spoken words.
std::string withoutWords(const std::string& text, size_t count) {
    size_t at = 0;
    while (count > 0 && at < text.size()) {
        size_t end = std::min(text.find(' ', at), text.size());
        size_t held = spokenWords(text.substr(at, end - at)).size();
        if (held > count) break;
        count -= held;
        at = std::min(end + 1, text.size());
    }
    return text.substr(at);
}

/// The first words of a line that were found before the end of the line before it begin no earlier than what is there already.
void keepOrder(std::vector<Word>& words, size_t first) {
    for (size_t at = std::max<size_t>(first, 1); at < words.size(); ++at) {
        Span& span = words[at].span;
        span.start = std::max(span.start, words[at - 1].span.start);
        span.end = std::max(span.end, span.start);
    }
}

/// Finds the times of the words of all lines; `overlap` says that lines may hold the same words twice.
void align(Speech& speech, const std::vector<int16_t>& samples, const std::vector<Line>& lines, bool overlap) {
    Sphinx aligner(sphinxModels(), Sphinx::Role::aligner);
    double sum = 0;
    size_t scored = 0;
    Fit whole;
    for (const Line& line : lines) {
        size_t before = speech.words.size();
        Fit fit;
        if (aligner.ready() && aligner.align(samples, line, speech.words, fit)) {
            sum += fit.score();
            scored += fit.score() < 0;
        } else {
            if (!aligner.ready()) spread(line, speech.words);
            speech.aligned = false;
        }
        whole.add(fit);
        std::vector<char> marks = marksBehindWords(line.text);
        for (size_t at = before; at < speech.words.size() && at - before < marks.size(); ++at)
            speech.words[at].mark = marks[at - before];
        size_t dropped = overlap ? dropSpokenAlready(speech.words, before) : 0;
        if (!overlap) keepOrder(speech.words, before);
        std::string text = withoutWords(trimmed(line.text), dropped);
        if (!text.empty()) speech.text += (speech.text.empty() ? "" : " ") + text;
    }
    if (scored > 0) speech.score = sum / (double)scored;
    if (whole.words > 0) speech.fit = whole;
}

/// The score below which a few words are taken to be the recognizer's own: English lies above -23, what is made of music
/// below -40.
constexpr double inventedScore = -32;

/// Out of music the recognizer makes a word now and then. Whoever speaks says more than a word in two seconds, and where so
/// few words do not even fit the sound, nobody has said them.
bool isInvented(const Speech& speech, const Intensity& intensity) {
    if (!speech.fit || speech.words.size() >= 10) return false;
    bool fits = speech.fit->frames > 0 && speech.fit->score() >= inventedScore;
    return !fits && 2 * (double)speech.words.size() < intensity.speechSeconds;
}

/// Pieces of 10 to 25 seconds, split in the middle of pauses if there are any.
std::vector<Span> pieces(const Intensity& intensity, double seconds) {
    std::vector<Span> result;
    double start = 0;
    auto cut = [&](double end) {
        result.push_back({start, end});
        start = end;
    };
    for (const Span& pause : intensity.pauses) {
        double middle = (pause.start + pause.end) / 2;
        while (middle - start > 25) cut(start + 25);
        if (middle - start >= 10) cut(middle);
    }
    while (seconds - start > 25) cut(start + 25);
    cut(seconds);
    return result;
}

/// The fallback recognizer. It can be as slow as real time, just when its text is worthless, so when the clock runs out
/// it is given up instead of the whole analysis; half a transcript would give wrong counts.
void recognizeRoughly(Speech& speech, const std::vector<int16_t>& samples, const Intensity& intensity) {
    Sphinx recognizer(sphinxModels(), Sphinx::Role::recognizer);
    if (!recognizer.ready()) return;
    speech.engine = "pocketsphinx";
    // It hears words in silence and noise, so it is used only where there may be a voice.
    if (intensity.speechSeconds < 1 || intensity.noiseDistance < 12) return;
    for (const Span& piece : pieces(intensity, (double)samples.size() / sampleRate)) {
        if (clockLeft() < 20 + piece.length()) {
            speech = Speech();
            return;
        }
        for (const Word& word : recognizer.recognize(samples, piece)) speech.words.push_back(word);
    }
    for (const Word& word : speech.words) speech.text += (speech.text.empty() ? "" : " ") + word.text;
}

}  // namespace

Speech recognize(const std::vector<int16_t>& samples, const Intensity& intensity, const std::string& models, const Heard* heard) {
    Speech speech;
    if (samples.empty()) return speech;
    if (heard) {
        Speech none;
        none.engine = speech.engine = heard->engine;
        none.model = speech.model = heard->model;
        align(speech, samples, heard->lines, false);
        return isInvented(speech, intensity) ? none : speech;
    }
    {
        Moonshine moonshine(models);
        bool failed = false;
        if (moonshine.ready()) {
            std::vector<Line> lines = moonshine.transcribe(samples, failed);
            if (!failed) {
                speech.engine = "moonshine";
                align(speech, samples, lines, true);
                if (!isInvented(speech, intensity)) return speech;
                Speech none;
                none.engine = speech.engine;
                return none;
            }
        }
    }
    recognizeRoughly(speech, samples, intensity);
    return speech;
}

std::vector<Span> wordGaps(const std::vector<Word>& words) {
    std::vector<Span> gaps;
    for (size_t at = 1; at < words.size(); ++at) {
        Span gap{words[at - 1].span.end, words[at].span.start};
        if (gap.length() >= 0.25) gaps.push_back(gap);
    }
    return gaps;
}

}  // namespace mirrormate
