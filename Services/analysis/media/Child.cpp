#include "Child.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "Confinement.hpp"
#include "Limits.hpp"
#include "Seccomp.hpp"

namespace mirrormate {

namespace {

/// A pipe whose descriptors are above the small numbers assigned in the child.
struct Pipe {
    int readEnd = -1;
    int writeEnd = -1;

    bool open() {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) return false;
        readEnd = fcntl(ends[0], F_DUPFD_CLOEXEC, 16);
        writeEnd = fcntl(ends[1], F_DUPFD_CLOEXEC, 16);
        ::close(ends[0]);
        ::close(ends[1]);
        return readEnd >= 0 && writeEnd >= 0;
    }
    static void shut(int& end) {
        if (end >= 0) ::close(end);
        end = -1;
    }
    ~Pipe() {
        shut(readEnd);
        shut(writeEnd);
    }
};

/// Counts the lines of a tool's standard error.
class ErrorLines {
public:
    explicit ErrorLines(ChildEnd& end) : end(end) {}

    bool take(const char* bytes, size_t count) {
        for (size_t at = 0; at < count; ++at) {
            if (bytes[at] != '\n') {
                // What is looked for stands at the beginning.
                if (line.size() < 200) line += bytes[at];
                continue;
            }
            read();
            line.clear();
        }
        return true;
    }

private:
    bool says(const char* words) const { return line.find(words) != std::string::npos; }

    void read() {
        if (says(") not on whitelist")) {
            end.refusedDecoder = true;
            return;
        }
        end.errorLines += 1;
        // So say the demuxers of MP4 and of Matroska.
        if (says(": partial file") || says("] File ended prematurely")) end.cutOff = true;
    }

    ChildEnd& end;
    std::string line;
};

struct Source {
    Pipe pipe;
    ByteReader reader;
};

/// Reads all sources until every one is closed. Returns false if a reader refused or nothing came for so many seconds.
bool drain(Source* sources, size_t count, double seconds) {
    auto silence = std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
    auto end = std::chrono::steady_clock::now() + silence;
    std::vector<char> buffer(1 << 16);
    for (;;) {
        pollfd waiting[3];
        size_t open = 0;
        Source* owners[3];
        for (size_t index = 0; index < count; ++index) {
            if (sources[index].pipe.readEnd < 0) continue;
            waiting[open] = {sources[index].pipe.readEnd, POLLIN, 0};
            owners[open++] = &sources[index];
        }
        if (open == 0) return true;
        double left = std::chrono::duration<double>(end - std::chrono::steady_clock::now()).count();
        if (left <= 0) return false;
        int ready = poll(waiting, (nfds_t)open, (int)std::min(left * 1000 + 1, 1000.0));
        if (ready < 0 && errno != EINTR) return false;
        for (size_t index = 0; ready > 0 && index < open; ++index) {
            if (waiting[index].revents == 0) continue;
            ssize_t got = read(waiting[index].fd, buffer.data(), buffer.size());
            if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
            if (got <= 0) {
                Pipe::shut(owners[index]->pipe.readEnd);
            } else if (!owners[index]->reader(buffer.data(), (size_t)got)) {
                return false;
            } else {
                end = std::chrono::steady_clock::now() + silence;
            }
        }
    }
}

}  // namespace

std::string findProgram(const std::string& name) {
    const char* path = getenv("PATH");
    std::string folders = path ? path : "/usr/local/bin:/usr/bin:/bin";
    for (size_t at = 0; at <= folders.size();) {
        size_t end = std::min(folders.find(':', at), folders.size());
        std::string candidate = folders.substr(at, end - at) + "/" + name;
        if (end > at && access(candidate.c_str(), X_OK) == 0) {
            char* real = realpath(candidate.c_str(), nullptr);
            std::string result = real ? real : "";
            free(real);
            return result;
        }
        at = end + 1;
    }
    return "";
}

ChildEnd runChild(const std::vector<std::string>& arguments, double seconds, const ByteReader& reader,
    const ByteReader& extraReader, const Allowance& allowance) {
    ChildEnd result;
    Source sources[3];
    sources[0].reader = reader;
    ErrorLines errors(result);
    sources[1].reader = [&](const char* bytes, size_t count) { return errors.take(bytes, count); };
    sources[2].reader = extraReader;
    size_t count = extraReader ? 3 : 2;
    for (size_t index = 0; index < count; ++index)
        if (!sources[index].pipe.open()) return result;
    std::string program = findProgram(arguments[0]);
    if (program.empty()) return result;
    std::vector<char*> words;
    for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    char locale[] = "LC_ALL=C", noReport[] = "AV_LOG_FORCE_NOCOLOR=1";
    char* environment[] = {locale, noReport, nullptr};

    pid_t own = getpid();
    pid_t child = fork();
    if (child == 0) {
        // Only async-signal-safe calls: the process has threads.
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != own) _exit(127);
        int nothing = ::open("/dev/null", O_RDONLY);
        dup2(nothing, 0);
        dup2(sources[0].pipe.writeEnd, 1);
        dup2(sources[1].pipe.writeEnd, 2);
        if (count == 3) dup2(sources[2].pipe.writeEnd, 3);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, nullptr);
        ::signal(SIGPIPE, SIG_DFL);
        if (!apply(allowance) || !forbidChanges() || !forbidProcesses()) _exit(126);
        execve(program.c_str(), words.data(), environment);
        _exit(127);
    }
    for (size_t index = 0; index < count; ++index) Pipe::shut(sources[index].pipe.writeEnd);
    if (child < 0) return result;
    countChild(child);
    result.started = true;
    if (!drain(sources, count, seconds)) {
        result.stopped = true;
        kill(child, SIGKILL);
    }
    int status = collectChild(child);
    if (WIFEXITED(status)) result.code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
    if (result.code == 126 || result.code == 127) result.started = false;
    return result;
}

}  // namespace mirrormate
