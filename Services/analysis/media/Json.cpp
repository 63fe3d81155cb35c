#include "Json.hpp"

#include <cmath>
#include <cstdio>

namespace mirrormate {

namespace {

/// The length of the well-formed UTF-8 sequence that starts at `at` (RFC 3629); 0 if there is none.
size_t sequenceLength(const std::string& text, size_t at) {
    auto byte = [&](size_t index) { return index < text.size() ? (unsigned char)text[index] : 0u; };
    unsigned first = byte(at);
    if (first < 0x80) return 1;
    size_t length = first >= 0xC2 && first <= 0xDF ? 2 : first >= 0xE0 && first <= 0xEF ? 3 :
        first >= 0xF0 && first <= 0xF4 ? 4 : 0;
    if (length == 0 || at + length > text.size()) return 0;
    for (size_t index = 1; index < length; ++index)
        if ((byte(at + index) & 0xC0) != 0x80) return 0;
    unsigned second = byte(at + 1);
    bool bad = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
        (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
    return bad ? 0 : length;
}

}  // namespace

void Json::comma() {
    if (!fresh) out += ',';
    fresh = false;
}

Json& Json::object() { comma(); out += '{'; fresh = true; return *this; }
Json& Json::endObject() { out += '}'; fresh = false; return *this; }
Json& Json::array() { comma(); out += '['; fresh = true; return *this; }
Json& Json::endArray() { out += ']'; fresh = false; return *this; }

Json& Json::key(const char* name) {
    text(name);
    out += ':';
    fresh = true;
    return *this;
}

Json& Json::text(const std::string& value) {
    comma();
    out += '"';
    for (size_t at = 0; at < value.size();) {
        size_t length = sequenceLength(value, at);
        if (length == 0) { ++at; continue; }
        unsigned char first = value[at];
        if (first == '"' || first == '\\') {
            out += '\\';
            out += (char)first;
        } else if (first < 0x20 || first == 0x7F) {
            char escaped[8];
            snprintf(escaped, sizeof escaped, "\\u%04x", first);
            out += escaped;
        } else {
            out.append(value, at, length);
        }
        at += length;
    }
    out += '"';
    return *this;
}

Json& Json::number(double value, int decimals) {
    if (!std::isfinite(value)) return null();
    comma();
    char digits[64];
    snprintf(digits, sizeof digits, "%.*f", decimals, value);
    std::string shown = digits;
    if (shown.find_first_not_of("-0.") == std::string::npos && shown[0] == '-') shown.erase(0, 1);
    out += shown;
    return *this;
}

Json& Json::whole(long value) { comma(); out += std::to_string(value); return *this; }
Json& Json::boolean(bool value) { comma(); out += value ? "true" : "false"; return *this; }
Json& Json::null() { comma(); out += "null"; return *this; }

}  // namespace mirrormate
