#pragma once
#include <string>

namespace mirrormate {

/// Measures, and makes photos, for others, who ask over a socket: each request gets a process of its own, as one of
/// `mirrormate-media analyze` or `photo`, in a scratch folder of its own. Returns the exit code, after SIGTERM or when the socket cannot be made.
///
/// A request is one message: `version`, `analyze SECONDS` or `photo FORM ORIENTATION`, a line feed and, for the latter two, the
/// descriptor of the file (SCM_RIGHTS). What comes back are the lines of that process, and last `{"exit":N}`; N is its exit code, or -1 if a signal
/// ended it. Whoever hangs up no longer wants the answer: the process is ended.
int serve(const std::string& socketPath, const std::string& models, const std::string& scratch);

}  // namespace mirrormate
