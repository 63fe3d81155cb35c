#include "Decode.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "Allowed.hpp"
#include "Child.hpp"
#include "Jpegs.hpp"
#include "Limits.hpp"
#include "Output.hpp"

namespace mirrormate {

namespace {

std::vector<std::string> decoder(const std::string& file, double maximumSeconds) {
    std::vector<std::string> arguments{"ffmpeg", "-nostdin", "-hide_banner"};
    for (const std::string& guard : inputGuards()) arguments.push_back(guard);
    // One thread per processor would not fit into the address space on large machines.
    for (const char* option : {"-filter_threads", "1", "-filter_complex_threads", "1"}) arguments.push_back(option);
    // One second more than allowed, to detect a file that lies about its length.
    std::string seconds = std::to_string((int)std::ceil(maximumSeconds) + 1);
    for (const char* option : {"-max_pixels", "9000000", "-threads", "2", "-t"}) arguments.push_back(option);
    arguments.insert(arguments.end(), {seconds, "-i", file});
    return arguments;
}

void require(const ChildEnd& end) {
    if (!end.started)
        throw Failure{"internal", "The video tools are not installed. Install ffmpeg, then try again.", true};
    if (end.signal == SIGSYS)
        throw Failure{"internal", "The video decoder did what it must not do, and was stopped. Try again.", true};
    if (end.stopped) throw Failure{"internal", "Decoding the video took too long. Try again.", true};
}

/// Extracts the loudness figures from the lines of ffmpeg's metadata printer; the last ones count.
class LoudnessLines {
public:
    explicit LoudnessLines(Sound& sound) : sound(sound) {}

    bool take(const char* bytes, size_t count) {
        for (size_t at = 0; at < count; ++at) {
            if (bytes[at] == '\n') {
                read();
                line.clear();
            } else if (line.size() < 200) {
                line += bytes[at];
            }
        }
        return true;
    }

private:
    void read() {
        static const std::string integrated = "lavfi.r128.I=", peak = "lavfi.r128.true_peaks_ch";
        if (line.compare(0, integrated.size(), integrated) == 0) {
            sound.loudness = atof(line.c_str() + integrated.size());
        } else if (line.compare(0, peak.size(), peak) == 0) {
            size_t equals = line.find('=');
            double linear = equals == std::string::npos ? 0 : atof(line.c_str() + equals + 1);
            if (linear > 0) sound.truePeak = std::max(sound.truePeak, 20 * std::log10(linear));
        }
    }

    Sound& sound;
    std::string line;
};

/// Splits a stream of binary PGM pictures ("P5 W H 255", then the pixels).
class PictureStream {
public:
    explicit PictureStream(const std::function<void(Picture&&)>& reader) : reader(reader) {}

    bool take(const char* bytes, size_t count) {
        while (count > 0) {
            if (picture.pixels.empty()) {
                header += *bytes++;
                --count;
                if (!readHeader()) return false;
                continue;
            }
            size_t part = std::min(count, picture.pixels.size() - filled);
            memcpy(picture.pixels.data() + filled, bytes, part);
            filled += part;
            bytes += part;
            count -= part;
            if (filled < picture.pixels.size()) continue;
            picture.index = pictures++;
            reader(std::move(picture));
            picture = Picture();
            header.clear();
            filled = 0;
        }
        return true;
    }

    int pictures = 0;

private:
    bool readHeader() {
        if (std::count(header.begin(), header.end(), '\n') < 3) return header.size() < 64;
        if (sscanf(header.c_str(), "P5\n%d %d\n255\n", &picture.width, &picture.height) != 2) return false;
        if (picture.width < 1 || picture.height < 1 || picture.width > 640 || picture.height > 640) return false;
        picture.pixels.resize((size_t)picture.width * picture.height);
        return true;
    }

