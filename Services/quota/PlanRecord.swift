package import Contracts
package import EventSourcing
package import EventStore
import Primitives

/// Where a definition was taken from.
package enum PlanSource: String, Sendable {
    /// The one that the service brings with it.
    case builtIn = "built-in"
    /// The deployment's own, `PLANS_FILE`.
    case file
}

/// What the log has of one plan: its newest definition.
package struct PlanRecord: Sendable, Equatable {
    package var definition: PlanDefinition
    /// Counts the definitions of the plan from 1.
    package var number: Int64
    package var source: PlanSource
}

/// What can be asked of a plan.
package enum PlanCommand: Sendable, Equatable {
    /// From now on the plan is this.
    case define(PlanDefinition, PlanSource)
}

extension PlanRecord: Aggregate {
    package typealias Command = PlanCommand
    package typealias Event = QuotaEvent
    package typealias State = PlanRecord?
    package typealias Refusal = Never

    package static let initial: PlanRecord? = nil

    /// The category of the streams of plans.
    package static let category = "plan"

    private static let namespace = UUID.v5(namespace: .urlNamespace, name: "mirrormate/plans")

    /// The stream of one plan: its id is derived from its code.
    package static func stream(_ plan: PlanCode) -> StreamName {
        StreamName(category, UUID.v5(namespace: namespace, name: plan.rawValue))
    }

    /// The same definition twice is one: however many instances start with it, it is recorded once. None is refused, because
    /// files are checked before.
    package static func decide(
        _ command: PlanCommand, _ state: PlanRecord?
    ) throws(Never) -> [QuotaEvent] {
        switch command {
        case .define(let definition, let source):
            definition == state?.definition
                ? [] : [.planDefined(definition, number: (state?.number ?? 0) + 1, source)]
        }
    }

    package static func evolve(_ state: PlanRecord?, _ event: QuotaEvent) -> PlanRecord? {
        guard case .planDefined(let definition, let number, let source) = event else { return state }
        return PlanRecord(definition: definition, number: number, source: source)
    }

    package static func rowCalls(
        for _: PlanCommand, _: PlanRecord?, _ events: [QuotaEvent]
    ) -> [RowCall] {
        events.compactMap { event in
            guard case .planDefined(let definition, _, _) = event else { return nil }
            return PlanRows.define(definition.code.rawValue, stream(definition.code).description)
        }
    }
}
