extension Loop {
    /// Suspends for a duration.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    @Loop package static func sleep(for duration: Duration) async throws {
        let wait = LoopWait()
        let timer = EventLoop.shared.schedule(after: duration) { wait.resume() }
        defer { EventLoop.shared.cancel(timer) }
        try await wait.wait()
    }

    /// Lets all that is ready have its turn: tasks, descriptors and timers. Cancellation changes nothing about it.
    @Loop package static func turn() async {
        await withUnsafeContinuation { continuation in
            _ = EventLoop.shared.schedule(after: .zero) { continuation.resume() }
        }
    }

    /// Runs an operation and cancels it if it takes longer than `limit`.
    ///
    /// - Throws: ``DeadlineExceeded`` after the limit, otherwise what the operation throws.
    @Loop package static func withDeadline<T: Sendable>(
        _ limit: Duration, _ operation: @escaping @Loop () async throws -> T
    ) async throws -> T {
        let task = Loop.task { try await operation() }
        let expired = LoopFlag()
        let timer = EventLoop.shared.schedule(after: limit) {
            expired.value = true
            task.cancel()
        }
        defer { EventLoop.shared.cancel(timer) }
        return try await withTaskCancellationHandler {
            do {
                return try await task.value
            } catch {
                if expired.value { throw DeadlineExceeded(limit: limit) }
                throw error
            }
        } onCancel: {
            task.cancel()
        }
    }
}

/// An operation took longer than allowed.
package struct DeadlineExceeded: Error, Sendable, CustomStringConvertible {
    package let limit: Duration
    package var description: String { "The operation took longer than \(limit); try again when the load is lower." }
}

@Loop private final class LoopFlag {
    var value = false
}
