#include "Extract.hpp"

#include <algorithm>
#include <cstdint>

#include "Cut.hpp"
#include "Decode.hpp"
#include "Limits.hpp"

namespace mirrormate {

std::string extractSound(const std::string& file, double maximumSeconds) {
    Probe found = probe(file, maximumSeconds);
    // Nobody is asked about a part of what was said.
    if (isCutOff(file)) throw endsEarly();
    setClock(30 + (found.duration >= 0 ? found.duration : maximumSeconds));
    if (!found.hasAudio) return "";
    EncodedSound sound = encodeSound(file, maximumSeconds);
    double seconds = (double)oggMilliseconds(sound.ogg) / 1000;
    // What the measuring will refuse costs nothing before; what only the pictures show, it finds later.
    if (!sound.ogg.empty() && sound.cutOff && isMuchMissing(found.promised, seconds)) throw endsEarly();
    checkDuration(std::max(seconds, minimumSeconds), maximumSeconds + 0.5);
    return sound.ogg;
}

long oggMilliseconds(const std::string& ogg) {
    // The last page that ends something says how many samples there are, at 48 kHz and with what the decoder skips at first.
    constexpr int64_t skipped = 312;
    for (size_t at = ogg.rfind("OggS"); at != std::string::npos; at = at == 0 ? std::string::npos : ogg.rfind("OggS", at - 1)) {
        if (at + 14 > ogg.size()) continue;
        uint64_t samples = 0;
        for (size_t index = 0; index < 8; ++index) samples |= (uint64_t)(unsigned char)ogg[at + 6 + index] << (8 * index);
        int64_t count = (int64_t)samples;
        if (count >= 0) return count > skipped ? (long)((count - skipped) / 48) : 0;
    }
    return 0;
}

}  // namespace mirrormate
