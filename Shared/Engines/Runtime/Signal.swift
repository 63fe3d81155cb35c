/// A condition that many tasks wait for and that can be raised again and again ("there may be news").
///
/// It carries no data and may wake spuriously: a waiter looks at the truth itself, on the loop, and then waits without
/// awaiting anything between; so no raise gets lost.
@Loop package final class Signal {
    private var waits: [LoopWait] = []

    package init() {}

    /// Wakes everyone who waits now.
    package func raise() {
        let woken = waits
        waits = []
        for wait in woken { wait.resume() }
    }

    /// Waits for the next raise, or at most `limit`.
    ///
    /// - Parameter other: another signal that ends the wait as well.
    /// - Throws: `CancellationError` when the task is cancelled.
    package func wait(atMost limit: Duration, or other: Signal? = nil) async throws {
        let wait = LoopWait()
        waits.append(wait)
        other?.waits.append(wait)
        let timer = EventLoop.shared.schedule(after: limit) { wait.resume() }
        defer {
            EventLoop.shared.cancel(timer)
            waits.removeAll { $0 === wait }
            other?.waits.removeAll { $0 === wait }
        }
        try await wait.wait()
    }
}
