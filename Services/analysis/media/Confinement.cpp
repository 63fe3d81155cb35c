#include "Confinement.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <grp.h>
#include <optional>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "Landlock.hpp"
#include "Seccomp.hpp"
#include "Sphinx.hpp"

namespace mirrormate {

namespace {

/// Where the copy of the input lies, in the scratch folder; empty if there is none.
std::string copyName;
/// Another working file; empty if there is none.
std::string workName;

/// For children, made before there is one: nothing may be allocated between fork and exec.
std::optional<FileRules> childRules;

/// The first of the users that runs become; no account has such a number.
constexpr uid_t firstUser = 1'500'000'000u;
/// No process has a higher number (the kernel's PID_MAX_LIMIT).
constexpr uid_t mostProcesses = 1u << 22;
constexpr uid_t blocks = 64;

/// A number that is no other run's, so that runs can neither signal each other nor use up each other's threads: the kernel counts
/// those by user, whatever the container. Containers number their processes alike, so that of pictures and that of videos have blocks
/// of their own, and in these each namespace of processes most likely, too: the numbers of namespaces follow one another.
uid_t ownUser(bool isPicture) {
    struct stat space{};
    uid_t block = stat("/proc/self/ns/pid", &space) == 0 ? (uid_t)(space.st_ino % blocks) : 0;
    return firstUser + ((isPicture ? blocks : 0) + block) * mostProcesses + (uid_t)getpid();
}

/// Where the kernel knows few users, as in a container with users of its own.
constexpr uid_t nobody = 65534;
/// Threads and processes of a user of its own: a recognizer starts some for each processor. Fewer than a container may have
/// (`pids_limit`), so that one run leaves room for the others; those that share a user share the number, too.
rlim_t mostThreads(uid_t user) {
    return user == nobody ? 1024 : 64 + 4 * (rlim_t)std::max(sysconf(_SC_NPROCESSORS_ONLN), 1l);
}

/// Copies the input into the current folder, for its new owner alone.
bool copyInput(const std::string& from, uid_t owner) {
    int source = open(from.c_str(), O_RDONLY | O_CLOEXEC);
    std::string name = "input-" + std::to_string(getpid());
    int target = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0400);
    bool good = source >= 0 && target >= 0 && fchown(target, owner, owner) == 0;
    if (target >= 0) copyName = name;
    while (good) {
        ssize_t count = copy_file_range(source, nullptr, target, nullptr, 1 << 30, 0);
        if (count == 0) break;
        if (count < 0 && (errno == EXDEV || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP)) {
            char buffer[1 << 16];
            while (good && (count = read(source, buffer, sizeof buffer)) > 0) good = write(target, buffer, (size_t)count) == count;
        }
        good = good && count >= 0;
        if (count == 0) break;
    }
    if (source >= 0) close(source);
    if (target >= 0) close(target);
    return good;
}

/// Whether somebody who is nobody reaches a folder by its path.
bool isOpenToAll(const std::string& path) {
    for (size_t end = 1; end != std::string::npos && end <= path.size();) {
        end = path.find('/', end);
        struct stat folder{};
        if (stat(path.substr(0, end).c_str(), &folder) != 0 || (folder.st_mode & S_IXOTH) == 0) return false;
        if (end != std::string::npos) ++end;
    }
    return true;
}

/// Mounts the models where everybody may look, in a view of the file system that is this process's own.
bool bringNear(std::string& models) {
    const char* const place = "/mnt";
    if (unshare(CLONE_NEWNS) != 0 || mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return false;
    if (mount(models.c_str(), place, nullptr, MS_BIND, nullptr) != 0) return false;
    models = place;
    return true;
}

bool become(uid_t user) {
    rlimit threads{mostThreads(user), mostThreads(user)};
    return setgroups(0, nullptr) == 0 && setresgid(user, user, user) == 0 && setrlimit(RLIMIT_NPROC, &threads) == 0 &&
        setresuid(user, user, user) == 0 && setuid(0) != 0;
}

}  // namespace

bool leaveRoot(Grounds& grounds, const std::string& scratch) {
    if (!scratch.empty() && chdir(scratch.c_str()) != 0) return false;
    if (geteuid() != 0) return true;
    uid_t user = ownUser(grounds.isPicture);
    if (!scratch.empty() && chown(".", user, user) != 0) {
        user = nobody;
        if (chown(".", user, user) != 0) return false;
    }
    if (!grounds.input.empty()) {
        if (!copyInput(grounds.input, user)) return false;
        grounds.input = "file:" + copyName;
    }
    // Without them the rougher recognizer is used, and the report says so.
    if (!grounds.models.empty() && !isOpenToAll(grounds.models)) bringNear(grounds.models);
    return become(user) || (user != nobody && scratch.empty() && become(nobody));
}

bool confine(const Grounds& grounds) {
    using Use = FileRules::Use;
    FileRules rules;
    for (const char* folder : {"/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/etc/ld.so.cache",
             "/sys/devices/system/cpu", "/proc/cpuinfo", "/proc/meminfo", "/dev/urandom"})
        rules.allow(folder, Use::read);
#ifdef MIRRORMATE_SANITIZED
    rules.allow("/proc/self", Use::read);
#endif
    rules.allow("/dev/null", Use::device);
    // The loader is what the kernel starts when it is asked for a program.
    for (const char* loader : {"/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"}) rules.allow(loader, Use::execute);
    for (const std::string& program : grounds.programs) rules.allow(program, Use::execute);
    for (const std::string& folder : {grounds.models, sphinxModels()})
        if (!folder.empty()) rules.allow(folder, Use::read);
    if (!grounds.input.empty()) {
        rules.allow(copyName.empty() ? grounds.input : copyName, Use::read);
        rules.allow(".", Use::write);
    }
    childRules.emplace(FileRules::Closed::changes);
    childRules->allow("/dev/null", Use::device);
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && rules.enforce() && forbidCalls();
}

bool forbidChanges() { return childRules && childRules->enforce(); }

void removeCopy() {
    for (const std::string& name : {copyName, workName})
        if (!name.empty()) unlink(name.c_str());
}

void removeAtEnd(const std::string& name) { workName = name; }

}  // namespace mirrormate
