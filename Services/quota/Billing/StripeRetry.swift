import Primitives

/// When a request to Stripe is sent again: a few times, each after twice as long and some chance, never before Stripe wants it, and never
/// beyond the deadline. Each has a key by which Stripe knows a repeat, so one that may have been done is sent again, too.
struct StripeRetry: Sendable {
    /// What a request came to that did not succeed.
    struct Failure: Sendable, Equatable {
        /// Nil where there was no answer.
        var status: Int?
        /// Whether trying again may help where there was none.
        var isPassing = true
        /// What Stripe says itself (`Stripe-Should-Retry`); nil where it says nothing.
        var isWished: Bool?
        /// How long it wants to be left alone; nil where it does not say.
        var after: Duration?
    }

    /// How often a request is sent at most.
    var tries = 3
    /// How long the first pause is at least; each further one is twice as long.
    var first: Duration = .milliseconds(500)
    /// How much of chance there is in a pause at most.
    var jitter: Duration = .milliseconds(500)

    /// How long to wait before the request is sent again; nil when it is not.
    ///
    /// - Parameters:
    ///   - attempt: how often it was sent, from 1.
    ///   - left: how much time there is until the deadline.
    ///   - luck: chance, from 0 up to but not 1.
    func pause(after failure: Failure, attempt: Int, left: Duration, luck: Double) -> Duration? {
        guard attempt < tries, Self.isWorthAnother(failure) else { return nil }
        let own = first * (1 << min(max(attempt - 1, 0), 16))
        let pause = max(own, failure.after ?? .zero) + jitter * min(max(luck, 0), 1)
        return pause < left ? pause : nil
    }

    private static func isWorthAnother(_ failure: Failure) -> Bool {
        guard let status = failure.status else { return failure.isPassing }
        if let wished = failure.isWished { return wished }
        // 409: the same request is under way, as it is when one was cut off.
        return status == 409 || status == 429 || status >= 500
    }
}
