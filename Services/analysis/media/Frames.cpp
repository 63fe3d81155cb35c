#include "Frames.hpp"

#include <algorithm>
#include <cmath>

#include "Base64.hpp"
#include "Cut.hpp"
#include "Decode.hpp"
#include "Json.hpp"
#include "Limits.hpp"

namespace mirrormate {

namespace {

constexpr size_t mostFrames = 8;
constexpr size_t mostBytes = 96 * 1024;
/// Of pictures that are all noise, the first quality is too much.
constexpr int qualities[] = {6, 16, 31};

/// The middle one of each of as many equal stretches as there are frames.
std::vector<Frame> spread(const std::vector<std::string>& pictures, double rate) {
    std::vector<Frame> frames;
    const size_t count = std::min(mostFrames, pictures.size());
    for (size_t number = 0; number < count; ++number) {
        const size_t index = (2 * number + 1) * pictures.size() / (2 * count);
        frames.push_back({std::lround(1000 * (double)index / rate), pictures[index]});
    }
    return frames;
}

bool areSmall(const std::vector<Frame>& frames) {
    return std::all_of(frames.begin(), frames.end(), [](const Frame& frame) { return frame.jpeg.size() <= mostBytes; });
}

}  // namespace

std::vector<Frame> takeFrames(const std::string& file, double maximumSeconds) {
    Probe found = probe(file, maximumSeconds);
    // Nobody is shown a part of a recording.
    if (isCutOff(file)) throw endsEarly();
    setClock(30 + (found.duration >= 0 ? found.duration : maximumSeconds));
    // Of a length that is not told, one each second.
    const double rate = found.duration > 0 ? 2 * (double)mostFrames / found.duration : 1;
    for (int quality : qualities) {
        std::vector<Frame> frames = spread(encodePictures(file, found, maximumSeconds, rate, quality), rate);
        if (!frames.empty() && areSmall(frames)) return frames;
    }
    throw Failure{"unreadable", "The video has no pictures that can be made small. Record or upload it again.", false};
}

std::string framesLine(const std::vector<Frame>& frames) {
    Json json;
    json.object().key("result").object().key("frames").array();
    for (const Frame& frame : frames) json.object().field("atMs", frame.milliseconds).field("jpeg", base64(frame.jpeg)).endObject();
    json.endArray().endObject().endObject();
    return json.document();
}

}  // namespace mirrormate
