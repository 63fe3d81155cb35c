#pragma once
#include <string>

namespace mirrormate {

/// The helper's exit codes: what the parent can conclude without reading a line.
enum Exit { exitResult = 0, exitUsage = 2, exitInput = 3, exitFailure = 4 };

/// Ends an analysis early. `retryable` is false if the same file can never succeed.
struct Failure {
    std::string code;
    /// A sentence for the uploader that says what to do next. Never contains file names or content.
    std::string message;
    bool retryable = false;
};

/// Reserves standard output for our own lines and closes standard error: linked libraries print to both, and may quote
/// the recording. Returns false if the system refuses.
bool claimOutput();
/// Writes one whole line to standard output, atomically with respect to other threads.
void printLine(const std::string& line);
/// Reports that a stage (probe, decode, speech, voice, picture) is finished.
void printStage(const char* stage);
/// Reports why there is no result and returns the matching exit code.
int printFailure(const Failure& failure);

}  // namespace mirrormate
