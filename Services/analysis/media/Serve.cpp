#include "Serve.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "Output.hpp"
#include "Photo.hpp"

namespace mirrormate {

namespace {

/// More than any number of workers; beyond it, whoever asks waits for a place.
constexpr size_t mostRuns = 64;
/// How long somebody who connected may take to say what they want, in milliseconds.
constexpr int patience = 5'000;

struct Request {
    /// Of `analyze`; 0 otherwise.
    long seconds = 0;
    /// Of `photo`; not known otherwise.
    PhotoForm form;
    /// Of both; -1 for `version`.
    int file = -1;

    /// Whether somebody wants something that there is.
    bool read(const char* text) {
        char end = 0, name[8] = "";
        if (strcmp(text, "version\n") == 0) return true;
        if (sscanf(text, "analyze %ld%c", &seconds, &end) == 2) return end == '\n' && seconds > 0 && file >= 0;
        if (sscanf(text, "photo %7[a-z] %d%c", name, &form.orientation, &end) != 3) return false;
        form.name = name;
        return end == '\n' && form.isKnown() && file >= 0;
    }
};

struct Run {
    int connection = -1;
    pid_t process = -1;
    std::string folder;
};

int complain(const char* what) {
    fprintf(stderr, "mirrormate-media: %s: %s\n", what, strerror(errno));
    return exitFailure;
}

/// Listens at a path, for its user and group alone; -1 with errno otherwise, EADDRINUSE when somebody else answers there.
int listenAt(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) return errno = ENAMETOOLONG, -1;
    memcpy(address.sun_path, path.data(), path.size());
    const auto* target = reinterpret_cast<const sockaddr*>(&address);
    int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool taken = probe >= 0 && connect(probe, target, sizeof address) == 0;
    if (probe >= 0) close(probe);
    if (taken) return errno = EADDRINUSE, -1;
    // One that was left by a killed server.
    struct stat old{};
    if (lstat(path.c_str(), &old) == 0 && S_ISSOCK(old.st_mode)) unlink(path.c_str());
    int own = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    mode_t before = umask(0117);
    bool good = own >= 0 && bind(own, target, sizeof address) == 0 && listen(own, 128) == 0;
    umask(before);
    return good ? own : -1;
}

/// Reads what is wanted; false if it is no request.
bool read(int connection, Request& request) {
    pollfd ready{connection, POLLIN, 0};
    if (poll(&ready, 1, patience) != 1) return false;
    char text[64];
    alignas(cmsghdr) char room[CMSG_SPACE(sizeof(int))];
    iovec bytes{text, sizeof text - 1};
    msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = room;
    // For one descriptor: more would be nobody's to close.
    message.msg_controllen = CMSG_LEN(sizeof(int));
    ssize_t count = recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
    if (count <= 0) return false;
    text[count] = 0;
    for (cmsghdr* part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part))
        if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_RIGHTS)
            memcpy(&request.file, CMSG_DATA(part), sizeof request.file);
    return request.read(text);
}

/// Copies what can be read from a descriptor into a new file; safe between fork and exec.
bool copy(int from, const char* name) {
    int to = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (to < 0) return false;
    char buffer[1 << 16];
    off_t at = 0;
    ssize_t count;
    while ((count = pread(from, buffer, sizeof buffer, at)) > 0) {
        if (write(to, buffer, (size_t)count) != count) return false;
        at += count;
    }
    return count == 0 && close(to) == 0;
}

/// Where memory runs out, this process goes, not the server with everybody's.
void preferToServer() {
    int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (score < 0) return;
    if (write(score, "1000", 4) != 4) complain("no preference for whom the kernel ends");
    close(score);
}

class Server {
public:
    Server(int listener, int signals, std::string models, std::string scratch)
        : listener(listener), signals(signals), models(std::move(models)), scratch(std::move(scratch)) {}

    /// Until SIGTERM or SIGINT.
    void serve() {
        while (!isEnding || !runs.empty()) {
            std::vector<pollfd> waiting{{signals, POLLIN, 0}};
            for (const Run& run : runs) waiting.push_back({run.connection, 0, 0});
            if (!isEnding && runs.size() < mostRuns) waiting.push_back({listener, POLLIN, 0});
            if (poll(waiting.data(), (nfds_t)waiting.size(), -1) < 0) continue;
            // Before anything changes the order of the runs.
            for (size_t at = 0; at < runs.size(); ++at)
                if (waiting[at + 1].revents & (POLLHUP | POLLERR)) stop(runs[at]);
            if (waiting.size() > runs.size() + 1 && waiting.back().revents) accept();
            if (waiting[0].revents) readSignals();
        }
    }

private:
    int listener, signals;
    std::string models, scratch;
    std::vector<Run> runs;
    bool isEnding = false;

