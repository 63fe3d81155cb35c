#pragma once
#include <string>

namespace mirrormate {

/// The sound of a recording alone, in little: the first track as Ogg Opus, one channel, 24 kbit/s, without anything that the file says besides.
/// Empty without sound that can be decoded. Throws a `Failure` for what is no acceptable video.
std::string extractSound(const std::string& file, double maximumSeconds);

/// How long an Ogg Opus stream lasts; 0 for anything else.
long oggMilliseconds(const std::string& ogg);

}  // namespace mirrormate
