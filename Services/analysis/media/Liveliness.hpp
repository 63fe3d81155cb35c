#pragma once
#include <optional>
#include <vector>

#include "Decode.hpp"
#include "Faces.hpp"

namespace mirrormate {

/// Compares the lower face of each picture with that of the one before. The head's own movement is taken out by matching
/// the upper face first, so a portrait that is moved about does not change.
class Liveliness {
public:
    /// Takes the next picture; `face` is nil if it shows none, and then the next picture has nothing to be compared
    /// with.
    void take(const Picture& picture, const Face* face);
    /// The change that a quarter of the pictures exceeds, because people rest their mouths between words; nothing if
    /// fewer than 20 neighboring pictures could be compared.
    std::optional<double> upperQuarter() const;

private:
    /// The face and its surroundings, scaled so that the face is `faceSize` wide.
    std::vector<float> cut(const Picture& picture, const Face& face) const;

    Picture before;
    Face faceBefore;
    bool hasBefore = false;
    std::vector<double> changes;
};

}  // namespace mirrormate
