#include "Base64.hpp"

namespace mirrormate {

std::string base64(const std::string& bytes) {
    static const char symbols[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (size_t at = 0; at < bytes.size(); at += 3) {
        unsigned group = 0;
        for (size_t index = at; index < at + 3; ++index) group = group << 8 | (index < bytes.size() ? (unsigned char)bytes[index] : 0u);
        for (size_t index = 0; index < 4; ++index) text += at + index <= bytes.size() ? symbols[group >> (18 - 6 * index) & 63] : '=';
    }
    return text;
}

}  // namespace mirrormate
