package import JSON
package import Observability
package import Runtime

/// Work of a service in the background that is done round after round. What a round that failed left undone is for the next one;
/// why it failed is logged when it is new, and not again while it stays the same.
@Loop package struct RepeatedWork {
    private let failure: StaticString
    private let metadata: JSONObject
    private let level: LogLevel
    private let log: Logger

    /// - Parameters:
    ///   - failure: what the log says of a round that failed, with the error as `reason`.
    ///   - metadata: what the line says besides.
    package init(
        _ log: Logger, orElse failure: StaticString, _ metadata: JSONObject = [:], as level: LogLevel = .warning
    ) {
        self.failure = failure
        self.metadata = metadata
        self.level = level
        self.log = log
    }

    /// Works until the task is cancelled, with a pause after each round.
    package func run(every pause: Duration, _ round: @Loop () async throws -> Void) async {
        await run(pausing: { try await Loop.sleep(for: pause) }, round)
    }

    /// Works until the task is cancelled.
    ///
    /// - Parameter pause: waits for the next round; its errors count for nothing.
    package func run(
        pausing pause: @Loop () async throws -> Void, _ round: @Loop () async throws -> Void
    ) async {
        var trouble: String?
        while !Task.isCancelled {
            do {
                try await round()
                trouble = nil
            } catch {
                if Task.isCancelled { return }
                let reason = "\(error)"
                if trouble != reason { log.log(level, failure, metadata.adding(["reason": .string(reason)])) }
                trouble = reason
            }
            try? await pause()
        }
    }
}
