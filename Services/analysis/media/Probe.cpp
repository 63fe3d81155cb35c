#include "Probe.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "Allowed.hpp"
#include "Child.hpp"
#include "Output.hpp"

namespace mirrormate {

namespace {

constexpr long maximumPixels = 9'000'000;

using Fields = std::map<std::string, std::string>;

/// Parses ffprobe's flat format: one `section.name="value"` per line.
Fields parse(const std::string& text) {
    Fields fields;
    for (size_t at = 0; at < text.size();) {
        size_t end = std::min(text.find('\n', at), text.size());
        std::string line = text.substr(at, end - at);
        size_t equals = line.find('=');
        if (equals != std::string::npos) {
            std::string value = line.substr(equals + 1);
            if (value.size() >= 2 && value.front() == '"') value = value.substr(1, value.size() - 2);
            fields[line.substr(0, equals)] = value;
        }
        at = end + 1;
    }
    return fields;
}

std::string find(const Fields& fields, const std::string& name) {
    auto found = fields.find(name);
    return found == fields.end() ? "" : found->second;
}

double ratio(const std::string& text) {
    size_t slash = text.find('/');
    double over = atof(text.c_str());
    double under = slash == std::string::npos ? 1 : atof(text.c_str() + slash + 1);
    return under > 0 ? over / under : 0;
}

/// Seconds; negative if not given.
double seconds(const std::string& text) { return text.empty() || text == "N/A" ? -1 : atof(text.c_str()); }

Probe read(const Fields& fields) {
    Probe result;
    result.ffmpegVersion = find(fields, "program_version.version");
    result.duration = seconds(find(fields, "format.duration"));
    for (int index = 0; index < 64; ++index) {
        std::string stream = "streams.stream." + std::to_string(index) + ".";
        std::string type = find(fields, stream + "codec_type");
        if (type == "audio" && !result.hasAudio) {
            result.hasAudio = true;
            result.audioCodec = find(fields, stream + "codec_name");
            result.promised = std::max(result.promised, seconds(find(fields, stream + "duration")));
        }
        // ffmpeg treats a cover picture as a video stream; we do not.
        if (type != "video" || result.videoStream >= 0) continue;
        if (find(fields, stream + "disposition.attached_pic") == "1") continue;
        result.videoStream = atoi(find(fields, stream + "index").c_str());
        result.videoCodec = find(fields, stream + "codec_name");
        result.promised = std::max(result.promised, seconds(find(fields, stream + "duration")));
        result.width = atoi(find(fields, stream + "width").c_str());
        result.height = atoi(find(fields, stream + "height").c_str());
        result.framesPerSecond = ratio(find(fields, stream + "avg_frame_rate"));
        for (int side = 0; side < 4; ++side) {
            std::string name = stream + "side_data_list.side_data." + std::to_string(side) + ".rotation";
            if (!find(fields, name).empty()) result.rotation = atoi(find(fields, name).c_str());
        }
    }
    if (result.promised < 0) result.promised = result.duration;
    return result;
}

void check(const Probe& probe, double maximumSeconds) {
    if (probe.videoStream < 0)
        throw Failure{"no-video", "The file has no video track. Record a video with your camera and upload it.", false};
    if (!isAllowedVideo(probe.videoCodec) || (probe.hasAudio && !isAllowedAudio(probe.audioCodec)))
        throw unsupportedCodec();
    if ((long)probe.width * probe.height > maximumPixels)
        throw Failure{"too-large-picture",
            "The picture is larger than 9 megapixels. Record in 4K or less and upload it again.", false};
    if (probe.width <= 0 || probe.height <= 0)
        throw Failure{"unreadable", "The video track is damaged. Record it again and upload the new file.", false};
    if (probe.duration >= 0) checkDuration(probe.duration, maximumSeconds);
}

}  // namespace

Failure unsupportedCodec() {
    return {"unsupported-codec",
        "The format of its picture, its sound or another track is not supported. Save it as MP4 with H.264 or HEVC and AAC "
        "and upload it again.",
        false};
}

void checkDuration(double seconds, double maximumSeconds) {
    if (seconds > maximumSeconds) {
        std::string most = std::to_string(std::lround(maximumSeconds));
        throw Failure{"too-long", "The video is longer than " + most + " seconds. Shorten it and upload it again.",
            false};
    }
    if (seconds < minimumSeconds)
        throw Failure{"too-short", "The video is shorter than 3 seconds. Record at least 20 seconds of speech.", false};
}

std::string installedDecoder() {
    std::string text;
    runChild({"ffprobe", "-v", "error", "-show_program_version", "-of", "flat"}, 10,
        [&](const char* bytes, size_t count) {
            text.append(bytes, count);
            return text.size() < (1 << 16);
        });
    return find(parse(text), "program_version.version");
}

Probe probe(const std::string& file, double maximumSeconds) {
    std::vector<std::string> arguments{"ffprobe"};
    for (const std::string& guard : inputGuards()) arguments.push_back(guard);
    for (const std::string& guard : coverGuards()) arguments.push_back(guard);
    arguments.insert(arguments.end(), {"-show_program_version", "-show_entries",
        "stream=index,codec_type,codec_name,width,height,avg_frame_rate,duration:stream_disposition=attached_pic:"
        "stream_side_data=rotation:format=duration:program_version=version",
        "-of", "flat", file});
    std::string text;
    ChildEnd end = runChild(arguments, 30, [&](const char* bytes, size_t count) {
        text.append(bytes, count);
        return text.size() < (1 << 20);
    });
    if (!end.started)
        throw Failure{"internal", "The video tools are not installed. Install ffmpeg, then try again.", true};
    if (end.stopped) throw Failure{"internal", "Reading the video took too long. Try again.", true};
    if (end.code != 0 && end.refusedDecoder) throw unsupportedCodec();
    if (end.code != 0)
        throw Failure{"unreadable",
            "The file cannot be read as a video; it may be damaged or incomplete. Record or upload it again.", false};
    Probe result = read(parse(text));
    check(result, maximumSeconds);
    return result;
}

}  // namespace mirrormate
