#ifndef MIRRORMATE_CSYSTEM_H
#define MIRRORMATE_CSYSTEM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

// What Swift cannot say itself: starting a limited child process, and naming processes by descriptors (pidfd).

/// How a child process is started. Zero means "as the parent has it" for every limit.
struct mm_spawn_request {
    /// The executable's path; PATH is not searched.
    const char *path;
    /// NULL-terminated arguments, the first one being the program's name.
    char *const *arguments;
    /// NULL-terminated environment.
    char *const *environment;
    /// The folder the child starts in, or NULL.
    const char *folder;
    /// Descriptors for standard input, output and error; -1 for /dev/null.
    int input, output, error;
    /// Limits: processor seconds, bytes of address space, bytes of a written file, open files.
    uint64_t cpu_seconds, address_space_bytes, file_bytes, open_files;
    /// Whether the child may not write core dumps.
    bool no_core;
    /// A signal that the child gets when the thread that started it ends; 0 for none.
    int parent_death_signal;
    /// Whether the child leads a new session, so that it outlives the terminal.
    bool new_session;
    /// Whether the child leads a new process group, so that it can be signalled with its children.
    bool new_group;
    /// Whether `user` and `group` are to be taken on (needs root).
    bool change_user;
    uid_t user;
    gid_t group;
};

/// Starts a child process with default signal handling and no other descriptor than the three.
/// Answers its id, or the negative errno of what failed, up to and including the exec.
pid_t mm_spawn(const struct mm_spawn_request *request);

/// Makes a pipe whose ends are closed on exec: ends[0] is read, ends[1] written. 0 or a negative errno.
int mm_pipe(int ends[2]);

/// A descriptor for a process, readable once it has ended; negative errno on failure.
int mm_pidfd_open(pid_t process);

/// Signals exactly the process that the descriptor names; 0 or a negative errno.
int mm_pidfd_signal(int descriptor, int signal);

/// Takes the result of an ended child. Answers 1 with `*code` its exit code, 2 with `*code` the signal that ended it,
/// 0 while it runs, or a negative errno.
int mm_pidfd_result(int descriptor, int *code);

/// The version of Landlock, by which a process gives up access to files; 0 where the kernel has none or does not allow it.
int mm_landlock_version(void);

#endif
