#pragma once

namespace mirrormate {

/// Ends this process and its children with SIGSYS at the first call that none of them needs: sockets, sessions and groups of
/// their own, tracing, namespaces, mounts, what changes files and processes by their names alone, and what reaches into the
/// kernel. Calls that are newer than this code are to them as if the kernel had none. Returns false if the kernel refuses.
bool forbidCalls();

/// The same for calls that only the helper needs: its children begin no processes,
/// signal nobody and end with their parent. Safe between fork and exec.
bool forbidProcesses();

}  // namespace mirrormate
