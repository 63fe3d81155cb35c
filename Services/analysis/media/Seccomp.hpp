#pragma once

namespace mirrormate {

/// Ends this process and its children with SIGSYS at the first call that none of them needs: sockets, sessions and groups of
/// their own, tracing, namespaces, mounts and what reaches into the kernel. Returns false if the kernel refuses.
bool forbidCalls();

/// The same for calls that only the helper needs: its children begin no processes
/// and signal nobody. Safe between fork and exec.
bool forbidProcesses();

}  // namespace mirrormate
