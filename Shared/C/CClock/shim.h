// clock_gettime(2) as plain numbers: with the static standard library the members of `struct timespec` belong to a module of
// the toolchain's own, which sources cannot import.
#ifndef CCLOCK_SHIM_H
#define CCLOCK_SHIM_H

#include <stdint.h>
#include <time.h>

static inline int64_t mm_wall_microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static inline int64_t mm_monotonic_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#endif
