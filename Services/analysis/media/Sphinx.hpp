#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "Words.hpp"

struct ps_decoder_s;

namespace mirrormate {

/// Where the English acoustic model and dictionary of the pocketsphinx package lie.
std::string sphinxModels();

/// pocketsphinx in one of two roles; not for use by several threads.
class Sphinx {
public:
    enum class Role {
        /// Finds the times of words that are known already.
        aligner,
        /// Recognises words by itself. Rough: a quarter of the words is wrong at best.
        recogniser,
    };

    Sphinx(const std::string& models, Role role);
    ~Sphinx();
    Sphinx(const Sphinx&) = delete;
    Sphinx& operator=(const Sphinx&) = delete;

    bool ready() const { return decoder != nullptr; }

    /// Gives the words of the line with their times, and the mean acoustic score per frame.
    /// When no path fits, gives false and spreads the words over the line by their length.
    bool align(const std::vector<int16_t>& samples, const Line& line, std::vector<Word>& words, double& score);

    /// Recognises a piece of the recording.
    std::vector<Word> recognise(const std::vector<int16_t>& samples, const Span& piece);

private:
    std::vector<Word> heard(double offset, double* score) const;
    ps_decoder_s* decoder = nullptr;
    void* configuration = nullptr;
};

}  // namespace mirrormate
