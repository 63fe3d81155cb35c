#include "Limits.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <malloc.h>
#include <mutex>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "Confinement.hpp"
#include "Output.hpp"

namespace mirrormate {

namespace {

pid_t parent = 0;
/// What others use of the processors is no fault of the video: by the clock a run may take so many times as long.
constexpr double patience = 4;
/// How many processors a run uses at once.
constexpr double processors = 2;
/// How many files a process may have open: more than any of them needs.
constexpr rlim_t mostFiles = 256;

std::atomic<double> budget{0};
std::chrono::steady_clock::time_point clockStart;

/// Children that have not been collected, whose time the kernel does not yet count as ours.
std::mutex childrenLock;
std::vector<pid_t> children;

double elapsed() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - clockStart).count();
}

double seconds(const timeval& time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

/// Processor time of a process that was not collected yet, in seconds.
double used(pid_t process) {
    clockid_t clock;
    timespec time{};
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/// Processor time of this process and of all its children, in seconds.
double used() {
    double result = 0;
    std::lock_guard<std::mutex> guard(childrenLock);
    for (pid_t child : children) result += used(child);
    for (int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage usage{};
        if (getrusage((__rusage_who)who, &usage) == 0) result += seconds(usage.ru_utime) + seconds(usage.ru_stime);
    }
    return result;
}

bool lower(int resource, rlim_t most) {
    rlimit limit{};
    if (getrlimit((__rlimit_resource)resource, &limit) != 0) return false;
    if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > most) limit.rlim_max = most;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit((__rlimit_resource)resource, &limit) == 0;
}

/// The kernel sends the death signal when the *thread* that forked us ends, which is no reason to stop; only a changed
/// parent process is.
void parentChanged(int) {
    if (getppid() != parent) _exit(exitFailure);
}

void watch() {
    while (clockLeft() > 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        if (parent != 0 && getppid() != parent) _exit(exitFailure);
    }
    printFailure({"internal", "The analysis took too long and was stopped. Try again.", true});
    removeCopy();
    // Children end by their own death signal.
    _exit(exitFailure);
}

}  // namespace

void keepArenasFew() { mallopt(M_ARENA_MAX, 4); }

bool apply(const Allowance& allowance) {
    return lower(RLIMIT_AS, allowance.addressSpaceBytes) && lower(RLIMIT_CPU, allowance.cpuSeconds) &&
        lower(RLIMIT_FSIZE, allowance.fileBytes) && lower(RLIMIT_NOFILE, mostFiles) && lower(RLIMIT_CORE, 0);
}

bool followParent(pid_t expectedParent) {
    parent = expectedParent != 0 ? expectedParent : getppid();
    struct sigaction action{};
    action.sa_handler = parentChanged;
    action.sa_flags = SA_RESTART;
    if (sigaction(SIGUSR1, &action, nullptr) != 0 || prctl(PR_SET_PDEATHSIG, SIGUSR1) != 0) return false;
    return getppid() == parent;
}

void countChild(pid_t child) {
    std::lock_guard<std::mutex> guard(childrenLock);
    children.push_back(child);
}

int collectChild(pid_t child) {
    siginfo_t end{};
    while (waitid(P_PID, (id_t)child, &end, WEXITED | WNOWAIT) < 0 && errno == EINTR) {}
    // From here on it counts among those that have ended, and no more among those that run.
    std::lock_guard<std::mutex> guard(childrenLock);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    children.erase(std::remove(children.begin(), children.end(), child), children.end());
    return status;
}

void startClock(double seconds) {
    clockStart = std::chrono::steady_clock::now();
    budget = seconds;
    std::thread(watch).detach();
}

void setClock(double seconds) { budget = seconds; }

double clockLeft() {
    double seconds = budget.load();
    return std::min(patience * seconds - elapsed(), seconds - used() / processors);
}

}  // namespace mirrormate
