#pragma once
#include <optional>
#include <vector>

#include "Decode.hpp"
#include "Faces.hpp"
#include "Liveliness.hpp"
#include "Stillness.hpp"

namespace mirrormate {

/// Mean luma (0-255) below which a picture is too dark to find faces.
constexpr double darkLuma = 35;

/// What the sampled pictures show. Shares are percentages.
struct Looks {
    int samples = 0;
    int faceSamples = 0;
    /// The first pass found too few faces, so one picture per second was searched at twice the size.
    bool enlarged = false;
    /// 0-255 over all samples.
    double meanLuma = 0;
    /// 0-255 over the face boxes.
    double faceLuma = 0;
    double presence = 0;
    /// Exactly one face, turned to the camera: of all samples, so that looking away and walking out both count.
    double contact = 0;
    /// One face, but the head is turned away: of all samples.
    double away = 0;
    /// Turned to the camera: of the samples with a face, however many.
    double facing = 0;
    /// Median, in pixels of a picture whose longer side is 640.
    double faceWidth = 0;
    /// Median change of the face center in face widths per 0.2 s.
    std::optional<double> movement;
    double several = 0;
    /// Samples that show the same as the one before, in percent, and how many could be compared. A hand that holds a phone, a
    /// head or a lens leaves hardly any; a screen that is recorded, slides and a wall leave most.
    double still = 0;
    int pairs = 0;
    /// Share of face samples whose box touches the edge of the picture.
    double cut = 0;
    /// Median variance of the Laplacian: below 10 is blurred, unless the picture is dark.
    double sharpness = 0;
    /// The same over the face alone, relative to its brightness, times 10,000.
    double faceSharpness = 0;
    /// How much brighter (0-255) the rest of the picture is than the face; above 0 for light from behind.
    double backlight = 0;
    /// How much the lower face changes its shape from sample to sample, beyond what the upper face does: 0 for a still
    /// portrait however it is moved. The upper quarter of 1 - correlation, after the head's movement was taken out.
    std::optional<double> liveliness;
};

/// Takes the pictures in order and summarizes what they show. Use from one thread.
class Observer {
public:
    void take(Picture&& picture);
    /// Call once, after the last picture.
    Looks finish();

private:
    struct Sample {
        int index = 0;
        double luma = 0, faceLuma = 0, faceSharpness = 0;
        bool hasFace = false, several = false, cut = false;
        Face face;
    };

    Sample look(const Picture& picture, bool enlarged);
    Looks sum() const;
    std::optional<double> movement() const;

    FaceDetector detector;
    Liveliness liveliness;
    std::vector<Sample> samples;
    Stillness stillness;
    std::vector<double> sharpnesses;
    /// One picture per second, for the second pass.
    std::vector<Picture> kept;
};

}  // namespace mirrormate
