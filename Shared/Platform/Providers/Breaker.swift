package import Primitives

/// A circuit breaker for one model of a provider: after so many failures within a while the provider is left alone, then tried with one call
/// after the other, until enough of them succeed.
///
/// Pure: the same outcomes with the same times give the same state, wherever they are folded.
package struct Breaker: Sendable, Equatable {
    /// When it opens and closes.
    package struct Rules: Sendable, Equatable {
        /// So many failures open it …
        package var failures = 5
        /// … when no more time lies between the first and the last of them.
        package var window: Duration = .seconds(60)
        /// How long the provider is left alone.
        package var pause: Duration = .seconds(30)
        /// So many successes in a row after the pause close it.
        package var successes = 3

        package init() {}
    }

    /// What it says of a call.
    package enum Verdict: Sendable, Equatable {
        /// Any number of calls may go.
        case pass
        /// One call may go at a time.
        case trial
        /// None may go before that.
        case refuse(until: Timestamp)
    }

    private enum Phase: Sendable, Equatable {
        case closed(failures: [Timestamp])
        case open(since: Timestamp, successes: Int)
    }

    package let rules: Rules
    private var phase = Phase.closed(failures: [])

    package init(_ rules: Rules = Rules()) { self.rules = rules }

    /// What of a call that would begin now.
    package func verdict(at now: Timestamp) -> Verdict {
        guard case .open(let since, _) = phase else { return .pass }
        let end = since + rules.pause
        return isPausing(since, now) ? .refuse(until: end) : .trial
    }

    /// Whether the provider is left alone. A clock that was set back must not make that longer than it is.
    private func isPausing(_ since: Timestamp, _ now: Timestamp) -> Bool {
        now < since + rules.pause && since - now <= rules.pause
    }

    /// Notes how a call ended.
    ///
    /// - Parameter now: when; outcomes of calls that began before the breaker opened say nothing during its pause.
    package mutating func note(succeeded: Bool, at now: Timestamp) {
        switch phase {
        case .closed(let failures):
            if succeeded { return }
            let recent = failures.filter { now - $0 <= rules.window && $0 - now <= rules.window } + [now]
            phase = recent.count >= rules.failures ? .open(since: now, successes: 0) : .closed(failures: recent)
        case .open(let since, let successes):
            if isPausing(since, now) { return }
            if !succeeded {
                phase = .open(since: now, successes: 0)
            } else if successes + 1 >= rules.successes {
                phase = .closed(failures: [])
            } else {
                phase = .open(since: since, successes: successes + 1)
            }
        }
    }
}
