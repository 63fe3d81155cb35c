#include "Looks.hpp"

#include <cmath>

#include "Span.hpp"

namespace mirrormate {

namespace {

constexpr int keepEvery = (int)pictureRate;

double meanOf(const Picture& picture, int left, int top, int right, int bottom) {
    left = std::max(left, 0);
    top = std::max(top, 0);
    right = std::min(right, picture.width);
    bottom = std::min(bottom, picture.height);
    long sum = 0, count = 0;
    for (int row = top; row < bottom; ++row)
        for (int column = left; column < right; ++column, ++count) sum += picture.pixels[row * picture.width + column];
    return count > 0 ? (double)sum / (double)count : 0;
}

double laplacianVariance(const Picture& picture, int left, int top, int right, int bottom) {
    double sum = 0, squares = 0, count = 0;
    const int stride = picture.width;
    for (int row = std::max(top, 1); row < std::min(bottom, picture.height - 1); ++row) {
        for (int column = std::max(left, 1); column < std::min(right, stride - 1); ++column, ++count) {
            const uint8_t* at = &picture.pixels[row * stride + column];
            double value = at[-1] + at[1] + at[-stride] + at[stride] - 4 * at[0];
            sum += value;
            squares += value * value;
        }
    }
    return count > 0 ? squares / count - (sum / count) * (sum / count) : 0;
}

}  // namespace

Observer::Sample Observer::look(const Picture& picture, bool enlarged) {
    Sample sample;
    sample.index = picture.index;
    sample.luma = meanOf(picture, 0, 0, picture.width, picture.height);
    std::vector<Face> faces = detector.find(picture, enlarged);
    if (faces.empty()) return sample;
    sample.hasFace = true;
    sample.face = faces[0];
    double widest = 0, wide = 0;
    for (const Face& face : faces) widest = std::max(widest, face.width);
    for (const Face& face : faces) wide += face.width >= 0.6 * widest;
    sample.several = wide >= 2;
    const Face& face = sample.face;
    int right = (int)(face.x + face.width), bottom = (int)(face.y + face.height);
    sample.cut = face.x <= 0 || face.y <= 0 || right >= picture.width - 1 || bottom >= picture.height - 1;
    sample.faceLuma = meanOf(picture, (int)face.x, (int)face.y, right, bottom);
    double edges = laplacianVariance(picture, (int)face.x, (int)face.y, right, bottom);
    sample.faceSharpness = 10'000 * edges / std::max(sample.faceLuma * sample.faceLuma, 1.0);
    return sample;
}

void Observer::take(Picture&& picture) {
    samples.push_back(look(picture, false));
    stillness.take(picture);
    liveliness.take(picture, samples.back().hasFace ? &samples.back().face : nullptr);
    if (picture.index % keepEvery != 0) return;
    sharpnesses.push_back(laplacianVariance(picture, 0, 0, picture.width, picture.height));
    kept.push_back(std::move(picture));
}

Looks Observer::finish() {
    Looks looks = sum();
    looks.liveliness = liveliness.upperQuarter();
    if (looks.presence < 30 && looks.meanLuma >= darkLuma) {
        samples.clear();
        for (const Picture& picture : kept) samples.push_back(look(picture, true));
        Looks second = sum();
        second.meanLuma = looks.meanLuma;
        second.enlarged = true;
        // Steps of a second are too coarse to measure movement.
        second.movement.reset();
        second.liveliness.reset();
        if (second.presence > looks.presence) looks = second;
    }
    looks.sharpness = median(sharpnesses);
    looks.still = stillness.share();
    looks.pairs = stillness.count();
    return looks;
}

Looks Observer::sum() const {
    Looks looks;
    looks.samples = (int)samples.size();
    if (samples.empty()) return looks;
    std::vector<double> widths, sharp, behind;
    double facing = 0, several = 0, cut = 0, contact = 0, away = 0;
    for (const Sample& sample : samples) {
        looks.meanLuma += sample.luma / looks.samples;
        if (!sample.hasFace) continue;
        ++looks.faceSamples;
        facing += sample.face.facing;
        several += sample.several;
        cut += sample.cut;
        contact += !sample.several && sample.face.facing;
        away += !sample.several && !sample.face.facing;
        looks.faceLuma += sample.faceLuma;
        sharp.push_back(sample.faceSharpness);
        behind.push_back(sample.luma - sample.faceLuma);
        widths.push_back(sample.face.width);
    }
    looks.presence = 100.0 * looks.faceSamples / looks.samples;
    looks.several = 100.0 * several / looks.samples;
    looks.contact = 100.0 * contact / looks.samples;
    looks.away = 100.0 * away / looks.samples;
    if (looks.faceSamples == 0) return looks;
    looks.faceLuma /= looks.faceSamples;
    looks.facing = 100.0 * facing / looks.faceSamples;
    looks.cut = 100.0 * cut / looks.faceSamples;
    looks.faceWidth = median(widths);
    looks.faceSharpness = median(sharp);
    looks.backlight = median(behind);
    looks.movement = movement();
    return looks;
}

std::optional<double> Observer::movement() const {
    struct Place {
        bool known = false;
        double x = 0, y = 0;
    };
    // Boxes are on a coarse grid and jump between sizes, so the center is averaged over three samples first.
    std::vector<Place> places(samples.size());
    for (size_t at = 1; at + 1 < samples.size(); ++at) {
        Place place{true};
        for (size_t near = at - 1; near <= at + 1; ++near) {
            const Sample& sample = samples[near];
            place.known = place.known && sample.hasFace;
            if (!place.known) break;
            place.x += (sample.face.x + sample.face.width / 2) / sample.face.width / 3;
            place.y += (sample.face.y + sample.face.height / 2) / sample.face.width / 3;
        }
        places[at] = place;
    }
    std::vector<double> steps;
    for (size_t at = 1; at < places.size(); ++at)
        if (places[at].known && places[at - 1].known)
            steps.push_back(std::hypot(places[at].x - places[at - 1].x, places[at].y - places[at - 1].y));
    if (steps.empty()) return std::nullopt;
    return median(steps);
}

}  // namespace mirrormate
