#pragma once
#include <cstddef>
#include <string>
#include <sys/types.h>

namespace mirrormate {

/// How `serve` works.
struct ServeOptions {
    std::string socket, models, scratch;
    /// How many runs there are at once; whoever asks for more waits for a place.
    size_t atOnce = 64;
    /// The largest video that is copied, in bytes.
    off_t largest = 1 << 30;
};

/// Measures, and makes photos, for others, who ask over a socket: each request gets a process of its own, as one of
/// `mirrormate-media analyze`, `sound`, `frames` or `photo`, in a scratch folder of its own. Returns the exit code, after SIGTERM or when the socket cannot be made.
///
/// A request is one message: `version`, `analyze SECONDS`, `sound SECONDS`, `frames SECONDS`, `transcribed SECONDS` or `photo FORM ORIENTATION`, a line feed and, but for
/// the first, the descriptor of the file (SCM_RIGHTS); `transcribed` is `analyze` with words, whose file's descriptor comes second. What comes back are the lines of that process, and last `{"exit":N}`; N is its exit code, or -1 if a signal
/// ended it. Whoever hangs up no longer wants the answer: the process is ended. Whoever connects and says nothing is hung up on after 5 s, and
/// keeps nobody waiting. What is handed over must be a plain file: a picture of at most 8 MiB, words of at most 1 MiB, a video of at most `largest`.
int serve(const ServeOptions& options);

}  // namespace mirrormate