    void accept() {
        int connection = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (connection < 0) return;
        timeval most{5, 0};
        setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
        Request request;
        bool good = read(connection, request) && start(connection, request);
        if (request.file >= 0) close(request.file);
        if (!good) close(connection);
    }

    bool start(int connection, const Request& request) {
        std::string folder = scratch + "/run-XXXXXX";
        if (!mkdtemp(folder.data())) return complain("no scratch folder"), false;
        pid_t own = getpid(), process = fork();
        if (process == 0) become(request, connection, folder, own);
        if (process < 0) {
            complain("no process");
            remove(folder);
            return false;
        }
        // Here too, so that it is so before anything else happens.
        setpgid(process, process);
        runs.push_back({connection, process, folder});
        return true;
    }

    /// Becomes the process that does the work, in a group of its own; the confined cannot leave it.
    [[noreturn]] void become(const Request& request, int connection, const std::string& folder, pid_t server) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != server) _exit(exitFailure);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, nullptr);
        std::string input = folder + "/input", longest = std::to_string(request.seconds), parent = std::to_string(server);
        std::string orientation = std::to_string(request.form.orientation);
        if (request.file >= 0 && !copy(request.file, input.c_str())) _exit(exitFailure);
        preferToServer();
        int nothing = open("/dev/null", O_RDWR);
        // The socket and all others are gone with the new program.
        if (dup2(nothing, 0) < 0 || dup2(connection, 1) < 0 || dup2(nothing, 2) < 0) _exit(exitFailure);
        const char* analyze[] = {"mirrormate-media", "analyze", "--input", input.c_str(), "--models", models.c_str(),
            "--scratch", folder.c_str(), "--max-seconds", longest.c_str(), "--parent", parent.c_str(), nullptr};
        const char* photo[] = {"mirrormate-media", "photo", "--input", input.c_str(), "--form", request.form.name.c_str(),
            "--orientation", orientation.c_str(), "--scratch", folder.c_str(), "--parent", parent.c_str(), nullptr};
        const char* version[] = {"mirrormate-media", "version", "--models", models.c_str(), nullptr};
        const char** words = request.form.isKnown() ? photo : request.seconds > 0 ? analyze : version;
        execv("/proc/self/exe", const_cast<char**>(words));
        _exit(exitFailure);
    }

    void stop(const Run& run) { kill(-run.process, SIGKILL); }

    void readSignals() {
        signalfd_siginfo facts{};
        while (::read(signals, &facts, sizeof facts) == sizeof facts)
            if (facts.ssi_signo != SIGCHLD) isEnding = true;
        if (isEnding)
            for (const Run& run : runs) stop(run);
        int status = 0;
        for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
            auto run = std::find_if(runs.begin(), runs.end(), [&](const Run& one) { return one.process == ended; });
            if (run == runs.end()) continue;
            finish(*run, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
            runs.erase(run);
        }
    }

    void finish(const Run& run, int code) {
        // What it may have left behind: the group lives as long as one of it does.
        kill(-run.process, SIGKILL);
        // Whoever hears the end may rely on it.
        remove(run.folder);
        std::string last = "{\"exit\":" + std::to_string(code) + "}\n";
        send(run.connection, last.data(), last.size(), MSG_NOSIGNAL);
        close(run.connection);
    }

    void remove(const std::string& folder) {
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
    }
};

}  // namespace

int serve(const std::string& socketPath, const std::string& models, const std::string& scratch) {
    sigset_t wanted;
    sigemptyset(&wanted);
    for (int one : {SIGCHLD, SIGTERM, SIGINT}) sigaddset(&wanted, one);
    // A started process inherits that SIGINT is ignored; it counts nonetheless.
    signal(SIGINT, SIG_DFL);
    if (sigprocmask(SIG_BLOCK, &wanted, nullptr) != 0) return complain("no signals");
    int signals = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals < 0) return complain("no signals");
    int listener = listenAt(socketPath);
    if (listener < 0) return complain("cannot listen at --socket");
    // The socket is ours, so these are of one that is dead.
    std::error_code trouble;
    for (const auto& entry : std::filesystem::directory_iterator(scratch, trouble))
        if (entry.path().filename().string().rfind("run-", 0) == 0) std::filesystem::remove_all(entry.path(), trouble);
    if (trouble || access(scratch.c_str(), W_OK) != 0) return complain("cannot write into --scratch");
    Server(listener, signals, models, scratch).serve();
    unlink(socketPath.c_str());
    return exitResult;
}

}  // namespace mirrormate
