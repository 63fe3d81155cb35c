#pragma once
#include <string>

#include "Output.hpp"

namespace mirrormate {

/// Whether a file of which nobody knows the whole length ends inside one of its own parts: a fragmented MP4 inside a fragment,
/// a WebM inside a cluster that says its size.
///
/// A live recording whose clusters say no size may end anywhere, so nothing is known of it; of files that promise a length,
/// the decoder tells how much is missing.
///
/// @param file a path, or one behind `file:`, as ffmpeg takes it
bool isCutOff(const std::string& file);

/// Whether more is missing of so many promised seconds than may be forgiven; not if nothing was promised.
bool isMuchMissing(double promised, double seconds);

/// The refusal of a file whose end is missing.
Failure endsEarly();

}  // namespace mirrormate
