#include "Sphinx.hpp"

#include <cmath>
#include <cstdlib>
#include <unistd.h>

#include <pocketsphinx.h>
#include <sphinxbase/err.h>

namespace mirrormate {

namespace {

constexpr double rate = 16000;
constexpr double margin = 0.1;

/// Decodes one utterance; returns whether there is a result.
bool decode(ps_decoder_t* decoder, const int16_t* samples, size_t count) {
    ps_start_stream(decoder);
    if (ps_start_utt(decoder) < 0) return false;
    // A full utterance at once, so that the cepstral mean covers the whole piece.
    ps_process_raw(decoder, samples, count, FALSE, TRUE);
    ps_end_utt(decoder);
    int32 score = 0;
    return ps_get_hyp(decoder, &score) != nullptr;
}

}  // namespace

std::string sphinxModels() {
    const char* folder = getenv("MIRRORMATE_SPHINX_MODELS");
    return folder && *folder ? folder : "/usr/share/pocketsphinx/model/en-us";
}

Sphinx::Sphinx(const std::string& models, Role role) {
    // Otherwise it logs megabytes, including recognized words.
    err_set_logfp(nullptr);
    std::string acoustic = models + "/en-us", dictionary = models + "/cmudict-en-us.dict";
    std::string language = models + "/en-us.lm.bin";
    bool recognizer = role == Role::recognizer;
    if (access(acoustic.c_str(), R_OK) != 0 || access(dictionary.c_str(), R_OK) != 0) return;
    if (recognizer && access(language.c_str(), R_OK) != 0) return;
    cmd_ln_t* settings = cmd_ln_init(nullptr, ps_args(), TRUE, "-hmm", acoustic.c_str(), "-dict", dictionary.c_str(),
        recognizer ? "-lm" : nullptr, language.c_str(), nullptr);
    if (!settings) return;
    configuration = settings;
    // Removed silence would not count as time and shift all later words.
    cmd_ln_set_boolean_r(settings, "-remove_silence", FALSE);
    if (recognizer) {
        cmd_ln_set_boolean_r(settings, "-bestpath", FALSE);
    } else {
        cmd_ln_set_float64_r(settings, "-beam", 1e-80);
        cmd_ln_set_float64_r(settings, "-pbeam", 1e-80);
        cmd_ln_set_float64_r(settings, "-wbeam", 1e-60);
    }
    decoder = ps_init(settings);
}

Sphinx::~Sphinx() {
    if (decoder) ps_free(decoder);
    if (configuration) cmd_ln_free_r((cmd_ln_t*)configuration);
}

std::vector<Word> Sphinx::heard(double offset, Fit* fit) const {
    std::vector<Word> words;
    Fit found;
    for (ps_seg_t* segment = ps_seg_iter(decoder); segment; segment = ps_seg_next(segment)) {
        std::string text = ps_seg_word(segment);
        if (text.empty() || text[0] == '<' || text[0] == '[' || text[0] == '(' || text[0] == '+') continue;
        int first = 0, last = 0;
        ps_seg_frames(segment, &first, &last);
        int32 acoustic = 0, language = 0, backoff = 0;
        ps_seg_prob(segment, &acoustic, &language, &backoff);
        text = text.substr(0, text.find('('));
        found.total += acoustic;
        found.frames += last - first + 1;
        found.addLength(text, last - first + 1);
        words.push_back({text, {offset + first / 100.0, offset + (last + 1) / 100.0}});
    }
    if (fit) *fit = found;
    return words;
}

bool Sphinx::align(
    const std::vector<int16_t>& samples, const Line& line, std::vector<Word>& words, Fit& fit) {
    std::vector<std::string> texts = spokenWords(line.text);
    if (texts.empty()) return true;
    size_t before = words.size();
    double length = (double)samples.size() / rate;
    double start = std::clamp(line.span.start - margin, 0.0, length);
    double end = std::clamp(line.span.end + margin, start, length);
    std::string grammar = "#JSGF V1.0; grammar g; public <u> =";
    double missing = 0;
    for (const std::string& text : texts) {
        grammar += " " + text;
        if (char* known = ps_lookup_word(decoder, text.c_str())) {
            free(known);
            missing += (double)unknown.count(text);
            continue;
        }
        ++missing;
        unknown.insert(text);
        std::string phones = crudePronunciation(text);
        ps_add_word(decoder, text.c_str(), phones.empty() ? "SIL" : phones.c_str(), TRUE);
    }
    grammar += " ;";
    bool fits = end > start && ps_set_jsgf_string(decoder, "al", grammar.c_str()) >= 0 &&
        ps_set_search(decoder, "al") >= 0;
    std::vector<Word> found;
    if (fits && decode(decoder, samples.data() + (size_t)(start * rate), (size_t)((end - start) * rate)))
        found = heard(start, &fit);
    bool complete = found.size() == texts.size();
    if (complete) {
        words.insert(words.end(), found.begin(), found.end());
        words[before].startsLine = true;
    } else {
        spread(line, words);
        fit = Fit();
        fit.unfitted = (end - start) * 100;
    }
    fit.words = (double)texts.size();
    fit.unknown = missing;
    return complete;
}

std::vector<Word> Sphinx::recognize(const std::vector<int16_t>& samples, const Span& piece) {
    std::vector<Word> result;
    size_t first = std::min((size_t)(piece.start * rate), samples.size());
    size_t last = std::min((size_t)(piece.end * rate), samples.size());
    if (last <= first || !decode(decoder, samples.data() + first, last - first)) return result;
    for (const Word& word : heard(piece.start, nullptr)) {
        // The dictionary has entries with periods and digits.
        std::vector<std::string> texts = spokenWords(word.text);
        if (texts.size() == 1) result.push_back({texts[0], word.span, false});
    }
    return result;
}

}  // namespace mirrormate
