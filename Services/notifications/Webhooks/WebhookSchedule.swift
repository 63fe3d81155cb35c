/// When something that did not arrive is sent again: as Standard Webhooks recommends it.
package enum WebhookSchedule {
    /// The pause after each attempt but the last.
    package static let pauses: [Duration] = [
        .seconds(5), .seconds(300), .seconds(1_800), .seconds(7_200), .seconds(18_000), .seconds(36_000),
        .seconds(50_400), .seconds(72_000), .seconds(86_400),
    ]
    /// How much longer than it should be a pause is at most, as a part of it: what failed together does not come again together.
    package static let jitter = 0.2
    /// The longest pause that a receiver can ask for.
    package static let longestAsked = Duration.seconds(86_400)
    /// For how long nothing may arrive at an endpoint before a delivery that is given up ends it.
    package static let patience = Duration.seconds(3 * 86_400)

    /// The pause after an attempt; nil when it was the last.
    ///
    /// - Parameters:
    ///   - attempt: counts from 1.
    ///   - asked: what the receiver asks for; it is not asked sooner, and no later because of a short one.
    ///   - chance: from 0 up to but not 1.
    package static func pause(after attempt: Int, asked: Duration?, chance: Double) -> Duration? {
        guard pauses.indices.contains(attempt - 1) else { return nil }
        let pause = pauses[attempt - 1] * (1 + jitter * chance)
        return max(pause, min(asked ?? .zero, longestAsked))
    }
}

/// What came of an attempt.
package enum WebhookAnswer: Sendable, Equatable {
    /// The receiver answered.
    ///
    /// - retryAfter: what its `Retry-After` asks for.
    case status(Int, retryAfter: Duration?)
    /// It did not, or not in time.
    case silence(String)
}

/// What becomes of a delivery, and of its endpoint, after an attempt.
package enum WebhookVerdict: Sendable, Equatable {
    case delivered
    /// It is sent again.
    case again(after: Duration)
    /// It is given up.
    case failed
    /// It is given up, and so is the endpoint.
    case ended(WebhookEnd)

    /// - Parameters:
    ///   - attempt: counts from 1.
    ///   - failing: for how long nothing has arrived at the endpoint; nil when the attempt before this one did.
    ///   - chance: from 0 up to but not 1.
    package init(_ answer: WebhookAnswer, attempt: Int, failing: Duration?, chance: Double) {
        var asked: Duration?
        switch answer {
        case .status(200...299, _):
            self = .delivered
            return
        case .status(410, _):
            self = .ended(.gone)
            return
        // A redirect is a failure too: whom it leads to, nobody has asked for.
        case .status(_, let retryAfter): asked = retryAfter
        case .silence: break
        }
        if let pause = WebhookSchedule.pause(after: attempt, asked: asked, chance: chance) {
            self = .again(after: pause)
        } else {
            self = failing.map { $0 >= WebhookSchedule.patience } == true ? .ended(.failing) : .failed
        }
    }
}
