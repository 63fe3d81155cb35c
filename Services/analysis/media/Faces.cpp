// The only file that includes dlib, which takes most of the build time.
#include "Faces.hpp"

#include <dlib/image_processing/frontal_face_detector.h>
#include <dlib/image_transforms.h>
#include <dlib/revision.h>

namespace mirrormate {

struct FaceDetector::Engine {
    dlib::frontal_face_detector detector = dlib::get_frontal_face_detector();
    dlib::array2d<unsigned char> image;
};

FaceDetector::FaceDetector() : engine(std::make_unique<Engine>()) {}
FaceDetector::~FaceDetector() = default;

std::vector<Face> FaceDetector::find(const Picture& picture, bool enlarged) {
    auto& image = engine->image;
    image.set_size(picture.height, picture.width);
    for (long row = 0; row < picture.height; ++row)
        std::copy_n(picture.pixels.begin() + row * picture.width, picture.width, &image[row][0]);
    double scale = 1;
    if (enlarged) {
        dlib::pyramid_up(image);
        scale = (double)picture.width / (double)image.nc();
    }
    std::vector<dlib::rect_detection> found;
    engine->detector(image, found, 0);
    std::vector<Face> faces;
    for (const dlib::rect_detection& detection : found) {
        const dlib::rectangle& box = detection.rect;
        // Of the five filters, 1 and 2 match heads turned to a side; 0 is frontal, 3 and 4 are frontal but rolled.
        bool facing = detection.weight_index != 1 && detection.weight_index != 2;
        faces.push_back({(double)box.left() * scale, (double)box.top() * scale, (double)box.width() * scale,
            (double)box.height() * scale, detection.detection_confidence, facing});
    }
    std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) { return a.score > b.score; });
    return faces;
}

std::string FaceDetector::version() {
    return std::to_string(DLIB_MAJOR_VERSION) + "." + std::to_string(DLIB_MINOR_VERSION);
}

}  // namespace mirrormate
