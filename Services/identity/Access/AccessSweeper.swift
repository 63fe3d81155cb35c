package import EventStore
import JSON
import Observability
package import Runtime

/// Removes login sessions, codes and counters that are over.
@Loop package struct AccessSweeper {
    private let log = Logger(label: "access-sweeper")
    private let sweeps: [(what: String, sweep: @Loop () async throws -> Void)]

    /// - Parameter more: ends what is over by other rules, under a name for the log.
    package init(
        _ store: EventStore, _ settings: AccessSettings, _ more: (what: String, sweep: @Loop () async throws -> Void)
    ) {
        let logins = LoginSessions(store, settings)
        let codes = OneTimeCodes(store, settings)
        let limits = RateLimits(store.pool, settings)
        let emailChanges = EmailChanges(store, settings)
        sweeps = [
            ("login sessions", { try await logins.sweep() }), ("codes", { try await codes.sweep() }),
            ("attempts", { try await limits.sweep() }), ("changes of address", { try await emailChanges.sweep() }),
            more,
        ]
    }

    /// Sweeps every few minutes until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            // What could not be removed this time is removed the next.
            for (what, sweep) in sweeps {
                do {
                    try await sweep()
                } catch {
                    if !Task.isCancelled {
                        log.warning(
                            "what is over could not be removed", ["what": .string(what), "reason": .string("\(error)")])
                    }
                }
            }
            try? await Loop.sleep(for: .seconds(300))
        }
    }
}
