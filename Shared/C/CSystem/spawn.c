#define _GNU_SOURCE
#include "csystem.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int limit(int resource, uint64_t value) {
    if (value == 0) return 0;
    struct rlimit both = {value, value};
    return setrlimit(resource, &both);
}

// Puts the descriptors in place. They are first moved above the standard three, because one of them may be among these.
static int connect_streams(const struct mm_spawn_request *request) {
    int wanted[3] = {request->input, request->output, request->error};
    for (int target = 0; target < 3; target++) {
        int source = wanted[target] < 0 ? open("/dev/null", O_RDWR | O_CLOEXEC) : wanted[target];
        if (source < 0) return -1;
        wanted[target] = fcntl(source, F_DUPFD_CLOEXEC, 3);
        if (wanted[target] < 0) return -1;
    }
    for (int target = 0; target < 3; target++) {
        if (dup2(wanted[target], target) < 0) return -1;
    }
    // Older kernels lack the call; there the close-on-exec flags of the parent have to do.
    if (close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) < 0 && errno != ENOSYS && errno != EINVAL) return -1;
    return 0;
}

static int set_limits(const struct mm_spawn_request *request) {
    if (limit(RLIMIT_CPU, request->cpu_seconds) < 0) return -1;
    if (limit(RLIMIT_AS, request->address_space_bytes) < 0) return -1;
    if (limit(RLIMIT_FSIZE, request->file_bytes) < 0) return -1;
    if (limit(RLIMIT_NOFILE, request->open_files) < 0) return -1;
    if (request->no_core) {
        struct rlimit none = {0, 0};
        if (setrlimit(RLIMIT_CORE, &none) < 0) return -1;
    }
    return 0;
}

// Ignored signals stay ignored over an exec. The C library refuses to touch two that it keeps for itself, so the kernel
// is asked directly; a structure of zeros means the default action on every Linux.
static void reset_signals(void) {
    const uint64_t defaults[8] = {0};
    for (int number = 1; number <= 64; number++) syscall(SYS_rt_sigaction, number, defaults, NULL, 8);
}

// Runs between fork and exec: only calls that are safe after a fork of a process with threads.
static int become(const struct mm_spawn_request *request, pid_t parent) {
    reset_signals();
    if (request->new_session && setsid() < 0) return -1;
    if (request->new_group && !request->new_session && setpgid(0, 0) < 0) return -1;
    if (connect_streams(request) < 0) return -1;
    if (request->change_user) {
        if (setgroups(1, &request->group) < 0) return -1;
        if (setresgid(request->group, request->group, request->group) < 0) return -1;
        if (setresuid(request->user, request->user, request->user) < 0) return -1;
    }
    if (set_limits(request) < 0) return -1;
    if (request->folder && chdir(request->folder) < 0) return -1;
    // A change of user clears it, so it comes after; and the parent may have gone before.
    if (request->parent_death_signal) {
        if (prctl(PR_SET_PDEATHSIG, request->parent_death_signal) < 0) return -1;
        if (getppid() != parent) {
            errno = ESRCH;
            return -1;
        }
    }
    sigset_t none;
    sigemptyset(&none);
    if (sigprocmask(SIG_SETMASK, &none, NULL) < 0) return -1;
    execve(request->path, request->arguments, request->environment);
    return -1;
}

int mm_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) < 0 ? -errno : 0; }

pid_t mm_spawn(const struct mm_spawn_request *request) {
    int report[2];
    if (pipe2(report, O_CLOEXEC) < 0) return -errno;
    // A handler of the parent must not run in the child before its signals are back to their defaults.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) {
        become(request, parent);
        int code = errno;
        // The pipe's number survives because close_range only marks; nothing can be done if the write fails.
        if (write(report[1], &code, sizeof code) < 0) _exit(126);
        _exit(127);
    }
    int fork_error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(report[1]);
    if (child < 0) {
        close(report[0]);
        return -fork_error;
    }
    int code = 0;
    ssize_t count;
    do count = read(report[0], &code, sizeof code);
    while (count < 0 && errno == EINTR);
    close(report[0]);
    if (count == 0) return child;
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    return code > 0 ? -code : -EIO;
}
