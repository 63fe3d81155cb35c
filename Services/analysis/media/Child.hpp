#pragma once
#include <functional>
#include <string>
#include <vector>

#include "Limits.hpp"

namespace mirrormate {

/// How a child process ended.
struct ChildEnd {
    bool started = false;
    /// Exit code, or -1 if a signal ended it.
    int code = -1;
    int signal = 0;
    /// Stopped by us because its time was up or a reader refused more.
    bool stopped = false;
    /// Lines of standard error that are no refusals of a decoder.
    size_t errorLines = 0;
    /// A decoder was wanted that is not on the list.
    bool refusedDecoder = false;
    /// The file ends in the middle of what its index promises.
    bool cutOff = false;

    bool good() const { return started && code == 0; }
};

/// Takes bytes as they arrive; returns false to stop the child.
using ByteReader = std::function<bool(const char* bytes, size_t count)>;

/// Where a program lies in PATH, without links; empty if it is not there.
std::string findProgram(const std::string& name);

/// Runs a program from PATH with limits, no standard input and an almost empty environment, until it was silent for so many
/// seconds; how long it may take in all is for the clock (`Limits.hpp`).
/// Standard output goes to `reader`, descriptor 3 to `extraReader` if given; all pipes are drained together.
/// Standard error is only counted: it may quote the file's own metadata.
ChildEnd runChild(const std::vector<std::string>& arguments, double seconds, const ByteReader& reader,
    const ByteReader& extraReader = nullptr, const Allowance& allowance = childAllowance);

}  // namespace mirrormate
