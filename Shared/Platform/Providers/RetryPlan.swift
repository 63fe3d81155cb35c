/// When a call that has failed is sent again: a few times, each after twice as long and some chance, never before the provider wants it, and
/// never beyond the deadline.
package struct RetryPlan: Sendable, Equatable {
    /// How many more times a call is sent at most.
    package var more = 2
    /// How long the first pause is at least; each further one is twice as long.
    package var first: Duration = .seconds(1)
    /// How much of chance there is in a pause at most, so that many callers do not come back together.
    package var jitter: Duration = .seconds(1)

    package init() {}

    /// How long to wait before the call is sent again; nil when it is not.
    ///
    /// - Parameters:
    ///   - attempt: how often it was sent, from 1.
    ///   - left: how much time there is until the deadline.
    ///   - luck: chance, from 0 up to but not 1.
    package func pause(
        after failure: ProviderFailure, attempt: Int, left: Duration, luck: Double
    ) -> Duration? {
        guard failure.isWorthAnotherTry, (1...max(more, 1)).contains(attempt), attempt <= more else { return nil }
        let own = first * Int(1 << min(attempt - 1, 16))
        let pause = max(own, failure.pause ?? .zero) + jitter * min(max(luck, 0), 1)
        return pause < left ? pause : nil
    }
}
