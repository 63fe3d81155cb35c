// Measures one video: what is said and when, how the voice sounds, whether a face is visible. Or takes the sound, or some pictures, out of
// one, or makes a small photo of one picture. Runs as a child process of a service, which contains crashes, memory peaks and hostile files.
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <string>
#include <unistd.h>

#include "Analysis.hpp"
#include "Child.hpp"
#include "Confinement.hpp"
#include "Extract.hpp"
#include "Frames.hpp"
#include "Heard.hpp"
#include "Limits.hpp"
#include "Output.hpp"
#include "Photo.hpp"
#include "Report.hpp"
#include "Serve.hpp"

namespace {

using namespace mirrormate;

/// How long making a photo may take on a machine of its own; see `startClock`.
constexpr double photoSeconds = 10;

struct Arguments {
    std::string command, input, words, models, scratch, socket;
    ServeOptions serving;
    double maximumSeconds = 95;
    PhotoForm form;
    pid_t parent = 0;
    bool understood = false;
};

Arguments parse(int count, char** words) {
    Arguments result;
    if (count < 2) return result;
    result.command = words[1];
    for (int at = 2; at < count; at += 2) {
        if (at + 1 == count) return result;
        std::string name = words[at], value = words[at + 1];
        if (name == "--input") result.input = value;
        else if (name == "--words") result.words = value;
        else if (name == "--models") result.models = value;
        else if (name == "--scratch") result.scratch = value;
        else if (name == "--socket") result.socket = value;
        else if (name == "--max-seconds") result.maximumSeconds = atof(value.c_str());
        else if (name == "--form") result.form.name = value;
        else if (name == "--orientation") result.form.orientation = atoi(value.c_str());
        else if (name == "--at-once") result.serving.atOnce = (size_t)strtoul(value.c_str(), nullptr, 10);
        else if (name == "--largest") result.serving.largest = (off_t)strtoll(value.c_str(), nullptr, 10);
        else if (name == "--parent") result.parent = atoi(value.c_str());
        else return result;
    }
    bool whole = !result.models.empty() && !result.scratch.empty();
    bool bounded = result.maximumSeconds >= minimumSeconds && result.maximumSeconds <= 600;
    result.understood = result.command == "version" || (result.command == "analyze" && whole && bounded && !result.input.empty()) ||
        ((result.command == "sound" || result.command == "frames") && bounded && !result.scratch.empty() && !result.input.empty()) ||
        (result.command == "photo" && result.form.isKnown() && !result.scratch.empty() && !result.input.empty()) ||
        (result.command == "serve" && whole && !result.socket.empty() && result.serving.atOnce >= 1 && result.serving.atOnce <= 64 &&
            result.serving.largest > 0);
    if (!result.words.empty() && result.command != "analyze") result.understood = false;
    return result;
}

/// The largest file of words: ten minutes of them are a tenth of that.
constexpr size_t mostWords = 1 << 20;

/// What a file of words holds; false if there is none, or too much. What it says is read later, when this process is confined.
bool readFile(const std::string& path, std::string& text) {
    int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    char buffer[1 << 16];
    ssize_t count;
    while ((count = read(file, buffer, sizeof buffer)) > 0 && text.size() <= mostWords) text.append(buffer, (size_t)count);
    close(file);
    return count == 0 && text.size() <= mostWords;
}

/// The absolute path, so that the name can be neither an option nor relative to the scratch folder; empty if it contains
/// "%", which would make ffmpeg look for a numbered series of files.
std::string wholePath(const std::string& path) {
    char* real = realpath(path.c_str(), nullptr);
    std::string result = real ? real : "";
    free(real);
    if (result.find('%') != std::string::npos) result.clear();
    return result;
}

/// Prints the last line of a run, whatever comes of it.
template <typename Work>
int run(Work work) {
    try {
        printLine(work());
        return exitResult;
    } catch (const Failure& failure) {
        return printFailure(failure);
    } catch (const std::exception&) {
        return printFailure({"internal", "The work stopped unexpectedly. Try again.", true});
    }
}

}  // namespace

int main(int count, char** words) {
    Arguments arguments = parse(count, words);
    if (!arguments.understood) {
        static const char usage[] =
            "usage: mirrormate-media analyze --input FILE --models DIR --scratch DIR\n"
            "           [--words FILE] [--max-seconds 95] [--parent PID]\n"
            "       mirrormate-media sound --input FILE --scratch DIR [--max-seconds 95] [--parent PID]\n"
            "       mirrormate-media frames --input FILE --scratch DIR [--max-seconds 95] [--parent PID]\n"
            "       mirrormate-media photo --input FILE --form jpeg|png|webp --orientation 1..8 --scratch DIR [--parent PID]\n"
            "       mirrormate-media serve --socket PATH --models DIR --scratch DIR [--at-once 64] [--largest BYTES]\n"
            "       mirrormate-media version [--models DIR]\n";
        return write(STDERR_FILENO, usage, sizeof usage - 1) < 0 ? exitFailure : exitUsage;
    }
    if (arguments.command == "serve") {
        ServeOptions options = arguments.serving;
        options.socket = arguments.socket;
        options.models = arguments.models;
        options.scratch = arguments.scratch;
        return serve(options);
    }
    const bool opens = arguments.command != "version";
    const bool isPhoto = arguments.command == "photo";
    const bool isSound = arguments.command == "sound";
    const bool takesPictures = arguments.command == "frames";
    if (!claimOutput()) return exitFailure;
    std::string heardText;
    if (!arguments.words.empty() && !readFile(arguments.words, heardText))
        return printFailure({"internal", "The file of words cannot be opened. Try again.", true});
    Grounds grounds{wholePath(arguments.input), wholePath(arguments.models), {findProgram("ffmpeg")}};
    grounds.isPicture = isPhoto;
    if (!isPhoto) grounds.programs.push_back(findProgram("ffprobe"));
    if (opens && grounds.input.empty())
        return printFailure({"internal", "The uploaded file cannot be opened. Upload it again.", true});
    if (!leaveRoot(grounds, arguments.scratch))
        return printFailure({"internal", "The working folder cannot be prepared. Try again.", true});
    if (!followParent(arguments.parent)) return exitFailure;
    if (!apply(ownAllowance) || !confine(grounds))
        return printFailure({"internal", "The limits of the analysis cannot be set. Try again.", true});
    keepArenasFew();
    startClock(isPhoto ? photoSeconds : 30 + arguments.maximumSeconds);
    int code = exitResult;
    if (isSound) {
        code = run([&] { return extractLine(extractSound(grounds.input, arguments.maximumSeconds)); });
    } else if (takesPictures) {
        code = run([&] { return framesLine(takeFrames(grounds.input, arguments.maximumSeconds)); });
    } else if (isPhoto) {
        code = run([&] { return photoLine(makePhoto(grounds.input, arguments.form)); });
    } else if (opens) {
        code = run([&] {
            std::optional<Heard> heard = readHeard(heardText);
            if (!arguments.words.empty() && !heard) throw Failure{"internal", "The file of words cannot be read. Try again.", true};
            return report(analyze(grounds.input, grounds.models, arguments.maximumSeconds, heard ? &*heard : nullptr));
        });
    } else {
        printLine(engines(grounds.models));
    }
    removeCopy();
    // Recognizer threads may still be running; they hold nothing that needs cleanup.
    _exit(code);
}
