#pragma once
#include <cstddef>
#include <sys/types.h>

namespace mirrormate {

/// What one process may use at most.
struct Allowance {
    size_t addressSpaceBytes;
    unsigned cpuSeconds;
    size_t fileBytes;
};

/// For this process: the mapped libraries, models and thread arenas need about 0.6 GB of address space
/// on two cores, more with more threads.
constexpr Allowance ownAllowance{3ul << 30, 600, 64ul << 20};
/// For ffmpeg and ffprobe.
constexpr Allowance childAllowance{1536ul << 20, 120, 400ul << 20};

/// Lowers the limits of the calling process; safe between fork and exec.
/// Gives false when the system refuses, because running without limits is not an option.
bool apply(const Allowance& allowance);

/// Each memory arena reserves 64 MB of address space, and threads would get one each; call before the first thread.
void keepArenasFew();

/// Ends this process when its parent ends. `expectedParent` (0 = whoever it is now) closes the gap
/// between the parent's fork and this call.
bool followParent(pid_t expectedParent);

/// Starts the clock: when `seconds` have passed the process reports `internal` and ends with exit 4.
void startClock(double seconds);
/// Moves the end of the clock; counted from the start of the clock.
void setClock(double seconds);
/// Seconds left on the clock.
double clockLeft();

}  // namespace mirrormate
