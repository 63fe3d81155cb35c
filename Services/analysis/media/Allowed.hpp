#pragma once
#include <string>
#include <vector>

namespace mirrormate {

/// Options of every ffmpeg and ffprobe call, before its input: local files only, the containers that cameras and browsers
/// write, the decoders of their codecs, bounded allocations.
std::vector<std::string> inputGuards();

/// What ffprobe gets besides: it opens a decoder for each track, and a cover picture is no reason to refuse a video. The
/// decoder of a cover is opened and never given a byte: whatever decodes keeps to the list of `inputGuards`.
std::vector<std::string> coverGuards();

/// Whether a codec, by ffprobe's name for it, is one of those that are decoded.
bool isAllowedVideo(const std::string& codec);
bool isAllowedAudio(const std::string& codec);

}  // namespace mirrormate
