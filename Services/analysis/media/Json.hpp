#pragma once
#include <optional>
#include <string>

namespace mirrormate {

/// Writes one JSON document without line breaks, so that it fits on one line.
/// The writer adds commas; nesting is the caller's responsibility.
class Json {
public:
    Json& object();
    Json& endObject();
    Json& array();
    Json& endArray();
    Json& key(const char* name);
    /// Writes a JSON string; bytes that are not UTF-8 are omitted.
    Json& text(const std::string& value);
    /// Writes a number with a fixed number of decimals; null if it is not finite.
    Json& number(double value, int decimals);
    Json& whole(long value);
    Json& boolean(bool value);
    Json& null();

    Json& field(const char* name, const std::string& value) { return key(name).text(value); }
    Json& field(const char* name, const char* value) { return key(name).text(value); }
    Json& field(const char* name, bool value) { return key(name).boolean(value); }
    Json& field(const char* name, long value) { return key(name).whole(value); }
    Json& field(const char* name, int value) { return key(name).whole(value); }

    const std::string& document() const { return out; }

private:
    void comma();
    std::string out;
    bool fresh = true;
};

}  // namespace mirrormate
