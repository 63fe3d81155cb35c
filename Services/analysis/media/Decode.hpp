#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "Probe.hpp"

namespace mirrormate {

constexpr int sampleRate = 16000;
constexpr double pictureRate = 5;

/// Mono sound at 16 kHz and its loudness by EBU R 128.
struct Sound {
    std::vector<int16_t> samples;
    /// Integrated loudness in LUFS; -70 and below means not measured.
    double loudness = -70;
    /// True peak in dBFS.
    double truePeak = -120;
    size_t errorLines = 0;
    bool cutOff = false;

    double seconds() const { return (double)samples.size() / sampleRate; }
};

/// A gray picture, upright, longer side 640, at `index / 5` seconds.
struct Picture {
    int index = 0;
    int width = 0;
    int height = 0;
    std::vector<uint8_t> pixels;
};

/// How decoding the pictures ended.
struct PictureEnd {
    int count = 0;
    size_t errorLines = 0;
    bool clean = false;
    bool cutOff = false;

    double seconds() const { return count / pictureRate; }
};

/// Decodes the first audio track. Throws a retryable `Failure` if ffmpeg cannot run;
/// a track that cannot be decoded yields no samples.
Sound decodeSound(const std::string& file, double maximumSeconds);

/// Sound as Ogg Opus, one channel, 24 kbit/s; empty for a track that cannot be decoded.
struct EncodedSound {
    std::string ogg;
    bool cutOff = false;
};

/// Decodes the first audio track and makes at most 4 MiB of it. Throws as `decodeSound`.
EncodedSound encodeSound(const std::string& file, double maximumSeconds);

/// Decodes the pictures, so many a second, and makes small JPEGs of them: upright, longer side 512, without anything that the file says besides.
/// Empty where they are too large together; of a broken end there is what is whole. Throws as `decodeSound`.
///
/// `quality` is the encoder's: 2 is the best, 31 the smallest.
std::vector<std::string> encodePictures(const std::string& file, const Probe& probe, double maximumSeconds, double rate, int quality);

/// Decodes the pictures and passes each to `reader`, which may block to slow down the decoder.
PictureEnd decodePictures(const std::string& file, const Probe& probe, double maximumSeconds,
    const std::function<void(Picture&&)>& reader);

}  // namespace mirrormate
