#include "Moonshine.hpp"

#include <cmath>
#include <dlfcn.h>

namespace mirrormate {

namespace {

// The C interface of moonshine-voice 0.0.73, header version 20000. Other versions lay out these structures
// differently; the sizes are checked below so that a change of compiler or target cannot go unnoticed.
constexpr int32_t headerVersion = 20000;
constexpr uint32_t tinyArchitecture = 0;

struct Option {
    const char* name;
    const char* value;
};

struct TimedWord {
    const char* text;
    float start, end, confidence;
};

struct TranscriptLine {
    const char* text;
    const float* audio;
    size_t audioCount;
    float start, duration;
    uint64_t identifier;
    int8_t complete, updated, isNew, textChanged, speakersChanged;
    const void* spans;
    uint64_t spanCount;
    uint32_t latencyMilliseconds;
    const TimedWord* words;
    uint64_t wordCount;
};

struct Transcript {
    TranscriptLine* lines;
    uint64_t lineCount;
};

static_assert(sizeof(Option) == 16 && sizeof(TimedWord) == 24 && sizeof(TranscriptLine) == 88 &&
    sizeof(Transcript) == 16, "the layout of moonshine-voice 0.0.73");

}  // namespace

struct Moonshine::Functions {
    int32_t (*load)(const char*, uint32_t, const Option*, uint64_t, int32_t);
    int32_t (*transcribe)(int32_t, float*, uint64_t, int32_t, uint32_t, Transcript**);
    void (*release)(int32_t);
};

Moonshine::Moonshine(const std::string& models) {
    std::string folder = models + "/moonshine_voice";
    library = dlopen((folder + "/libmoonshine.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    functions = new Functions();
    functions->load = (decltype(functions->load))dlsym(library, "moonshine_load_transcriber_from_files");
    functions->transcribe =
        (decltype(functions->transcribe))dlsym(library, "moonshine_transcribe_without_streaming");
    functions->release = (decltype(functions->release))dlsym(library, "moonshine_free_transcriber");
    if (!functions->load || !functions->transcribe || !functions->release) return;
    std::string model = folder + "/assets/tiny-en";
    transcriber = functions->load(model.c_str(), tinyArchitecture, nullptr, 0, headerVersion);
}

Moonshine::~Moonshine() {
    if (transcriber >= 0) functions->release(transcriber);
    delete functions;
    // The library stays loaded: its thread pools do not survive unloading.
}

std::vector<Line> Moonshine::transcribe(const std::vector<int16_t>& samples, bool& failed) {
    std::vector<Line> lines;
    std::vector<float> signal(samples.size());
    for (size_t index = 0; index < samples.size(); ++index) signal[index] = (float)samples[index] / 32768.0f;
    Transcript* transcript = nullptr;
    failed = functions->transcribe(transcriber, signal.data(), signal.size(), 16000, 0, &transcript) != 0;
    if (failed || !transcript) return lines;
    for (uint64_t index = 0; index < transcript->lineCount; ++index) {
        const TranscriptLine& line = transcript->lines[index];
        if (!line.text || !std::isfinite(line.start) || !std::isfinite(line.duration)) continue;
        lines.push_back({line.text, {line.start, line.start + line.duration}});
    }
    return lines;
}

}  // namespace mirrormate
