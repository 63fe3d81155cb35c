#pragma once
#include <string>
#include <sys/types.h>

#include "Photo.hpp"

namespace mirrormate {

/// What somebody asks a server for, in one message, with the descriptor of a file, or of two.
struct Request {
    /// Of `analyze`, `transcribed`, `sound` and `frames`; 0 otherwise.
    long seconds = 0;
    /// Whether it is `sound`.
    bool isSound = false;
    /// Whether it is `frames`.
    bool takesFrames = false;
    /// Of `photo`; not known otherwise.
    PhotoForm form;
    /// Of all these; -1 for `version`.
    int file = -1;
    /// Of `transcribed`, the file of words; -1 otherwise.
    int words = -1;
};

/// Listens at a path, for its user and group alone; -1 with errno otherwise, EADDRINUSE when somebody else answers there.
int listenAt(const std::string& path);

/// Reads what is wanted, without waiting for it; false if it is no request. The descriptors that came are the caller's all the same.
bool readRequest(int connection, Request& request);

/// Copies a plain file of no more than so many bytes into a new one, within a minute or not at all (SIGALRM); safe between fork and
/// exec. Whatever else a descriptor is, and however much it grows meanwhile, it fills no folder and keeps nobody waiting for ever.
bool copyFile(int from, const char* name, off_t largest);

}  // namespace mirrormate
