/// Wakes work that otherwise looks only now and then whether there is something to do. A wish that comes while it works is
/// not lost: the next wait ends at once.
@Loop package final class Wakeup {
    private let signal = Signal()
    private var isWanted = false

    package init() {}

    /// Ends the wait, or the next one.
    package func wake() {
        isWanted = true
        signal.raise()
    }

    /// Waits until it is woken, for at most `limit`.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    package func wait(atMost limit: Duration) async throws {
        defer { isWanted = false }
        if !isWanted { try await signal.wait(atMost: limit) }
    }
}
