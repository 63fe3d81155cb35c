package import Contracts

/// A stretch of time with an allowance of its own; of two, the one that ends later is the greater.
package enum WindowSpan: String, Sendable, CaseIterable, Comparable {
    /// An hour from its first use on.
    case hour
    /// From its first use to the end of the owner's local day.
    case localDay = "local-day"

    /// The name under which messages and answers have it.
    package var code: WindowCode { WindowCode(rawValue: rawValue) }

    package static func < (left: WindowSpan, right: WindowSpan) -> Bool {
        left != right && left == .hour
    }
}

/// How often one kind of session may be used under a plan: every limit holds at the same time.
package struct KindTerms: Sendable, Hashable {
    /// Units of one window.
    package struct WindowLimit: Sendable, Hashable {
        package let span: WindowSpan
        /// Nil when unlimited.
        package let units: Int64?

        package init(_ span: WindowSpan, _ units: Int64?) {
            self.span = span
            self.units = units
        }
    }

    /// The most units within any stretch of some seconds, wherever it begins.
    package struct Burst: Sendable, Hashable {
        package let units: Int64
        package let seconds: Int64

        package init(units: Int64, seconds: Int64) {
            self.units = units
            self.seconds = seconds
        }
    }

    /// The longest stretch that a burst cap can name, in seconds: so long a state remembers when units were given.
    package static let longestBurst: Int64 = 3_600

    /// At least one, shortest first, each span once.
    package let windows: [WindowLimit]
    /// The most sessions that hold a unit at the same time; nil when it is not capped.
    package let atOnce: Int64?
    /// Nil when it is not capped.
    package let burst: Burst?
    /// How many cancellations after the start of the analysis cost nothing in each of the longest windows, and how many
    /// unusable recordings.
    package let lateCancellations: Int64

    package init(windows: [WindowLimit], atOnce: Int64? = nil, burst: Burst? = nil, lateCancellations: Int64) {
        self.windows = windows.sorted { $0.span < $1.span }
        self.atOnce = atOnce
        self.burst = burst
        self.lateCancellations = lateCancellations
    }

    /// A kind of which a plan says nothing is not allowed at all.
    package static let none = KindTerms(windows: [WindowLimit(.localDay, 0)], lateCancellations: 0)
}

/// What a plan allows, as data.
package struct PlanDefinition: Sendable, Hashable {
    package let code: PlanCode
    package let kinds: [SessionKind: KindTerms]

    package init(_ code: PlanCode, _ kinds: [SessionKind: KindTerms]) {
        self.code = code
        self.kinds = kinds
    }

    /// What holds for a kind.
    package func terms(for kind: SessionKind) -> KindTerms { kinds[kind] ?? .none }
}

/// What a decision stood on: the plan, which of its definitions, and the limits that this one has for the kind.
///
/// It comes in with the command and is recorded with the decision, so that a replay decides the same whatever the plans are
/// by then.
package struct TermsInForce: Sendable, Hashable {
    package let plan: PlanCode
    /// Counts the definitions of the plan from 1; 0 is what held before definitions were recorded.
    package let number: Int64
    package let terms: KindTerms

    package init(plan: PlanCode, number: Int64, terms: KindTerms) {
        self.plan = plan
        self.number = number
        self.terms = terms
    }
}
