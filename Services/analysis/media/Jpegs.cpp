#include "Jpegs.hpp"

#include <cstddef>

namespace mirrormate {

namespace {

constexpr unsigned marker = 0xFF, startOfImage = 0xD8, startOfScan = 0xDA, endOfImage = 0xD9;

unsigned byteAt(const std::string& bytes, size_t at) { return (unsigned char)bytes[at]; }

bool isMarker(const std::string& bytes, size_t at, unsigned kind) {
    return at + 2 <= bytes.size() && byteAt(bytes, at) == marker && byteAt(bytes, at + 1) == kind;
}

/// Where the JPEG ends that begins at `start`; `npos` if it does not.
size_t endOfJpeg(const std::string& bytes, size_t start) {
    if (!isMarker(bytes, start, startOfImage)) return std::string::npos;
    // What stands before the pixels says its length, and may hold any bytes.
    size_t at = start + 2;
    while (at + 4 <= bytes.size() && byteAt(bytes, at) == marker) {
        const bool isScan = isMarker(bytes, at, startOfScan);
        at += 2 + (byteAt(bytes, at + 2) << 8 | byteAt(bytes, at + 3));
        if (!isScan) continue;
        // In pixels the marker's first byte stands before a 0 only.
        while (at + 2 <= bytes.size() && !isMarker(bytes, at, endOfImage)) ++at;
        return at + 2 <= bytes.size() ? at + 2 : std::string::npos;
    }
    return std::string::npos;
}

}  // namespace

std::vector<std::string> splitJpegs(const std::string& bytes) {
    std::vector<std::string> pictures;
    size_t at = 0;
    for (size_t end; (end = endOfJpeg(bytes, at)) != std::string::npos; at = end) pictures.push_back(bytes.substr(at, end - at));
    return pictures;
}

}  // namespace mirrormate
