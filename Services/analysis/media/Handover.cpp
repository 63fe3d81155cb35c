#include "Handover.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace mirrormate {

namespace {

/// How long a copy of a file may take, in seconds.
constexpr unsigned copying = 60;

/// Whether somebody wants something that there is.
bool understand(const char* text, Request& request) {
    char end = 0, name[8] = "";
    if (strcmp(text, "version\n") == 0) return true;
    if (sscanf(text, "analyze %ld%c", &request.seconds, &end) == 2) {
        // Another file is nobody's wish here.
        return end == '\n' && request.seconds > 0 && request.file >= 0 && request.words < 0;
    }
    if (sscanf(text, "transcribed %ld%c", &request.seconds, &end) == 2)
        return end == '\n' && request.seconds > 0 && request.file >= 0 && request.words >= 0;
    if (sscanf(text, "sound %ld%c", &request.seconds, &end) == 2) {
        request.isSound = true;
        return end == '\n' && request.seconds > 0 && request.file >= 0 && request.words < 0;
    }
    if (sscanf(text, "frames %ld%c", &request.seconds, &end) == 2) {
        request.takesFrames = true;
        return end == '\n' && request.seconds > 0 && request.file >= 0 && request.words < 0;
    }
    if (sscanf(text, "photo %7[a-z] %d%c", name, &request.form.orientation, &end) != 3) return false;
    request.form.name = name;
    return end == '\n' && request.form.isKnown() && request.file >= 0;
}

}  // namespace

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

bool readRequest(int connection, Request& request) {
    char text[64];
    constexpr size_t most = 2;
    alignas(cmsghdr) char room[CMSG_SPACE(most * sizeof(int))];
    iovec bytes{text, sizeof text - 1};
    msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = room;
    // For two descriptors: more would be nobody's to close.
    message.msg_controllen = CMSG_LEN(most * sizeof(int));
    ssize_t count = recvmsg(connection, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (count <= 0) return false;
    text[count] = 0;
    for (cmsghdr* part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part))
        if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_RIGHTS) {
            if (part->cmsg_len >= CMSG_LEN(sizeof(int))) memcpy(&request.file, CMSG_DATA(part), sizeof(int));
            if (part->cmsg_len >= CMSG_LEN(2 * sizeof(int))) memcpy(&request.words, CMSG_DATA(part) + sizeof(int), sizeof(int));
        }
    return understand(text, request);
}

bool copyFile(int from, const char* name, off_t largest) {
    struct stat what{};
    if (fstat(from, &what) != 0 || !S_ISREG(what.st_mode) || what.st_size > largest) return false;
    alarm(copying);
    int to = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (to < 0) return false;
    char buffer[1 << 16];
    off_t at = 0;
    ssize_t count;
    while ((count = pread(from, buffer, sizeof buffer, at)) > 0) {
        if (write(to, buffer, (size_t)count) != count) return false;
        at += count;
        if (at > largest) return false;
    }
    bool isWhole = count == 0 && close(to) == 0;
    alarm(0);
    return isWhole;
}

}  // namespace mirrormate
