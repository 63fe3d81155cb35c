#pragma once
#include <string>

namespace mirrormate {

/// Copies a PNG into a new file of the current folder, without anything that no pixel needs: texts and profiles, of which a few
/// bytes may become gigabytes, never reach a decoder. Sees before that all rows are there, for ffmpeg shows black where there
/// are none. Throws a `Failure`: `unreadable` where the file is damaged or incomplete.
void keepPixels(const std::string& from, const std::string& to);

}  // namespace mirrormate
