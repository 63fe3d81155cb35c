#pragma once
#include <string>
#include <vector>

#include "Analysis.hpp"

namespace mirrormate {

/// Raised whenever a threshold, formula or engine setting changes a figure, so that old and new are not compared.
constexpr const char* thresholdsVersion = "3";

/// One figure of the report and how reliable it is.
struct Measure {
    const char* name;
    const char* unit;
    /// "measured" from the signal, or "model" if it is based on recognized words.
    const char* source;
    double value = 0;
    int decimals = 0;
    /// Empty if the value is valid; otherwise the code of the rule that it fails.
    std::string reason;
    /// To be used with care: from the rough recognizer, a noisy recording or an unvalidated formula.
    bool lowConfidence = false;

    bool valid() const { return reason.empty(); }
    /// "higher" or "lower" is better, "within" a range is, or "none": it describes only.
    const char* direction() const;
    /// Of the measure's own definition, from 1; `thresholdsVersion` rises with any of them.
    int version() const;
};

/// The validity rules over the findings of one video. Codes of reasons:
/// no-audio, no-speech, engine-missing, too-few-words, too-little-speech, too-noisy, noise-unknown, no-pauses,
/// too-quiet, too-short, too-dark, too-few-samples, words-do-not-fit, no-face, face-too-small, slow-sampling, not-measured.
class Rules {
public:
    explicit Rules(const Findings& findings);

    std::vector<Measure> measures() const;
    /// The pauses that count: found by energy and, in a noisy recording, only those between words.
    const std::vector<Span>& pauses() const { return acceptedPauses; }
    /// Why pauses are not valid here; empty if they are.
    std::string pauseProblem() const;
    /// Why the pitch is not valid here; empty if it is.
    std::string pitchProblem() const;
    /// Few words, noise or the rough recognizer.
    bool lowTranscript() const;
    /// Why filler counts are not valid here; empty if they are.
    std::string fillerProblem() const;
    std::vector<std::string> warnings() const;
    bool hasSpeech() const { return findings.speech.words.size() > 0; }

private:
    std::string speechProblem() const;
    std::string noiseProblem(double least) const;
    std::string faceProblem() const;
    void addVoice(std::vector<Measure>& list) const;
    void addLooks(std::vector<Measure>& list) const;

    const Findings& findings;
    std::vector<Span> acceptedPauses;
};

}  // namespace mirrormate