    const std::function<void(Picture&&)>& reader;
    Picture picture;
    std::string header;
    size_t filled = 0;
};

}  // namespace

Sound decodeSound(const std::string& file, double maximumSeconds) {
    Sound sound;
    std::vector<std::string> arguments = decoder(file, maximumSeconds);
    arguments.insert(arguments.end(), {"-map", "0:a:0", "-vn", "-ac", "1", "-ar", std::to_string(sampleRate),
        "-f", "s16le", "pipe:1", "-map", "0:a:0", "-vn", "-af",
        "ebur128=framelog=verbose:peak=true:metadata=1,ametadata=mode=print:file=pipe\\\\:3", "-f", "null", "-"});
    std::string odd;
    size_t most = (size_t)(maximumSeconds + 2) * sampleRate;
    LoudnessLines lines(sound);
    auto samples = [&](const char* bytes, size_t count) {
        odd.append(bytes, count);
        size_t whole = odd.size() / 2, start = sound.samples.size();
        sound.samples.resize(start + whole);
        memcpy(sound.samples.data() + start, odd.data(), whole * 2);
        odd.erase(0, whole * 2);
        return sound.samples.size() < most;
    };
    ChildEnd end = runChild(arguments, clockLeft(), samples,
        [&](const char* bytes, size_t count) { return lines.take(bytes, count); });
    require(end);
    if (sound.samples.empty() && end.signal != 0)
        throw Failure{"internal", "The sound decoder stopped unexpectedly. Try again.", true};
    if (sound.samples.empty() && end.refusedDecoder) throw unsupportedCodec();
    sound.errorLines = end.errorLines;
    sound.cutOff = end.cutOff;
    return sound;
}

EncodedSound encodeSound(const std::string& file, double maximumSeconds) {
    constexpr size_t mostBytes = 4 << 20;
    std::vector<std::string> arguments = decoder(file, maximumSeconds);
    arguments.insert(arguments.end(), {"-map", "0:a:0", "-vn", "-map_metadata", "-1", "-ac", "1", "-ar", std::to_string(sampleRate),
        "-c:a", "libopus", "-b:a", "24k", "-application", "voip", "-threads", "1", "-flags", "+bitexact", "-fflags", "+bitexact",
        "-f", "ogg", "pipe:1"});
    std::string ogg;
    ChildEnd end = runChild(arguments, clockLeft(), [&](const char* bytes, size_t count) {
        ogg.append(bytes, count);
        return ogg.size() <= mostBytes;
    });
    require(end);
    if (ogg.empty() && end.signal != 0)
        throw Failure{"internal", "The sound decoder stopped unexpectedly. Try again.", true};
    if (ogg.empty() && end.refusedDecoder) throw unsupportedCodec();
    // Of a broken end what is there; of something else nothing.
    return {end.good() ? ogg : "", end.cutOff};
}

std::vector<std::string> encodePictures(const std::string& file, const Probe& probe, double maximumSeconds, double rate, int quality) {
    constexpr size_t mostBytes = 64 << 20;
    std::vector<std::string> arguments = decoder(file, maximumSeconds);
    arguments.insert(arguments.end(), {"-map", "0:" + std::to_string(probe.videoStream), "-vf",
        "sidedata=mode=delete,fps=" + std::to_string(rate) +
            ",scale=512:512:force_original_aspect_ratio=decrease:force_divisible_by=2:flags=area,setsar=1,format=yuvj420p",
        "-an", "-map_metadata", "-1", "-map_chapters", "-1", "-c:v", "mjpeg", "-q:v", std::to_string(quality), "-threads", "1",
        "-flags", "+bitexact", "-fflags", "+bitexact", "-f", "image2pipe", "pipe:1"});
    std::string bytes;
    ChildEnd end = runChild(arguments, clockLeft(), [&](const char* part, size_t count) {
        bytes.append(part, count);
        return bytes.size() <= mostBytes;
    });
    if (bytes.size() > mostBytes) return {};
    require(end);
    if (bytes.empty() && end.refusedDecoder) throw unsupportedCodec();
    if (bytes.empty() && end.signal != 0)
        throw Failure{"internal", "The video decoder stopped unexpectedly. Try again.", true};
    return splitJpegs(bytes);
}

PictureEnd decodePictures(const std::string& file, const Probe& probe, double maximumSeconds,
    const std::function<void(Picture&&)>& reader) {
    std::vector<std::string> arguments = decoder(file, maximumSeconds);
    arguments.insert(arguments.end(), {"-map", "0:" + std::to_string(probe.videoStream), "-vf",
        "fps=5,scale=640:640:force_original_aspect_ratio=decrease:force_divisible_by=2:flags=area,format=gray",
        "-an", "-c:v", "pgm", "-f", "image2pipe", "pipe:1"});
    PictureStream stream(reader);
    ChildEnd end = runChild(arguments, clockLeft(),
        [&](const char* bytes, size_t count) { return stream.take(bytes, count); });
    require(end);
    if (stream.pictures == 0 && end.refusedDecoder) throw unsupportedCodec();
    // A decoder killed by a signal may succeed next time; a file that it refuses will not.
    if (stream.pictures == 0 && end.signal != 0)
        throw Failure{"internal", "The video decoder stopped unexpectedly. Try again.", true};
    return {stream.pictures, end.errorLines, end.good(), end.cutOff};
}

}  // namespace mirrormate
