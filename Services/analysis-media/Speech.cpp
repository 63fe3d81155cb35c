#include "Speech.hpp"

#include "Moonshine.hpp"
#include "Sphinx.hpp"

namespace mirrormate {

namespace {

std::string trimmed(const std::string& text) {
    size_t first = text.find_first_not_of(" \t\r\n"), last = text.find_last_not_of(" \t\r\n");
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

void align(Speech& speech, const std::vector<int16_t>& samples, const std::vector<Line>& lines) {
    Sphinx aligner(sphinxModels(), Sphinx::Role::aligner);
    double sum = 0;
    size_t scored = 0;
    for (const Line& line : lines) {
        std::string text = trimmed(line.text);
        if (text.empty()) continue;
        speech.text += (speech.text.empty() ? "" : " ") + text;
        double score = 0;
        if (aligner.ready() && aligner.align(samples, line, speech.words, score)) {
            sum += score;
            scored += score < 0;
        } else {
            if (!aligner.ready()) spread(line, speech.words);
            speech.aligned = false;
        }
    }
    if (scored > 0) speech.score = sum / (double)scored;
    // Lines overlap by up to 0.2 s.
    for (size_t at = 1; at < speech.words.size(); ++at) {
        Span& now = speech.words[at].span;
        now.start = std::max(now.start, speech.words[at - 1].span.start);
        now.end = std::max(now.end, now.start);
    }
}

}  // namespace

Speech recognise(const std::vector<int16_t>& samples, const Intensity& intensity, const std::string& models) {
    Speech speech;
    {
        Moonshine moonshine(models);
        bool failed = false;
        if (moonshine.ready()) {
            std::vector<Line> lines = moonshine.transcribe(samples, failed);
            if (!failed) {
                speech.engine = "moonshine";
                align(speech, samples, lines);
                return speech;
            }
        }
    }
    Sphinx recogniser(sphinxModels(), Sphinx::Role::recogniser);
    if (!recogniser.ready()) return speech;
    speech.engine = "pocketsphinx";
    // It hears words in silence and noise, so it is only asked where a voice may be.
    if (intensity.speechSeconds < 1 || intensity.noiseDistance < 12) return speech;
    speech.words = recogniser.recognise(samples);
    for (const Word& word : speech.words) speech.text += (speech.text.empty() ? "" : " ") + word.text;
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
