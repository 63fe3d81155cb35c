package import Contracts

/// What somebody may do, as data: for each kind of session an allowance.
package struct Plan: Sendable, Equatable {
    /// How long an allowance lasts before its units are there again.
    package enum Window: Sendable, Equatable {
        /// Until the end of the owner's local day in which it was first used.
        case localDay
    }

    /// How often one kind may be used.
    package struct KindAllowance: Sendable, Equatable {
        /// Units in each window; nothing when unlimited.
        package let limit: Int64?
        package let window: Window
        /// How many cancellations after the start of the analysis cost nothing, in each window.
        package let lateCancellations: Int64
    }

    package let code: PlanCode
    package let kinds: [SessionKind: KindAllowance]

    /// One speaking video a day.
    package static let free = Plan(
        code: .free, kinds: [.mirrormate: KindAllowance(limit: 1, window: .localDay, lateCancellations: 3)])
    /// As many as one likes.
    package static let premium = Plan(
        code: .premium, kinds: [.mirrormate: KindAllowance(limit: nil, window: .localDay, lateCancellations: 3)])

    /// All plans that this build knows.
    package static let all = [free, premium]

    /// The plan of a code; nothing when this build does not know it.
    package static func named(_ code: PlanCode) -> Plan? { all.first { $0.code == code } }

    /// The plan that holds for a code in a history: one that this build does not know allows what the free one does.
    package static func inForce(_ code: PlanCode) -> Plan { named(code) ?? free }

    /// Every kind that some plan knows, in a stable order.
    package static let kinds = Set(all.flatMap(\.kinds.keys)).sorted { $0.rawValue < $1.rawValue }

    /// What holds for a kind; a kind without an allowance is not allowed at all.
    package func allowance(for kind: SessionKind) -> KindAllowance {
        kinds[kind] ?? KindAllowance(limit: 0, window: .localDay, lateCancellations: 0)
    }
}
