#include "Output.hpp"

#include <cerrno>
#include <fcntl.h>
#include <mutex>
#include <unistd.h>

#include "Json.hpp"

namespace mirrormate {

namespace {

int output = STDOUT_FILENO;

}  // namespace

bool claimOutput() {
    int own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 16), nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (own < 0 || nothing < 0) return false;
    output = own;
#ifdef MIRRORMATE_SANITIZED
    // What a sanitizer finds is said there.
    return dup2(nothing, STDOUT_FILENO) >= 0;
#endif
    return dup2(nothing, STDOUT_FILENO) >= 0 && dup2(nothing, STDERR_FILENO) >= 0;
}

void printLine(const std::string& line) {
    static std::mutex lock;
    std::lock_guard<std::mutex> held(lock);
    std::string bytes = line + "\n";
    for (size_t done = 0; done < bytes.size();) {
        ssize_t count = write(output, bytes.data() + done, bytes.size() - done);
        if (count < 0 && errno == EINTR) continue;
        // Without a reader, nobody needs the result.
        if (count <= 0) _exit(exitFailure);
        done += (size_t)count;
    }
}

void printStage(const char* stage) {
    printLine(Json().object().field("stage", stage).endObject().document());
}

int printFailure(const Failure& failure) {
    Json json;
    json.object().key("error").object();
    json.field("code", failure.code).field("message", failure.message).field("retryable", failure.retryable);
    json.endObject().endObject();
    printLine(json.document());
    return failure.retryable ? exitFailure : exitInput;
}

}  // namespace mirrormate
