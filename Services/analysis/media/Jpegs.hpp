#pragma once
#include <string>
#include <vector>

namespace mirrormate {

/// Takes apart JPEGs that stand one behind the other, as an encoder writes them into a pipe; what is behind the last whole one is left out.
std::vector<std::string> splitJpegs(const std::string& bytes);

}  // namespace mirrormate
