package import EventStore
package import Runtime
package import ServiceKit

extension ExpirySweeper {
    /// Of login sessions, codes and counters.
    ///
    /// - Parameter more: ends what is over by other rules.
    @Loop package init(access settings: AccessSettings, _ store: EventStore, _ more: Sweep...) {
        let logins = LoginSessions(store, settings)
        let codes = OneTimeCodes(store, settings)
        let limits = RateLimits(store.pool, settings)
        let emailChanges = EmailChanges(store, settings)
        let own: [Sweep] = [
            ("login sessions", { try await logins.sweep() }), ("codes", { try await codes.sweep() }),
            ("attempts", { try await limits.sweep() }), ("changes of address", { try await emailChanges.sweep() }),
        ]
        self.init(own + more)
    }
}
