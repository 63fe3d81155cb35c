#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "Fit.hpp"
#include "Words.hpp"

struct ps_decoder_s;

namespace mirrormate {

/// The folder of the English acoustic model and dictionary of the pocketsphinx package.
std::string sphinxModels();

/// pocketsphinx in one of two roles; not thread-safe.
class Sphinx {
public:
    enum class Role {
        /// Finds the times of known words.
        aligner,
        /// Recognizes words by itself. Rough: at best a quarter of the words are wrong.
        recognizer,
    };

    Sphinx(const std::string& models, Role role);
    ~Sphinx();
    Sphinx(const Sphinx&) = delete;
    Sphinx& operator=(const Sphinx&) = delete;

    bool ready() const { return decoder != nullptr; }

    /// Finds the times of the words of a line, and how well they fit.
    /// If no path fits, returns false, counts the whole line as unfitted, and spreads the words over it by their length.
    bool align(const std::vector<int16_t>& samples, const Line& line, std::vector<Word>& words, Fit& fit);

    /// Recognizes a piece of the recording.
    std::vector<Word> recognize(const std::vector<int16_t>& samples, const Span& piece);

private:
    std::vector<Word> heard(double offset, Fit* fit) const;
    /// Words that the dictionary did not have before they were added.
    std::set<std::string> unknown;
    ps_decoder_s* decoder = nullptr;
    void* configuration = nullptr;
};

}  // namespace mirrormate
