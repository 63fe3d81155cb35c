#pragma once
#include <string>

namespace mirrormate {

/// Bytes in base 64, padded (RFC 4648, section 4).
std::string base64(const std::string& bytes);

}  // namespace mirrormate
