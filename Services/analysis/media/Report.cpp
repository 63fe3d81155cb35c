#include "Report.hpp"

#include <cmath>

#include "Base64.hpp"
#include "Extract.hpp"
#include "Json.hpp"
#include "Measures.hpp"
#include "Moonshine.hpp"
#include "Sphinx.hpp"

namespace mirrormate {

namespace {

constexpr const char* moonshineModel = "tiny-en 0.0.73";
constexpr const char* sphinxModel = "en-us 0.8";

void writeEngines(Json& json, const std::string& recognizer, const std::string& model, bool aligned, const std::string& ffmpeg) {
    json.field("asr", recognizer);
    json.field("model", !model.empty() ? model : recognizer == "moonshine" ? moonshineModel : recognizer == "pocketsphinx" ? sphinxModel : "");
    json.field("aligner", recognizer == "none" ? "none" : aligned ? "pocketsphinx 0.8" : "estimated");
    json.field("face", "dlib-hog " + FaceDetector::version());
    json.field("ffmpeg", ffmpeg);
    json.field("thresholds", thresholdsVersion);
}

void writeSpan(Json& json, const Span& span) {
    json.key("start").number(span.start, 2).key("end").number(span.end, 2);
}

void writeTranscript(Json& json, const Findings& findings, const Rules& rules) {
    json.key("transcript").object().field("text", findings.speech.text).key("words").array();
    for (const Word& word : findings.speech.words) {
        json.object().field("w", word.text);
        writeSpan(json, word.span);
        json.endObject();
    }
    json.endArray().field("lowConfidence", rules.lowTranscript()).endObject();
}

void writeMeasures(Json& json, const Rules& rules) {
    json.key("measures").object();
    for (const Measure& measure : rules.measures()) {
        json.key(measure.name).object().key("value");
        if (measure.valid()) {
            json.number(measure.value, measure.decimals);
        } else {
            json.null();
        }
        json.field("unit", measure.unit).field("source", measure.source).field("valid", measure.valid());
        json.field("direction", measure.direction()).field("version", measure.version());
        if (!measure.valid()) json.field("reason", measure.reason);
        if (measure.valid() && measure.lowConfidence) json.field("lowConfidence", true);
        json.endObject();
    }
    json.endObject();
}

void writeFillers(Json& json, const Findings& findings, const Rules& rules) {
    std::string problem = rules.fillerProblem();
    json.key("fillers");
    if (problem.empty()) {
        std::vector<Filler> found = findFillers(findings.speech.words);
        auto counts = countFillers(found);
        json.object();
        for (size_t at = 0; at < counts.size(); ++at) json.field(fillerNames[at], counts[at]);
        json.endObject().key("fillerTimes").array();
        for (const Filler& filler : found) {
            json.object().field("word", fillerNames[filler.name]);
            writeSpan(json, filler.span);
            json.endObject();
        }
        json.endArray();
    } else {
        json.null().field("fillersReason", problem);
    }
    json.field("fillersAtLeast", true);
}

void writeTimes(Json& json, const Findings& findings, const Rules& rules) {
    json.key("toneTimeline").array();
    for (const EnergyPoint& point : energyTimeline(findings.intensity, findings.duration)) {
        json.object().key("t").number(point.time, 0).key("energy");
        if (point.valid && rules.hasSpeech()) {
            json.number(point.energy, 2);
        } else {
            json.null();
        }
        json.endObject();
    }
    json.endArray().key("pauses").array();
    if (rules.pauseProblem().empty()) {
        for (const Span& pause : rules.pauses()) {
            json.object();
            writeSpan(json, pause);
            json.field("kind", isHesitant(findings.speech.words, pause) ? "hesitant" : "strategic").endObject();
        }
    }
    json.endArray();
    // The melody over time, where its range can be told.
    json.key("melody");
    if (rules.pitchProblem().empty()) {
        json.object().key("stepSec").number(Pitch::melodyStep, 1).key("semitones").array();
        for (double semitones : findings.pitch.melody) json.number(semitones, 1);
        json.endArray().endObject();
    } else {
        json.null();
    }
}

}  // namespace

std::string report(const Findings& findings) {
    const Probe& probe = findings.probe;
    Rules rules(findings);
    Json json;
    json.object().key("result").object();
    json.field("durationMs", std::lround(findings.duration * 1000));
    json.key("video").object().field("width", probe.width).field("height", probe.height);
    json.field("codec", probe.videoCodec).field("rotation", probe.rotation);
    json.key("fps").number(probe.framesPerSecond, 2).endObject();
    // An empty sound track is a microphone that failed; no track at all is a recording that was never to have sound.
    json.field("soundPromised", probe.hasAudio);
    json.key("engines").object();
    writeEngines(json, findings.speech.engine, findings.speech.model, findings.speech.aligned, probe.ffmpegVersion);
    json.endObject();
    writeTranscript(json, findings, rules);
    writeMeasures(json, rules);
    writeFillers(json, findings, rules);
    writeTimes(json, findings, rules);
    json.key("warnings").array();
    for (const std::string& code : rules.warnings()) json.text(code);
    json.endArray().endObject().endObject();
    return json.document();
}

std::string extractLine(const std::string& ogg) {
    Json json;
    json.object().key("result").object().key("ogg");
    if (ogg.empty()) {
        json.null();
    } else {
        json.text(base64(ogg));
    }
    json.field("durationMs", oggMilliseconds(ogg)).endObject().endObject();
    return json.document();
}

std::string engines(const std::string& models) {
    bool words = Moonshine(models).ready();
    bool aligner = Sphinx(sphinxModels(), Sphinx::Role::aligner).ready();
    bool rough = !words && Sphinx(sphinxModels(), Sphinx::Role::recognizer).ready();
    Json json;
    json.object();
    writeEngines(json, words ? "moonshine" : rough ? "pocketsphinx" : "none", "", aligner, installedDecoder());
    return json.endObject().document();
}

}  // namespace mirrormate
