#include "Seccomp.hpp"

#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <initializer_list>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <vector>

namespace mirrormate {

namespace {

#if defined(__x86_64__)
constexpr unsigned architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned architecture = AUDIT_ARCH_AARCH64;
#else
#error "The calls of this processor's kernel are not known here."
#endif

// No run of the helper, ffmpeg or ffprobe makes any of these, so whoever does is ended: an error number would let it try the next.
const unsigned forbidden[] = {
    __NR_socket, __NR_socketpair, __NR_connect, __NR_bind, __NR_listen, __NR_accept, __NR_accept4,
    __NR_setsid, __NR_setpgid,
    __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev, __NR_kcmp, __NR_pidfd_open, __NR_pidfd_getfd,
    __NR_pidfd_send_signal, __NR_process_madvise,
    __NR_unshare, __NR_setns, __NR_mount, __NR_umount2, __NR_pivot_root, __NR_chroot, __NR_open_tree, __NR_move_mount,
    __NR_fsopen, __NR_fsconfig, __NR_fsmount, __NR_fspick, __NR_mount_setattr, __NR_open_by_handle_at,
    __NR_name_to_handle_at, __NR_fanotify_init, __NR_quotactl,
    __NR_bpf, __NR_perf_event_open, __NR_userfaultfd, __NR_io_uring_setup, __NR_io_uring_enter, __NR_io_uring_register,
    __NR_keyctl, __NR_add_key, __NR_request_key,
    __NR_init_module, __NR_finit_module, __NR_delete_module, __NR_kexec_load, __NR_reboot, __NR_swapon, __NR_swapoff,
    __NR_syslog, __NR_acct, __NR_settimeofday, __NR_clock_settime, __NR_adjtimex, __NR_clock_adjtime, __NR_sethostname,
    __NR_setdomainname, __NR_vhangup, __NR_personality,
    __NR_setuid, __NR_setgid, __NR_setreuid, __NR_setregid, __NR_setresuid, __NR_setresgid, __NR_setgroups, __NR_setfsuid,
    __NR_setfsgid, __NR_capset, __NR_mknodat, __NR_memfd_create, __NR_shmget, __NR_msgget, __NR_semget, __NR_mq_open,
    // Landlock does not keep these from whoever owns a file; the first one not before its version 3.
    __NR_truncate, __NR_fchmod, __NR_fchmodat, __NR_fchown, __NR_fchownat, __NR_utimensat, __NR_setxattr, __NR_lsetxattr,
    __NR_fsetxattr, __NR_removexattr, __NR_lremovexattr, __NR_fremovexattr,
    // Nor these from whoever is the same user as a process.
    __NR_setpriority, __NR_ioprio_set, __NR_sched_setscheduler, __NR_sched_setparam, __NR_sched_setattr, __NR_migrate_pages,
    __NR_move_pages,
#if defined(__x86_64__)
    __NR_chmod, __NR_chown, __NR_lchown, __NR_utime, __NR_utimes, __NR_futimesat,
    __NR_mknod, __NR_iopl, __NR_ioperm, __NR_modify_ldt, __NR_uselib, __NR_kexec_file_load,
#endif
};

/// The first number behind those that were known when the list was made (Linux 5.17); the same on each processor.
constexpr unsigned firstUnknown = 451;

/// Namespaces, and children that are traced, or are the service's: it would never collect them.
constexpr unsigned strangeChildren = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
    CLONE_NEWNET | CLONE_PTRACE | CLONE_PARENT;

using Filter = std::vector<sock_filter>;

void load(Filter& filter, size_t offset) {
    filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offset));
}

void end(Filter& filter, unsigned action) { filter.push_back(BPF_STMT(BPF_RET | BPF_K, action)); }

/// Goes on with what `then` writes when the call is this one, otherwise behind it.
template <typename Then>
void on(Filter& filter, unsigned call, Then then) {
    size_t at = filter.size();
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 0));
    then();
    filter[at].jf = (unsigned char)(filter.size() - at - 1);
}

/// Ends whoever makes a call with one of these values in a place, counted from 0; with another value it is allowed.
void onValues(Filter& filter, unsigned call, size_t place, std::initializer_list<unsigned> values) {
    on(filter, call, [&] {
        load(filter, offsetof(seccomp_data, args) + 8 * place);
        for (unsigned value : values) {
            filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
            end(filter, SECCOMP_RET_KILL_PROCESS);
        }
        end(filter, SECCOMP_RET_ALLOW);
    });
}

Filter beginning() {
    Filter filter;
    load(filter, offsetof(seccomp_data, arch));
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0));
    end(filter, SECCOMP_RET_KILL_PROCESS);
    load(filter, offsetof(seccomp_data, nr));
#if defined(__x86_64__)
    // The calls of the ABI x32 are the same ones under other numbers.
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
    end(filter, SECCOMP_RET_KILL_PROCESS);
#endif
    return filter;
}

bool install(Filter& filter) {
    sock_fprog program{(unsigned short)filter.size(), filter.data()};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

/// Made at the start: nothing may be allocated between fork and exec.
Filter childFilter = [] {
    Filter filter = beginning();
#if defined(__x86_64__)
    for (unsigned call : {__NR_fork, __NR_vfork}) on(filter, call, [&] { end(filter, SECCOMP_RET_KILL_PROCESS); });
#endif
    for (unsigned call : {__NR_kill, __NR_tkill, __NR_tgkill, __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo})
        on(filter, call, [&] { end(filter, SECCOMP_RET_KILL_PROCESS); });
    // Which is all that ends it where the helper is killed alone.
    onValues(filter, __NR_prctl, 0, {PR_SET_PDEATHSIG});
    on(filter, __NR_clone, [&] {
        load(filter, offsetof(seccomp_data, args));
        filter.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0));
        end(filter, SECCOMP_RET_KILL_PROCESS);
        end(filter, SECCOMP_RET_ALLOW);
    });
    end(filter, SECCOMP_RET_ALLOW);
    return filter;
}();

}  // namespace

bool forbidCalls() {
    Filter filter = beginning();
    // A list of what is forbidden knows nothing of what comes later.
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, firstUnknown, 0, 1));
    end(filter, SECCOMP_RET_ERRNO | ENOSYS);
    // A file can be told to signal any process of the same user.
    onValues(filter, __NR_fcntl, 1, {F_SETOWN, F_SETOWN_EX, F_SETSIG});
    // What is typed into a terminal that way is taken for its owner's.
    onValues(filter, __NR_ioctl, 1, {TIOCSTI});
    // What clone3 is asked for lies in memory, where no filter sees it; without it the C library calls clone.
    on(filter, __NR_clone3, [&] { end(filter, SECCOMP_RET_ERRNO | ENOSYS); });
    for (unsigned call : forbidden) on(filter, call, [&] { end(filter, SECCOMP_RET_KILL_PROCESS); });
    // One's own limits only.
    on(filter, __NR_prlimit64, [&] {
        load(filter, offsetof(seccomp_data, args));
        filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0));
        end(filter, SECCOMP_RET_KILL_PROCESS);
        end(filter, SECCOMP_RET_ALLOW);
    });
    on(filter, __NR_clone, [&] {
        load(filter, offsetof(seccomp_data, args));
        filter.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, strangeChildren, 0, 1));
        end(filter, SECCOMP_RET_KILL_PROCESS);
        end(filter, SECCOMP_RET_ALLOW);
    });
    end(filter, SECCOMP_RET_ALLOW);
    return install(filter);
}

bool forbidProcesses() { return install(childFilter); }

}  // namespace mirrormate
