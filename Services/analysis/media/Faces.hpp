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
    /// Frontal, also when rolled to one side; false when the head is turned away.
    bool facing = false;
};

/// The frontal face detector of dlib (histogram of oriented gradients); finds faces from about 70 pixels width.
/// One instance per thread.
class FaceDetector {
public:
    FaceDetector();
    ~FaceDetector();
    /// Faces with the best first. `enlarged` looks at twice the size, for faces from about 35 pixels.
    std::vector<Face> find(const Picture& picture, bool enlarged = false);

    static std::string version();

private:
    struct Engine;
    std::unique_ptr<Engine> engine;
};

}  // namespace mirrormate
