#pragma once
#include <string>

#include "Analysis.hpp"

namespace mirrormate {

/// The last line of an analysis: `{"result": …}`.
std::string report(const Findings& findings);
/// The line of an extract: `{"result":{"ogg":"…","durationMs":…}}`, in base 64; null without sound.
std::string extractLine(const std::string& ogg);
/// The line of `mirrormate-media version`: which engines are present and would be used.
std::string engines(const std::string& models);

}  // namespace mirrormate
