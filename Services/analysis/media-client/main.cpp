// Lets a video be measured, its sound or some pictures be taken out, or a photo be made, by `mirrormate-media serve` behind a Unix socket: takes the words of
// `mirrormate-media`, says its lines and ends with its exit code. It opens the file, but never reads a byte of it.
//
// Where the server is not there, it is waited for a while, because it may be about to start; then the exit code is 69.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace {

enum Exit { exitReached = 0, exitUsage = 2, exitCrashed = 70, exitUnavailable = 69 };

constexpr size_t longestLine = 8u << 20;

/// How often the server is looked for, a quarter of a second apart.
constexpr int mostTries = 80;

struct Arguments {
    std::string command, input, words, socket, form, orientation;
    long seconds = 95;
    pid_t parent = 0;
    bool understood = false;
};

/// Whether it takes something out of a video.
bool takesPart(const std::string& command) { return command == "sound" || command == "frames"; }

Arguments parse(int count, char** words) {
    Arguments result;
    if (count < 2 || count % 2 != 0) return result;
    result.command = words[1];
    for (int at = 2; at < count; at += 2) {
        std::string name = words[at], value = words[at + 1];
        if (name == "--input") result.input = value;
        else if (name == "--words") result.words = value;
        else if (name == "--socket") result.socket = value;
        else if (name == "--max-seconds") result.seconds = atol(value.c_str());
        else if (name == "--form") result.form = value;
        else if (name == "--orientation") result.orientation = value;
        else if (name == "--parent") result.parent = atoi(value.c_str());
        // These are the server's own affair.
        else if (name != "--models" && name != "--scratch") return result;
    }
    bool analyzes = (result.command == "analyze" || (takesPart(result.command) && result.words.empty())) && !result.input.empty() && result.seconds > 0;
    bool makesPhoto = result.command == "photo" && !result.input.empty() && !result.form.empty() && !result.orientation.empty();
    result.understood = (analyzes || makesPhoto || result.command == "version" || result.command == "reach") && !result.socket.empty();
    return result;
}

/// A connection to the server; -1 if there is none.
int connectTo(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) return -1;
    memcpy(address.sun_path, path.data(), path.size());
    for (int left = mostTries; left > 0; --left) {
        int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (connection < 0) return -1;
        if (connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return connection;
        close(connection);
        timespec pause{0, 250'000'000};
        nanosleep(&pause, nullptr);
    }
    return -1;
}

bool ask(int connection, const std::string& text, const int* files, size_t count) {
    iovec bytes{const_cast<char*>(text.data()), text.size()};
    alignas(cmsghdr) char room[CMSG_SPACE(2 * sizeof(int))] = {};
    msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    if (count > 0) {
        message.msg_control = room;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        cmsghdr* part = CMSG_FIRSTHDR(&message);
        part->cmsg_level = SOL_SOCKET;
        part->cmsg_type = SCM_RIGHTS;
        part->cmsg_len = CMSG_LEN(count * sizeof(int));
        memcpy(CMSG_DATA(part), files, count * sizeof(int));
    }
    return sendmsg(connection, &message, MSG_NOSIGNAL) == (ssize_t)text.size();
}

/// Passes on all lines but the last, which is the exit code, as long as the parent lives.
int passOn(int connection, pid_t parent) {
    std::string text;
    char buffer[1 << 16];
    for (;;) {
        pollfd ready{connection, POLLIN, 0};
        if (poll(&ready, 1, 200) == 0) {
            if (parent != 0 && getppid() != parent) break;
            continue;
        }
        ssize_t count = read(connection, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        text.append(buffer, (size_t)count);
        for (size_t end; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1)) {
            int code = 0;
            if (sscanf(text.c_str(), "{\"exit\":%d}", &code) == 1) return code < 0 ? exitCrashed : code;
            fwrite(text.data(), 1, end + 1, stdout);
            // Progress is wanted when it happens.
            if (fflush(stdout) != 0) return exitCrashed;
        }
        // No line of the helper is so long: somebody has taken it over, and would fill this container's memory.
        if (text.size() > longestLine) return exitCrashed;
    }
    return exitCrashed;
}

}  // namespace

int main(int count, char** words) {
    Arguments arguments = parse(count, words);
    if (!arguments.understood) {
        fputs("usage: mirrormate-media-client analyze --socket PATH --input FILE [--words FILE] [--max-seconds 95] [--parent PID]\n"
              "       mirrormate-media-client sound --socket PATH --input FILE [--max-seconds 95] [--parent PID]\n"
              "       mirrormate-media-client frames --socket PATH --input FILE [--max-seconds 95] [--parent PID]\n"
              "       mirrormate-media-client photo --socket PATH --input FILE --form jpeg|png|webp --orientation 1..8\n"
              "       mirrormate-media-client version --socket PATH\n"
              "       mirrormate-media-client reach --socket PATH\n", stderr);
        return exitUsage;
    }
    bool analyzes = arguments.command == "analyze", takes = takesPart(arguments.command);
    bool opens = analyzes || takes || arguments.command == "photo";
    int files[2] = {-1, -1};
    size_t handed = 0;
    for (const std::string& path : {arguments.input, arguments.words}) {
        if (!opens || path.empty()) continue;
        files[handed] = open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (files[handed++] < 0) return exitCrashed;
    }
    int connection = connectTo(arguments.socket);
    if (connection < 0) return exitUnavailable;
    // For health checks, which come often: nothing is started for it.
    if (arguments.command == "reach") return exitReached;
    std::string kind = takes ? arguments.command + " " : arguments.words.empty() ? "analyze " : "transcribed ";
    std::string request = analyzes || takes ? kind + std::to_string(arguments.seconds) + "\n" :
        opens ? "photo " + arguments.form + " " + arguments.orientation + "\n" : "version\n";
    if (!ask(connection, request, files, handed)) return exitCrashed;
    return passOn(connection, arguments.parent);
}
