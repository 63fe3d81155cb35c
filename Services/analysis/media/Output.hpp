#pragma once
#include <string>

namespace mirrormate {

/// Exit codes of the helper: what the parent process may conclude without reading a line.
enum Exit { exitResult = 0, exitUsage = 2, exitInput = 3, exitFailure = 4 };

/// Ends an analysis early. `retryable` is false when the same file can never succeed.
struct Failure {
    std::string code;
    /// A sentence for the person who uploaded: what to do next. Never holds file names or content.
    std::string message;
    bool retryable = false;
};

/// Keeps standard output for our own lines and closes standard error: linked libraries print to both, and what they
/// print may quote the recording. Gives false when the system refuses.
bool claimOutput();
/// Writes one whole line to standard output, undivided even when several threads write.
void printLine(const std::string& line);
/// Tells that a stage (probe, decode, speech, voice, picture) is finished.
void printStage(const char* stage);
/// Tells why there is no result, and gives the exit code that goes with it.
int printFailure(const Failure& failure);

}  // namespace mirrormate
