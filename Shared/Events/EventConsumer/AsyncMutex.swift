import Runtime

/// Lets one task of the process work at a time.
@Loop final class AsyncMutex {
    private var isTaken = false
    private var waiting: [LoopWait] = []

    /// Runs work when no other runs.
    func withLock(_ work: @Loop () async throws -> Void) async throws {
        while isTaken {
            let wait = LoopWait()
            waiting.append(wait)
            try await wait.wait()
        }
        isTaken = true
        defer {
            isTaken = false
            let woken = waiting
            waiting = []
            for wait in woken { wait.resume() }
        }
        try await work()
    }
}
