#include "Measures.hpp"

#include <cmath>
#include <map>
#include <set>

#include "Formulas.hpp"

namespace mirrormate {

namespace {

/// Percent of the samples: below, nothing about a face is known.
constexpr double leastPresence = 10;
constexpr double pauseNoise = 24, pauseNoiseWithWords = 16;

Measure figure(const char* name, const char* unit, const char* source, double value, int decimals,
    const std::string& reason, bool low = false) {
    return {name, unit, source, value, decimals, reason, low};
}

/// The first rule that fails.
std::string first(std::initializer_list<std::string> reasons) {
    for (const std::string& reason : reasons)
        if (!reason.empty()) return reason;
    return "";
}

/// Percent of the samples that show the same as the one before: a screen, slides, a wall.
constexpr double mostlyStill = 60;

bool isStill(const Looks& looks) { return looks.pairs >= 20 && looks.still >= mostlyStill; }

std::string unless(bool holds, const char* reason) { return holds ? "" : reason; }

}  // namespace

Rules::Rules(const Findings& findings) : findings(findings) {
    std::vector<Span> gaps = wordGaps(findings.speech.words);
    bool alone = findings.intensity.noiseDistance >= pauseNoise;
    for (const Span& pause : findings.intensity.pauses) {
        double shared = 0;
        for (const Span& gap : gaps) shared += gap.overlap(pause);
        if (alone || shared >= 0.5 * pause.length()) acceptedPauses.push_back(pause);
    }
}

std::string Rules::speechProblem() const {
    if (findings.sound.samples.empty()) return "no-audio";
    if (!hasSpeech()) return findings.speech.engine == "none" ? "engine-missing" : "no-speech";
    return "";
}

std::string Rules::noiseProblem(double least) const {
    if (findings.intensity.noiseDistance >= least) return "";
    // Without pauses the quiet end of the signal is speech, not noise: the true distance is larger than this one.
    return findings.intensity.pauseShare < 0.05 ? "noise-unknown" : "too-noisy";
}

std::string Rules::pauseProblem() const { return first({speechProblem(), noiseProblem(pauseNoiseWithWords)}); }

bool Rules::lowTranscript() const {
    return findings.speech.words.size() < 10 || findings.speech.rough() || !noiseProblem(16).empty();
}

std::string Rules::fillerProblem() const {
    return first({speechProblem(), unless(findings.speech.words.size() >= 10, "too-few-words"), noiseProblem(16)});
}

std::string Rules::pitchProblem() const {
    return first({speechProblem(), unless(findings.pitch.voicedSeconds >= 5, "too-little-speech"), noiseProblem(15)});
}

std::vector<Measure> Rules::measures() const {
    std::vector<Measure> list;
    addVoice(list);
    addLooks(list);
    return list;
}

void Rules::addVoice(std::vector<Measure>& list) const {
    const std::vector<Word>& words = findings.speech.words;
    const Intensity& sound = findings.intensity;
    const std::string speech = speechProblem(), pause = pauseProblem();
    const std::string audio = unless(!findings.sound.samples.empty(), "no-audio");
    const bool low = lowTranscript();
    double count = (double)words.size();
    double span = words.empty() ? 0 : words.back().span.end - words.front().span.start;
    std::string fewWords = unless(words.size() >= 20, "too-few-words");
    list.push_back(figure("paceWordsPerMin", "words/min", "model", span > 0 ? count / span * 60 : 0, 0,
        first({speech, fewWords, unless(span >= 10, "too-little-speech")}), low));
    list.push_back(figure("wordCount", "words", "model", count, 0, speech, low));

    double total = 0, longest = 0, pauses = (double)acceptedPauses.size();
    for (const Span& silence : acceptedPauses) {
        total += silence.length();
        longest = std::max(longest, silence.length());
    }
    double hesitant = 0;
    for (const Span& silence : acceptedPauses) hesitant += isHesitant(words, silence);
    std::string noPauses = unless(pauses > 0, "no-pauses");
    list.push_back(figure("pauseCount", "pauses", "measured", pauses, 0, pause));
    list.push_back(figure("pauseMeanSeconds", "s", "measured", pauses > 0 ? total / pauses : 0, 2,
        first({pause, noPauses})));
    list.push_back(figure("pauseLongestSeconds", "s", "measured", longest, 2, first({pause, noPauses})));

    list.push_back(figure("hesitantPauseCount", "pauses", "model", hesitant, 0, pause, true));
    list.push_back(figure("strategicPauseCount", "pauses", "model", pauses - hesitant, 0, pause, true));
    double speaking = span - total;
    list.push_back(figure("articulationWordsPerMin", "words/min without pauses", "model",
        speaking > 0 ? count / speaking * 60 : 0, 0,
        first({pause, fewWords, unless(span >= 10, "too-little-speech")}), low));

    const std::string pitch = pitchProblem();
    list.push_back(figure("pitchMedianHz", "Hz", "measured", findings.pitch.medianHertz, 1, pitch));
    list.push_back(figure("pitchRangeSemitones", "semitones", "measured", findings.pitch.rangeSemitones, 1, pitch));
    list.push_back(figure("tonalVariety", "0-1", "measured", tonalVariety(findings.pitch.rangeSemitones), 2, pitch));

    std::string loud = first({audio, unless(findings.sound.seconds() >= 3, "too-short"),
        unless(findings.sound.loudness > -70, "too-quiet")});
    list.push_back(figure("loudnessLufs", "LUFS", "measured", findings.sound.loudness, 1, loud));
    list.push_back(figure("truePeakDbfs", "dBFS", "measured", findings.sound.truePeak, 1, loud));
    std::string tenSeconds = unless(sound.speechSeconds >= 10, "too-little-speech");
    list.push_back(figure("volumeConsistency", "0-1", "measured", volumeConsistency(findings.volumeDeviation), 2,
        first({speech, tenSeconds})));
    std::string scored = unless(findings.speech.score.has_value() && !findings.speech.rough(), "engine-missing");
    list.push_back(figure("clarity", "0-1", "model", clarity(sound.noiseDistance, findings.speech.score.value_or(0)), 2,
        first({speech, fewWords, noiseProblem(-1), scored})));
    const Fit fit = findings.speech.fit.value_or(Fit());
    std::string fitted = first({speech, fewWords, unless(findings.speech.fit.has_value(), "engine-missing")});
    std::string heard = first({fitted, unless(fit.frames > 0, "words-do-not-fit")});
    list.push_back(figure("wordFit", "acoustic score per 10 ms", "model", fit.score(), 1, heard));
    list.push_back(figure("wordLengthSpread", "standard deviation of ln(length / expected length)", "model", fit.spread(), 2,
        heard));
    list.push_back(figure("unfittedPct", "% of the spoken time", "model", 100 * fit.unfittedShare(), 0, fitted));
    list.push_back(figure("unknownWordPct", "% of words", "model", 100 * fit.unknownShare(), 1, fitted));
    list.push_back(figure("clippedPct", "% of samples", "measured", 100 * findings.clippedShare, 2, loud));
    list.push_back(figure("soundQuality", "0-1", "measured",
        soundQuality(sound.noiseDistance, findings.sound.loudness, findings.clippedShare), 2, first({speech, loud}),
        sound.pauseShare < 0.05));
    list.push_back(figure("snrProxyDb", "dB", "measured", sound.noiseDistance, 1, first({speech, noiseProblem(-1)})));
    list.push_back(figure("pauseEffectiveness", "0-1", "measured",
        pauseEffectiveness(acceptedPauses, sound.extent.length()), 2, first({pause, tenSeconds}), true));
}

std::string Rules::faceProblem() const {
    const Looks& looks = findings.looks;
    bool dark = looks.meanLuma < darkLuma;
    return first({unless(looks.samples >= (looks.enlarged ? 10 : 20), "too-few-samples"),
        // A face that was found in the dark can be judged; one that was not may be there.
        unless(looks.presence >= leastPresence || !dark, "too-dark"), unless(looks.presence >= leastPresence, "no-face")});
}

void Rules::addLooks(std::vector<Measure>& list) const {
    const Looks& looks = findings.looks;
    const std::string seen = faceProblem();
    std::string sampled = first({unless(looks.samples >= 20 || looks.enlarged, "too-few-samples"),
        unless(looks.meanLuma >= darkLuma || looks.faceSamples > 0, "too-dark")});
    std::string large = first({seen, unless(looks.faceSamples >= 20, "too-few-samples"),
        unless(looks.faceWidth >= 70, "face-too-small")});
    std::string moved = first({large, unless(looks.movement.has_value(), "slow-sampling")});
    std::string lively = first({large, unless(looks.liveliness.has_value(), "slow-sampling")});
    const bool small = looks.faceWidth < 70;
    double movement = looks.movement.value_or(0), change = looks.liveliness.value_or(0);
    list.push_back(figure("facePresencePct", "% of samples", "measured", looks.presence, 1,
        first({sampled, unless(looks.faceSamples > 0, "no-face")})));
    list.push_back(figure("cameraContactPct", "% of samples", "measured", looks.contact, 1, seen, small));
    list.push_back(figure("turnedAwayPct", "% of samples", "measured", looks.away, 1, seen, small));
    list.push_back(figure("severalFacesPct", "% of samples", "measured", looks.several, 1, seen));
    list.push_back(figure("noFacePct", "% of samples", "measured", 100 - looks.presence, 1, sampled));
    list.push_back(figure("facingCameraPct", "% of face samples", "measured", looks.facing, 1, large));
    list.push_back(figure("faceWidthPx", "px of 640", "measured", looks.faceWidth, 0, seen));
    list.push_back(figure("faceCutPct", "% of face samples", "measured", looks.cut, 1, seen));
    list.push_back(figure("faceLuma", "0-255", "measured", looks.faceLuma, 0, seen));
    list.push_back(figure("backlight", "0-255", "measured", looks.backlight, 0, seen));
    list.push_back(figure("faceSharpness", "edges", "measured", looks.faceSharpness, 1, seen));
    list.push_back(figure("pictureQuality", "0-1", "measured",
        pictureQuality(looks.faceLuma, looks.backlight, looks.faceSharpness, looks.faceWidth, looks.cut), 2, seen));
    list.push_back(figure("stillPicturePct", "% of samples", "measured", looks.still, 1,
        unless(looks.pairs >= 20, "too-few-samples")));
    list.push_back(figure("headMovement", "face widths/0.2 s", "measured", movement, 3, moved));
    list.push_back(figure("headStillness", "0-1", "measured", stillness(movement), 2, moved, true));
    list.push_back(figure("faceChange", "1 - correlation", "measured", change, 4, lively));
    list.push_back(figure("faceLiveliness", "0-1", "measured", faceLiveliness(change), 2, lively, true));
    list.push_back(figure("smileLikePct", "% of samples", "measured", 0, 0, "not-measured"));
    list.push_back(figure("meanLuma", "0-255", "measured", looks.meanLuma, 0,
        unless(looks.samples > 0, "too-few-samples")));
}

const char* Measure::direction() const {
    static const std::map<std::string, const char*> directions{
        {"paceWordsPerMin", "within"}, {"articulationWordsPerMin", "within"}, {"pauseEffectiveness", "higher"},
        {"hesitantPauseCount", "lower"}, {"pitchRangeSemitones", "higher"}, {"tonalVariety", "higher"},
        {"loudnessLufs", "within"},
        {"truePeakDbfs", "lower"}, {"volumeConsistency", "higher"}, {"clarity", "higher"},
        {"clippedPct", "lower"}, {"wordFit", "higher"}, {"wordLengthSpread", "lower"}, {"unfittedPct", "lower"},
        {"unknownWordPct", "lower"}, {"stillPicturePct", "lower"},
        {"soundQuality", "higher"}, {"snrProxyDb", "higher"}, {"facePresencePct", "higher"}, {"cameraContactPct", "higher"},
        {"turnedAwayPct", "lower"}, {"severalFacesPct", "lower"}, {"noFacePct", "lower"}, {"facingCameraPct", "higher"},
        {"faceWidthPx", "higher"}, {"faceCutPct", "lower"}, {"faceLuma", "within"}, {"backlight", "lower"},
        {"faceSharpness", "higher"}, {"pictureQuality", "higher"}, {"headMovement", "within"}, {"faceChange", "higher"},
        {"faceLiveliness", "higher"}, {"meanLuma", "within"}};
    auto found = directions.find(name);
    return found == directions.end() ? "none" : found->second;
}

int Measure::version() const {
    // Defined otherwise than in thresholds 1.
    static const std::set<std::string> second{"pauseCount", "pauseEffectiveness", "pitchRangeSemitones", "tonalVariety",
         "facePresencePct", "severalFacesPct", "faceWidthPx"};
    return second.count(name) != 0 ? 2 : 1;
}

std::vector<std::string> Rules::warnings() const {
    std::vector<std::string> list;
    auto warn = [&](bool holds, const char* code) {
        if (holds) list.push_back(code);
    };
    const Looks& looks = findings.looks;
    const bool audio = !findings.sound.samples.empty();
    const bool dark = looks.meanLuma < darkLuma || (looks.faceSamples > 0 && looks.faceLuma < 40);
    warn(findings.incomplete, "file-incomplete");
    warn(findings.errorLines > 0 && !findings.incomplete, "file-damaged");
    warn(!audio, "no-audio");
    warn(audio && !hasSpeech() && findings.speech.engine != "none", "no-speech");
    warn(findings.speech.engine == "none" && audio, "no-recogniser");
    warn(findings.speech.rough() && hasSpeech(), "rough-recogniser");
    warn(hasSpeech() && noiseProblem(16) == "too-noisy", "too-noisy");
    warn(audio && findings.sound.loudness < -35, "recording-too-quiet");
    warn(audio && findings.clippedShare > 0.01, "clipping");
    warn(dark, "too-dark");
    const bool faceless = !dark && looks.samples > 0 && looks.presence < 30;
    warn(faceless && !isStill(looks), "no-face");
    warn(faceless && isStill(looks), "still-picture");
    warn(!dark && looks.faceSamples > 0 && looks.faceSharpness < 12, "blurred");
    warn(!dark && looks.faceSamples > 0 && looks.backlight > 70, "backlight");
    warn(looks.faceSamples > 0 && looks.faceWidth < 70, "face-small");
    warn(!dark && looks.presence >= 30 && looks.presence < 80, "often-out-of-picture");
    warn(looks.several >= 10, "several-faces");
    warn(looks.faceSamples > 0 && looks.cut >= 30, "face-cut");
    return list;
}

}  // namespace mirrormate
