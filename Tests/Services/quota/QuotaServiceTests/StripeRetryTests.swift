import Primitives
import Testing

@testable import quota

@Suite struct `A request to Stripe that failed` {
    private func pause(
        _ failure: StripeRetry.Failure, _ attempt: Int = 1, left: Duration = .seconds(10), luck: Double = 0
    ) -> Duration? {
        StripeRetry().pause(after: failure, attempt: attempt, left: left, luck: luck)
    }

    @Test func `is sent again where that may help`() {
        let statuses = [400, 401, 402, 403, 404, 409, 422, 429, 500, 502, 503, 504]
        #expect(
            statuses.filter { pause(.init(status: $0)) != nil } == [409, 429, 500, 502, 503, 504])
        #expect(pause(.init(status: nil)) != nil && pause(.init(status: nil, isPassing: false)) == nil)
    }

    @Test func `is sent again as Stripe wishes`() {
        #expect(pause(.init(status: 500, isWished: false)) == nil)
        #expect(pause(.init(status: 400, isWished: true)) != nil)
    }

    @Test func `is sent three times at most, after twice as long with some chance`() {
        let failure = StripeRetry.Failure(status: 500)
        #expect(pause(failure, 1) == .milliseconds(500) && pause(failure, 2) == .seconds(1))
        #expect(pause(failure, 1, luck: 0.5) == .milliseconds(750))
        #expect(pause(failure, 3) == nil)
    }

    @Test func `waits as long as Stripe wants, and not beyond the deadline`() {
        let failure = StripeRetry.Failure(status: 429, after: .seconds(4))
        #expect(pause(failure) == .seconds(4))
        #expect(pause(failure, left: .seconds(4)) == nil)
        #expect(pause(.init(status: 429, after: .milliseconds(1))) == .milliseconds(500))
    }
}
