#include "Serve.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
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
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "Handover.hpp"
#include "Output.hpp"

namespace mirrormate {

namespace {

using Clock = std::chrono::steady_clock;

/// Who is connected and has no run yet; beyond it, whoever comes waits outside.
constexpr size_t mostClients = 64;
/// How long somebody who connected may take to say what they want, and to hear the end of it.
constexpr std::chrono::seconds patience{5};
/// The largest picture that is copied: what identity takes.
constexpr off_t largestPicture = 8 << 20;
/// The largest file of words.
constexpr off_t largestWords = 1 << 20;

/// Who is connected: silent until `until`, or waiting for a place. A connection of -1 is gone.
struct Client {
    int connection = -1;
    Clock::time_point until;
    bool hasAsked = false;
    Request request;
};

struct Run {
    int connection = -1;
    pid_t process = -1;
    std::string folder;
};

/// Who is still to hear how their run ended.
struct Farewell {
    int connection = -1;
    Clock::time_point until;
    std::string rest;
};

int complain(const char* what) {
    fprintf(stderr, "mirrormate-media: %s: %s\n", what, strerror(errno));
    return exitFailure;
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
    Server(int listener, int signals, const ServeOptions& options) : listener(listener), signals(signals), options(options) {}

    /// Until SIGTERM or SIGINT. Nothing here waits for a single client: each is heard when it says something.
    void serve() {
        while (!isEnding || !runs.empty() || !leaving.empty()) {
            std::vector<pollfd> waiting{{signals, POLLIN, 0}};
            for (const Run& run : runs) waiting.push_back({run.connection, 0, 0});
            for (const Client& client : clients) waiting.push_back({client.connection, (short)(client.hasAsked ? 0 : POLLIN), 0});
            for (const Farewell& one : leaving) waiting.push_back({one.connection, POLLOUT, 0});
            const bool takes = !isEnding && hasRoom();
            if (takes) waiting.push_back({listener, POLLIN, 0});
            if (poll(waiting.data(), (nfds_t)waiting.size(), millisecondsLeft()) < 0) continue;
            // Before anything changes the order of them.
            size_t at = 1;
            for (const Run& run : runs)
                if (waiting[at++].revents & (POLLHUP | POLLERR)) stop(run);
            for (Client& client : clients) hear(client, waiting[at++].revents);
            for (Farewell& one : leaving)
                if (waiting[at++].revents) tell(one);
            const bool hasCaller = takes && waiting.back().revents;
            dropGone();
            if (hasCaller) accept();
            if (waiting[0].revents) readSignals();
            startNext();
        }
    }

private:
    int listener, signals;
    ServeOptions options;
    /// In the order in which they came.
    std::vector<Client> clients;
    std::vector<Run> runs;
    std::vector<Farewell> leaving;
    bool isEnding = false;

    /// Whether another one may connect; who is silent makes room.
    bool hasRoom() const {
        return clients.size() < mostClients || std::any_of(clients.begin(), clients.end(), [](const Client& one) { return !one.hasAsked; });
    }

    /// Until somebody's patience is over; -1 when nobody's runs.
    int millisecondsLeft() const {
        Clock::time_point first = Clock::time_point::max();
        for (const Client& client : clients)
            if (!client.hasAsked) first = std::min(first, client.until);
        for (const Farewell& one : leaving) first = std::min(first, one.until);
        if (first == Clock::time_point::max()) return -1;
        auto left = std::chrono::ceil<std::chrono::milliseconds>(first - Clock::now()).count();
        return (int)std::max<decltype(left)>(left, 0);
    }

    void accept() {
        if (clients.size() >= mostClients) {
            auto silent = std::find_if(clients.begin(), clients.end(), [](const Client& one) { return !one.hasAsked; });
            if (silent == clients.end()) return;
            hangUp(*silent);
            clients.erase(silent);
        }
        int connection = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (connection < 0) return;
        // For the process that will write to it.
        timeval most{(time_t)patience.count(), 0};
        setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
        Client client;
        client.connection = connection;
        client.until = Clock::now() + patience;
        clients.push_back(client);
    }

    /// Reads what a client wants, once; who has asked and hangs up no longer wants it.
    void hear(Client& client, short events) {
        if (events == 0) return;
        if (client.hasAsked || !readRequest(client.connection, client.request)) return hangUp(client);
        client.hasAsked = true;
    }

    void hangUp(Client& client) {
        dropFiles(client.request);
        if (client.connection >= 0) close(client.connection);
        client.connection = -1;
    }

    void dropFiles(Request& request) {
        for (int* file : {&request.file, &request.words}) {
            if (*file >= 0) close(*file);
            *file = -1;
        }
    }

    /// Sends what is left of a last line, as far as it goes.
    void tell(Farewell& one) {
        ssize_t count = send(one.connection, one.rest.data(), one.rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count > 0) one.rest.erase(0, (size_t)count);
        bool mayTryAgain = count > 0 || errno == EAGAIN || errno == EINTR;
        if (!one.rest.empty() && mayTryAgain) return;
        close(one.connection);
        one.connection = -1;
    }

    /// Lets go of everybody who is gone, and of those who were silent, or did not listen, for too long.
    void dropGone() {
        const auto now = Clock::now();
        for (Client& client : clients)
            if (isEnding || (!client.hasAsked && client.until <= now)) hangUp(client);
        for (Farewell& one : leaving)
            if (one.connection >= 0 && one.until <= now) close(one.connection), one.connection = -1;
        clients.erase(std::remove_if(clients.begin(), clients.end(), [](const Client& one) { return one.connection < 0; }), clients.end());
        leaving.erase(std::remove_if(leaving.begin(), leaving.end(), [](const Farewell& one) { return one.connection < 0; }), leaving.end());
    }

    /// Gives places to those who have asked, in the order in which they came.
    void startNext() {
        for (Client& client : clients) {
            if (isEnding || runs.size() >= options.atOnce) break;
            if (!client.hasAsked) continue;
            bool isStarted = start(client.connection, client.request);
            dropFiles(client.request);
            if (!isStarted) close(client.connection);
            // It is the run's now.
            client.connection = -1;
        }
        dropGone();
    }

    bool start(int connection, const Request& request) {
        std::string folder = options.scratch + "/run-XXXXXX";
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
        off_t largest = request.form.isKnown() ? largestPicture : options.largest;
        std::string heard = folder + "/words";
        if (request.file >= 0 && !copyFile(request.file, input.c_str(), largest)) _exit(exitFailure);
        if (request.words >= 0 && !copyFile(request.words, heard.c_str(), largestWords)) _exit(exitFailure);
        preferToServer();
        int nothing = open("/dev/null", O_RDWR);
        // The socket and all others are gone with the new program.
        if (dup2(nothing, 0) < 0 || dup2(connection, 1) < 0 || dup2(nothing, 2) < 0) _exit(exitFailure);
        const char* analyze[] = {"mirrormate-media", "analyze", "--input", input.c_str(), "--models", options.models.c_str(),
            "--scratch", folder.c_str(), "--max-seconds", longest.c_str(), "--parent", parent.c_str(),
            request.words >= 0 ? "--words" : nullptr, heard.c_str(), nullptr};
        const char* sound[] = {"mirrormate-media", "sound", "--input", input.c_str(), "--scratch", folder.c_str(), "--max-seconds",
            longest.c_str(), "--parent", parent.c_str(), nullptr};
        const char* frames[] = {"mirrormate-media", "frames", "--input", input.c_str(), "--scratch", folder.c_str(), "--max-seconds",
            longest.c_str(), "--parent", parent.c_str(), nullptr};
        const char* photo[] = {"mirrormate-media", "photo", "--input", input.c_str(), "--form", request.form.name.c_str(),
            "--orientation", orientation.c_str(), "--scratch", folder.c_str(), "--parent", parent.c_str(), nullptr};
        const char* version[] = {"mirrormate-media", "version", "--models", options.models.c_str(), nullptr};
        const char** words = request.form.isKnown() ? photo : request.isSound ? sound : request.takesFrames ? frames :
            request.seconds > 0 ? analyze : version;
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
        leaving.push_back({run.connection, Clock::now() + patience, last});
        tell(leaving.back());
    }

    void remove(const std::string& folder) {
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
    }
};

}  // namespace

int serve(const ServeOptions& options) {
    sigset_t wanted;
    sigemptyset(&wanted);
    for (int one : {SIGCHLD, SIGTERM, SIGINT}) sigaddset(&wanted, one);
    // A started process inherits that SIGINT is ignored; it counts nonetheless.
    signal(SIGINT, SIG_DFL);
    if (sigprocmask(SIG_BLOCK, &wanted, nullptr) != 0) return complain("no signals");
    int signals = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals < 0) return complain("no signals");
    int listener = listenAt(options.socket);
    if (listener < 0) return complain("cannot listen at --socket");
    // The socket is ours, so these are of one that is dead.
    std::error_code trouble;
    for (const auto& entry : std::filesystem::directory_iterator(options.scratch, trouble))
        if (entry.path().filename().string().rfind("run-", 0) == 0) std::filesystem::remove_all(entry.path(), trouble);
    if (trouble || access(options.scratch.c_str(), W_OK) != 0) return complain("cannot write into --scratch");
    Server(listener, signals, options).serve();
    unlink(options.socket.c_str());
    return exitResult;
}

}  // namespace mirrormate
