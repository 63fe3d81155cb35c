#define _GNU_SOURCE
#include "csystem.h"

#include <errno.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int mm_pidfd_open(pid_t process) {
    int descriptor = (int)syscall(SYS_pidfd_open, process, 0);
    return descriptor < 0 ? -errno : descriptor;
}

int mm_pidfd_signal(int descriptor, int signal) {
    return syscall(SYS_pidfd_send_signal, descriptor, signal, NULL, 0) < 0 ? -errno : 0;
}

int mm_pidfd_result(int descriptor, int *code) {
    siginfo_t info = {0};
    int outcome;
    do outcome = waitid((idtype_t)P_PIDFD, (id_t)descriptor, &info, WEXITED | WNOHANG);
    while (outcome < 0 && errno == EINTR);
    if (outcome < 0) return -errno;
    if (info.si_pid == 0) return 0;
    *code = info.si_status;
    return info.si_code == CLD_EXITED ? 1 : 2;
}
