#pragma once
#include <string>

namespace mirrormate {

/// What is known of a photo before it is opened, by whoever has read its head.
struct PhotoForm {
    /// `jpeg`, `png` or `webp`.
    std::string name;
    /// How it is to be turned and mirrored to stand upright, as EXIF numbers it: from 1, which it already does, to 8.
    int orientation = 0;

    /// Whether both have such a value.
    bool isKnown() const;
};

/// Makes a small JPEG of a picture: the square in its middle, upright, on white, without anything that the file says besides.
/// Throws a `Failure`.
std::string makePhoto(const std::string& file, const PhotoForm& form);

/// The line that hands it over: `{"result":{"jpeg":"…"}}`, in base 64.
std::string photoLine(const std::string& jpeg);

}  // namespace mirrormate
