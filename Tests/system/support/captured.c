// An ffmpeg that somebody has taken over: tries one deed (DEED), and says by pictures that it has succeeded. As PROBE it is an
// ffprobe that believes every file.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#ifndef DEED
#define DEED NOTHING
#endif
#ifndef TARGET
#define TARGET ""
#endif
#ifndef PICTURES
#define PICTURES 20
#endif

enum { SOCKET, SECRET, ENVIRONMENT, WRITE, CREATE, EXECUTE, BOMB, DAEMON, GROUP, OUTLIVE, TRACE, PEEK, SIGNAL, OWNER, PRIORITY,
    TERMINAL, MODE, MODE_NEWLY, TIMES, TRUNCATE, ATTRIBUTE, MOUNT, NAMESPACE, RING, KEYS, BPF, ROOT, LIMITS, MEMORY, FILESIZE,
    THREADS, PROCESSOR, BURN, SLOW, FALL_SILENT, SLEEP, NOTHING };

static int opens(const char *path, int flags) {
    int file = open(path, flags, 0600);
    if (file >= 0) close(file);
    return file >= 0;
}

static void picture(void) {
    static unsigned char pixels[160 * 120];
    printf("P5\n160 120\n255\n");
    fwrite(pixels, 1, sizeof pixels, stdout);
    fflush(stdout);
}

// Seconds of this process's own processor time.
static double used(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void *idle(void *nothing) {
    for (;;) pause();
    return nothing;
}

static void *burn(void *nothing) {
    for (;;) used();
    return nothing;
}

// 1 when it worked.
static int deed(void) {
    switch (DEED) {
    case SOCKET: return socket(AF_INET, SOCK_STREAM, 0) >= 0;
    case SECRET: return opens(TARGET, O_RDONLY);
    case ENVIRONMENT: {
        char path[64];
        snprintf(path, sizeof path, "/proc/%d/environ", getppid());
        return opens(path, O_RDONLY);
    }
    case WRITE: return opens(TARGET, O_WRONLY | O_CREAT);
    case CREATE: return opens("made", O_WRONLY | O_CREAT);
    case EXECUTE: execl(TARGET, TARGET, (char *)0); return 0;
    case BOMB: {
        // The first process of the bomb is enough to know, and does no harm where it is not refused.
        pid_t child = fork();
        if (child == 0) _exit(0);
        return child > 0;
    }
    case DAEMON: return setsid() >= 0;
    case GROUP: return setpgid(0, 0) == 0;
    case OUTLIVE: return prctl(PR_SET_PDEATHSIG, 0) == 0;
    case TRACE: return ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0;
    case PEEK: return syscall(SYS_process_vm_readv, getppid(), 0, 0, 0, 0, 0) >= 0;
    case SIGNAL: return kill(atoi(TARGET), SIGTERM) == 0;
    case OWNER: {
        // Such a file signals whoever it belongs to.
        int ends[2];
        return pipe(ends) == 0 && fcntl(ends[0], F_SETOWN, getppid()) == 0;
    }
    case PRIORITY: return setpriority(PRIO_PROCESS, getppid(), 19) == 0;
    case TERMINAL: return ioctl(0, TIOCSTI, "x") == 0;
    case MODE: return chmod(TARGET, 0600) == 0;
    // fchmodat2, which Linux has since 6.6.
    case MODE_NEWLY: return syscall(452, AT_FDCWD, TARGET, 0600, 0) == 0;
    case TIMES: return utimes(TARGET, 0) == 0;
    case TRUNCATE: return truncate(TARGET, 0) == 0;
    case ATTRIBUTE: return setxattr(TARGET, "user.x", "x", 1, 0) == 0;
    case MOUNT: return mount("none", "/mnt", "tmpfs", 0, 0) == 0;
    case NAMESPACE: return unshare(CLONE_NEWUSER) == 0;
    case RING: return syscall(SYS_io_uring_setup, 1, 0) >= 0 || errno == EFAULT;
    case KEYS: return syscall(SYS_keyctl, 0, -3, 0) >= 0;
    case BPF: return syscall(SYS_bpf, 0, 0, 0) >= 0 || errno == EINVAL;
    case ROOT: return setuid(0) == 0;
    case LIMITS: {
        struct rlimit most;
        return prlimit(getppid(), RLIMIT_CPU, 0, &most) == 0;
    }
    case MEMORY: return mmap(0, 1600u << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
    case FILESIZE: {
        struct rlimit most;
        if (getrlimit(RLIMIT_FSIZE, &most) != 0 || most.rlim_max > 0) return 1;
        int file = open("large", O_RDWR | O_CREAT, 0600);
        unlink("large");
        return file >= 0 && write(file, "x", 1) == 1;
    }
    case THREADS: {
        // Small ones, so that the limit on memory does not count.
        pthread_attr_t small;
        pthread_attr_init(&small);
        pthread_attr_setstacksize(&small, 64 << 10);
        for (long left = 128 + 4 * sysconf(_SC_NPROCESSORS_ONLN); left > 0; --left) {
            pthread_t thread;
            if (pthread_create(&thread, &small, idle, 0) != 0) return 0;
        }
        return 1;
    }
    case PROCESSOR: {
        struct rlimit most;
        if (getrlimit(RLIMIT_CPU, &most) != 0 || most.rlim_max > 120) return 1;
        for (;;) {}
    }
    case BURN:
        // Eight at once, so that others' work does not keep it from using up its time before the clock ends by the wall. Never
        // silent, and less than the kernel allows one process.
        for (int at = 0; at < 7; ++at) {
            pthread_t thread;
            if (pthread_create(&thread, 0, burn, 0) != 0) return 0;
        }
        for (int second = 1; second <= 100; ++second) {
            while (used() < second) {}
            picture();
        }
        return 1;
    case SLOW:
        // With those of the end as long as the video is said to be.
        for (int at = 0; at < 10; ++at) {
            sleep(4);
            picture();
        }
        return 1;
    case FALL_SILENT:
        for (int at = 0; at < 12; ++at) picture();
        for (;;) pause();
    case SLEEP: for (;;) pause();
    default: return 1;
    }
}

int main(void) {
#ifdef PROBE
    puts("program_version.version=x\nstreams.stream.0.codec_type=\"video\"\nstreams.stream.0.index=0\n"
         "streams.stream.0.codec_name=\"h264\"\nstreams.stream.0.width=160\nstreams.stream.0.height=120\n"
         "streams.stream.0.avg_frame_rate=\"5/1\"\nformat.duration=\"4.0\"");
#ifdef SOUND
    puts("streams.stream.1.codec_type=\"audio\"\nstreams.stream.1.index=1\nstreams.stream.1.codec_name=\"aac\"");
#endif
    return 0;
#endif
    if (!deed()) return 9;
    for (int at = 0; at < PICTURES; ++at) picture();
    return 0;
}
