import Runtime

/// After an unclean end one record at a time is handled in the whole process, so that the one that kills it is known.
@Loop final class SuspectTurn {
    private var isTaken = false
    private var waiting: [LoopWait] = []

    /// Runs work when no other suspect record is being handled.
    func run(_ work: @Loop () async throws -> Void) async throws {
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
