import Glibc
import Runtime

/// Work that Ctrl-C ends in order.
@Loop enum Interrupt {
    /// Does work that the first SIGINT or SIGTERM cancels; a second one ends the process at once.
    ///
    /// - Throws: `CancellationError` when it was cancelled, else what the work throws.
    static func cancelling<T: Sendable>(_ work: @escaping @Loop () async throws -> T) async throws -> T {
        let signals = TerminationSignals()
        let task = Loop.task { try await work() }
        let watch = Loop.task {
            try await signals.next()
            task.cancel()
            try await signals.next()
            exit(ExitCode.failure.rawValue)
        }
        defer { watch.cancel() }
        do {
            return try await task.value
        } catch {
            throw task.isCancelled ? CancellationError() : error
        }
    }
}
