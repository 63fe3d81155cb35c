/// A condition that many tasks can wait for and that can be raised repeatedly ("something may have changed").
///
/// It carries no data and may wake spuriously: a waiter checks the actual state on the loop and then waits, without
/// awaiting anything in between, so no raise is lost.
@Loop package final class Signal {
    private var waits: [LoopWait] = []

    package init() {}

    /// Wakes everyone who is waiting now.
    package func raise() {
        let woken = waits
        waits = []
        for wait in woken { wait.resume() }
    }

    /// Waits for the next raise, for at most `limit`.
    ///
    /// - Parameter other: another signal that also ends the wait.
    /// - Throws: `CancellationError` when the task is cancelled.
    package func wait(atMost limit: Duration, or other: Signal? = nil) async throws {
        let wait = LoopWait()
        add(wait)
        other?.add(wait)
        let timer = EventLoop.shared.schedule(after: limit) { wait.resume() }
        defer {
            EventLoop.shared.cancel(timer)
            remove(wait)
            other?.remove(wait)
        }
        try await wait.wait()
    }

    /// Lets the next raise also end a wait for something else.
    package func add(_ wait: LoopWait) { waits.append(wait) }

    /// Takes back ``add(_:)``.
    package func remove(_ wait: LoopWait) { waits.removeAll { $0 === wait } }
}
