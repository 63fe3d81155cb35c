#include "Analysis.hpp"

#include <atomic>
#include <exception>
#include <thread>

#include "Channel.hpp"
#include "Cut.hpp"
#include "Limits.hpp"
#include "Output.hpp"

namespace mirrormate {

namespace {

/// A thread whose exception is rethrown when it is joined.
class Task {
public:
    template <typename Work>
    explicit Task(Work work) : thread([this, work] {
        try {
            work();
        } catch (...) {
            problem = std::current_exception();
        }
    }) {}
    ~Task() {
        if (thread.joinable()) thread.join();
    }
    void join() {
        thread.join();
        if (problem) std::rethrow_exception(problem);
    }

private:
    std::exception_ptr problem;
    std::thread thread;
};

/// Closes the channel at the end of a scope, however it is left.
struct Closing {
    Channel<Picture>& channel;
    ~Closing() { channel.close(); }
};

void hear(Findings& findings, const std::string& models, const Heard* heard) {
    findings.intensity = intensity(findings.sound.samples);
    findings.speech = recognize(findings.sound.samples, findings.intensity, models, heard);
    printStage("speech");
    findings.volumeDeviation = volumeDeviation(findings.sound.samples, findings.intensity);
    findings.clippedShare = clippedShare(findings.sound.samples);
    findings.pitch = pitch(findings.sound.samples);
    printStage("voice");
}

/// Refuses a file whose end is missing: nobody is rated on a part of what was said. One track that ends before the other is
/// no reason by itself, as a microphone may fail; in a file that is cut off it is.
void checkEnd(const Findings& findings, const PictureEnd& pictures) {
    const double promised = findings.probe.promised, heard = findings.sound.seconds(), seen = pictures.seconds();
    auto missing = [&](double seconds) { return isMuchMissing(promised, seconds); };
    bool cutOff = pictures.cutOff || findings.sound.cutOff;
    if (missing(std::max(heard, seen)) || (cutOff && (missing(seen) || (findings.probe.hasAudio && missing(heard)))))
        throw endsEarly();
}

void checkDecoded(Findings& findings, const PictureEnd& pictures, double maximumSeconds) {
    if (pictures.count == 0)
        throw Failure{"unreadable",
            "The video cannot be decoded; it may be damaged or incomplete. Record or upload it again.", false};
    checkEnd(findings, pictures);
    double pictureSeconds = pictures.seconds(), soundSeconds = findings.sound.seconds();
    findings.errorLines = pictures.errorLines + findings.sound.errorLines;
    double seconds = std::max(pictureSeconds, soundSeconds);
    if (findings.probe.duration < 0) findings.duration = seconds;
    // Allows half a second for codec padding and the last picture.
    checkDuration(std::max(seconds, minimumSeconds), maximumSeconds + 0.5);
    checkDuration(findings.duration, maximumSeconds + 0.5);
    bool shortSound = findings.probe.hasAudio && soundSeconds < 0.9 * findings.duration;
    findings.incomplete = !pictures.clean || pictureSeconds < 0.9 * findings.duration || shortSound;
}

}  // namespace

Findings analyze(const std::string& file, const std::string& models, double maximumSeconds, const Heard* heard) {
    Findings findings;
    findings.probe = probe(file, maximumSeconds);
    // Nothing says how much is missing of such a file, so nothing of it can be forgiven.
    if (isCutOff(file)) throw endsEarly();
    findings.duration = std::max(findings.probe.duration, 0.0);
    setClock(30 + (findings.probe.duration >= 0 ? findings.probe.duration : maximumSeconds));
    printStage("probe");

    std::atomic<int> decoding{2};
    auto decoded = [&] {
        if (--decoding == 0) printStage("decode");
    };
    Channel<Picture> channel(16);
    PictureEnd pictures;
    Observer observer;
    // The channel slows down the decoder, so only a few pictures are in memory at a time.
    Task decoder([&] {
        Closing closing{channel};
        pictures = decodePictures(
            file, findings.probe, maximumSeconds, [&](Picture&& picture) { channel.put(std::move(picture)); });
        decoded();
    });
    Task watcher([&] {
        Closing closing{channel};
        Picture picture;
        while (channel.get(picture)) observer.take(std::move(picture));
        findings.looks = observer.finish();
    });
    try {
        if (findings.probe.hasAudio) findings.sound = decodeSound(file, maximumSeconds);
        decoded();
        hear(findings, models, heard);
    } catch (...) {
        // An early exit here must not leave the other two waiting for each other.
        channel.close();
        throw;
    }
    decoder.join();
    watcher.join();
    checkDecoded(findings, pictures, maximumSeconds);
    printStage("picture");
    return findings;
}

}  // namespace mirrormate
