#include "Landlock.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace mirrormate {

namespace {

// The kernel's interface by its numbers: Debian's headers are older than the kernels that it may meet.
constexpr long createRuleset = 444, addRule = 445, restrictSelf = 446;
constexpr unsigned askVersion = 1;
constexpr int pathBeneath = 1;

enum Right : uint64_t {
    execute = 1 << 0, writeFile = 1 << 1, readFile = 1 << 2, readFolder = 1 << 3, removeFile = 1 << 5, makeFile = 1 << 8,
    truncateFile = 1 << 14, deviceControl = 1 << 15,
    // Bits 4 to 12 are all that makes or removes something.
    changes = writeFile | 0x1FF0 | truncateFile,
};

struct Ruleset {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
};

struct __attribute__((packed)) Rule {
    uint64_t allowed;
    int32_t parent;
};

/// All rights over files that a version knows: 13 in the first, then linking across folders, truncating, device control.
uint64_t rights(int version) {
    int count = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
    return (1ull << count) - 1;
}

}  // namespace

int FileRules::version() {
    long version = syscall(createRuleset, nullptr, 0, askVersion);
    return version > 0 ? (int)version : 0;
}

FileRules::FileRules(Closed closed) {
    int known = version();
    if (known == 0) return;
    const bool isAll = closed == Closed::everything;
    handled = rights(known) & (isAll ? ~0ull : (uint64_t)changes);
    // Since version 4 binding and connecting TCP, since version 6 abstract sockets and signals to processes outside.
    Ruleset rules{handled, isAll ? 3u : 0u, isAll ? 3u : 0u};
    size_t size = known >= 6 ? 24 : known >= 4 ? 16 : 8;
    ruleset = (int)syscall(createRuleset, &rules, size, 0);
    isBroken = ruleset < 0;
}

FileRules::~FileRules() {
    if (ruleset >= 0) close(ruleset);
}

void FileRules::allow(const std::string& path, Use use) {
    if (ruleset < 0) return;
    int file = open(path.c_str(), O_PATH | O_CLOEXEC);
    if (file < 0) return;
    struct stat what{};
    bool isFolder = fstat(file, &what) == 0 && S_ISDIR(what.st_mode);
    uint64_t wanted = readFile | (isFolder ? readFolder : 0);
    if (use == Use::execute) wanted |= execute;
    if (use == Use::device) wanted |= writeFile | deviceControl;
    if (use == Use::write) wanted |= writeFile | truncateFile | (isFolder ? makeFile | removeFile : 0);
    Rule rule{wanted & handled, file};
    if (syscall(addRule, ruleset, pathBeneath, &rule, 0) != 0) isBroken = true;
    close(file);
}

bool FileRules::enforce() {
    if (isBroken) return false;
    return ruleset < 0 || syscall(restrictSelf, ruleset, 0) == 0;
}

}  // namespace mirrormate
