package import Contracts
package import Primitives

/// What an owner has of one kind of session at one moment, as `GET /v1/quota` shows it and as the next request is
/// decided.
package struct Standing: Sendable, Equatable {
    /// One window.
    package struct Window: Sendable, Equatable {
        package let span: WindowSpan
        /// Units of the window, gifts included; nil when unlimited.
        package let limit: Int64?
        /// Units charged in the window.
        package let used: Int64
        /// Units held by sessions that have not ended.
        package let reserved: Int64
        /// When it ends; nil before the first use opens one.
        package let resetsAt: Timestamp?
        /// Units of the plan that are left, below zero after a change to a smaller plan; nil when unlimited.
        package let unitsLeft: Int64?
    }

    /// A cap on how much may be done at once, for gifts too.
    package struct Cap: Sendable, Equatable {
        package let code: WindowCode
        package let limit: Int64
        /// What counts against it now.
        package let taken: Int64
        /// The stretch of time that it looks back over; nil for what is open now.
        package let seconds: Int64?

        package var left: Int64 { max(0, limit - taken) }
    }

    package var plan: PlanCode
    /// Those of the plan, at least one, shortest first.
    package var windows: [Window]
    /// Those of the plan, often none.
    package var caps: [Cap]
    /// Gifts that nobody holds or has used.
    package var extra: Int64

    /// Puts together plan, windows and gifts.
    ///
    /// - Parameters:
    ///   - newest: the newest window of each span; it counts only when `moment` lies before its end.
    ///   - extra: gifts that nobody holds or has used.
    package init(
        _ basis: TermsInForce, newest: [Allowance.Window], extra: Int64, caps: [Cap] = [], at moment: Timestamp
    ) {
        plan = basis.plan
        windows = basis.terms.windows.map { limit in
            let current = newest.last { $0.span == limit.span && moment < $0.endsAt }
            let usage = current?.usage ?? Allowance.Usage()
            return Window(
                span: limit.span, limit: limit.units.map { $0 + extra + usage.extraUsed + usage.extraReserved },
                used: usage.used + usage.extraUsed, reserved: usage.reserved + usage.extraReserved,
                resetsAt: current?.endsAt, unitsLeft: limit.units.map { $0 - usage.used - usage.reserved })
        }
        self.caps = caps
        self.extra = extra
    }

    /// The window in which least is left; of several, the longest.
    package var tightest: Window {
        windows.dropLast().reduce(windows[windows.count - 1]) { tightest, window in
            (window.unitsLeft ?? .max) < (tightest.unitsLeft ?? .max) ? window : tightest
        }
    }

    /// Units that can still be had now; nil when unlimited.
    package var remaining: Int64? {
        let left = [tightest.unitsLeft.map { max(0, $0) + extra }] + caps.map { $0.left }
        return left.compactMap(\.self).min()
    }

    /// Where the next unit would come from; nil when there is none.
    package var nextUnit: UnitSource? {
        guard caps.allSatisfy({ $0.left > 0 }) else { return nil }
        guard let left = tightest.unitsLeft, left <= 0 else { return .plan }
        return extra > 0 ? .extra : nil
    }
}

/// The tightest window's figures.
extension Standing {
    package var limit: Int64? { tightest.limit }
    package var used: Int64 { tightest.used }
    package var reserved: Int64 { tightest.reserved }
    package var resetsAt: Timestamp? { tightest.resetsAt }
}

extension Allowance {
    /// What an owner has of a kind at a moment under the plans of that moment.
    package func standing(of kind: SessionKind, in plans: Plans, at moment: Timestamp) -> Standing {
        standing(of: kind, plans.terms(of: entitlement(at: moment).plan, for: kind), at: moment)
    }

    func standing(of kind: SessionKind, _ basis: TermsInForce, at moment: Timestamp) -> Standing {
        let state = kinds[kind] ?? KindState()
        var caps: [Standing.Cap] = []
        if let atOnce = basis.terms.atOnce {
            caps.append(
                Standing.Cap(code: .atOnce, limit: atOnce, taken: Int64(holdings(of: kind).count), seconds: nil))
        }
        if let burst = basis.terms.burst {
            let taken = state.given(since: moment.adding(seconds: -burst.seconds)).count
            caps.append(
                Standing.Cap(code: .burst, limit: burst.units, taken: Int64(taken), seconds: burst.seconds))
        }
        return Standing(basis, newest: state.windows, extra: state.extra, caps: caps, at: moment)
    }
}
