#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "Words.hpp"

namespace mirrormate {

/// The Moonshine recognizer (tiny-en), loaded from the model folder at run time, so that neither building nor starting
/// requires it.
class Moonshine {
public:
    /// `models` is the folder that `infra/fetch-models` fills.
    explicit Moonshine(const std::string& models);
    ~Moonshine();
    Moonshine(const Moonshine&) = delete;
    Moonshine& operator=(const Moonshine&) = delete;

    /// Whether library and model are present and compatible.
    bool ready() const { return transcriber >= 0; }
    /// Lines with their times; empty for silence. Sets `failed` if the engine reports an error.
    std::vector<Line> transcribe(const std::vector<int16_t>& samples, bool& failed);

private:
    struct Functions;
    void* library = nullptr;
    Functions* functions = nullptr;
    int32_t transcriber = -1;
};

}  // namespace mirrormate
