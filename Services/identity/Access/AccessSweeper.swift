package import EventStore
package import Runtime

/// Removes login sessions, codes and counters that are over.
@Loop package struct AccessSweeper {
    private let logins: LoginSessions
    private let codes: OneTimeCodes
    private let limits: RateLimits
    private let emailChanges: EmailChanges

    package init(_ store: EventStore, _ settings: AccessSettings) {
        logins = LoginSessions(store, settings)
        codes = OneTimeCodes(store, settings)
        limits = RateLimits(store.pool, settings)
        emailChanges = EmailChanges(store, settings)
    }

    /// Sweeps every few minutes until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            // What could not be removed this time is removed the next.
            try? await logins.sweep()
            try? await codes.sweep()
            try? await limits.sweep()
            try? await emailChanges.sweep()
            try? await Loop.sleep(for: .seconds(300))
        }
    }
}
