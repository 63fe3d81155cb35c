#pragma once
#include <memory>
#include <string>
#include <vector>

#include "Decode.hpp"

namespace mirrormate {

/// A face as the detector sees it, in pixels of the picture.
struct Face {
    double x = 0, y = 0, width = 0, height = 0;
    double score = 0;
    /// Frontal, even if rolled to one side; false if the head is turned away.
    bool facing = false;
};

/// dlib's frontal face detector (histogram of oriented gradients); finds faces at least about 70 pixels wide.
/// One instance per thread.
class FaceDetector {
public:
    FaceDetector();
    ~FaceDetector();
    /// Faces, best first. `enlarged` searches at twice the size, for faces of at least about 35 pixels.
    std::vector<Face> find(const Picture& picture, bool enlarged = false);

    static std::string version();

private:
    struct Engine;
    std::unique_ptr<Engine> engine;
};

}  // namespace mirrormate
