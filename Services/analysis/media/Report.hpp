#pragma once
#include <string>

#include "Analysis.hpp"

namespace mirrormate {

/// The last line of an analysis: `{"result": …}`.
std::string report(const Findings& findings);
/// The line of `mirrormate-media version`: which engines are present and would be used.
std::string engines(const std::string& models);

}  // namespace mirrormate
