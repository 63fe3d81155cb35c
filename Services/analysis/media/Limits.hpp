#pragma once
#include <cstddef>
#include <sys/types.h>

namespace mirrormate {

/// Resource limits of one process.
struct Allowance {
    size_t addressSpaceBytes;
    unsigned cpuSeconds;
    /// Of one file that is written.
    size_t fileBytes;
};

/// For this process: the mapped libraries, models and thread arenas need about 0.6 GB of address space
/// on two cores, more with more threads.
#ifdef MIRRORMATE_SANITIZED
// A sanitizer reserves terabytes to keep its books in.
constexpr Allowance ownAllowance{1ul << 60, 600, 64ul << 20};
#else
constexpr Allowance ownAllowance{3ul << 30, 600, 64ul << 20};
#endif
/// For ffmpeg and ffprobe, which write into pipes alone.
constexpr Allowance childAllowance{1536ul << 20, 120, 0};
/// For the ffmpeg of a photo: of the largest picture that is taken, 25 megapixels of 64 bits, it maps some 550 MB and uses 270.
constexpr Allowance photoAllowance{768ul << 20, 30, 0};

/// Lowers the limits of the calling process; safe between fork and exec.
/// Returns false if the system refuses, because running without limits is not an option.
bool apply(const Allowance& allowance);

/// Limits malloc's arenas: each reserves 64 MB of address space, and every thread would get one. Call before the first
/// thread starts.
void keepArenasFew();

/// Ends this process when its parent ends. `expectedParent` (0: the current one) closes the gap
/// between the parent's fork and this call.
bool followParent(pid_t expectedParent);

/// Lets the clock count a child's processor time from now on, while it runs too.
void countChild(pid_t child);
/// Waits for the end of a child that is counted; gives its status, as `waitpid` does.
int collectChild(pid_t child);

/// Starts the clock, which runs by the processor time of two processors, used by this process and its children: a run that was kept
/// from working by others has lost nothing. After `seconds`, or four times as long by the wall, the process reports `internal` and exits with 4.
void startClock(double seconds);
/// Changes when the clock ends, in seconds from its start.
void setClock(double seconds);
/// Seconds left on the clock, or until it ends by the wall if that comes first.
double clockLeft();

}  // namespace mirrormate
