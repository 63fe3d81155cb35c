package import Contracts
package import EventSourcing
package import EventStore
package import Primitives

/// What an owner may still do, as far as the next decision needs it. No fractions: units are whole.
package struct Allowance: Sendable, Equatable {
    /// What is known of a session.
    package enum Entry: Sendable, Equatable {
        /// It holds a unit.
        case reserved(ChargedSession, HeldUnit, expiresAt: Timestamp)
        /// It was decided and needs nothing more.
        case settled
    }

    /// A stretch of time with an allowance of its own.
    package struct Window: Sendable, Equatable {
        package let endsAt: Timestamp
        /// The zone in whose local day it was opened.
        package let timeZone: String
        /// What was charged and what is held in it.
        package var usage = Usage()
    }

    /// Whole units, by where they come from.
    package struct Usage: Sendable, Equatable {
        package var used: Int64 = 0
        package var reserved: Int64 = 0
        package var extraUsed: Int64 = 0
        package var extraReserved: Int64 = 0
        /// Cancellations with cost that were forgiven.
        package var lateCancellations: Int64 = 0
    }

    /// What holds for one kind of session.
    package struct KindState: Sendable, Equatable {
        /// The current window last; earlier ones only while a session still holds a unit of theirs.
        package var windows: [Window] = []
        /// Gifts that nobody holds or has used.
        package var extra: Int64 = 0
    }

    package var plan: PlanCode = .free
    package var kinds: [SessionKind: KindState] = [:]
    package var sessions: [UUID: Entry] = [:]
    package var isErased = false

    package init() {}
}

extension Allowance: Aggregate {
    package typealias Command = QuotaCommand
    package typealias Event = QuotaEvent
    package typealias State = Allowance
    package typealias Refusal = QuotaRefusal

    package static let initial = Allowance()

    /// The stream of an owner's allowance.
    package static func stream(_ ownerId: UUID) -> StreamName { StreamName("allowance", ownerId) }

    package static func evolve(_ state: Allowance, _ event: QuotaEvent) -> Allowance {
        var state = state
        switch event {
        case .reserved(let session, let unit, _, let timeZone, let expiresAt):
            state.sessions[session.sessionId] = .reserved(session, unit, expiresAt: expiresAt)
            state.kinds[session.kind, default: KindState()].open(unit.windowEndsAt, timeZone)
            if unit.source == .extra { state.kinds[session.kind]?.extra -= 1 }
            state.count(session.kind, unit) { $0.hold(unit.source) }
        case .committed(let session, let unit):
            state.sessions[session.sessionId] = .settled
            state.count(session.kind, unit) { $0.use(unit.source) }
        case .released(let session, let unit, _, let isLateCancellation):
            state.sessions[session.sessionId] = .settled
            if unit.source == .extra { state.kinds[session.kind]?.extra += 1 }
            state.count(session.kind, unit) { $0.free(unit.source, isLateCancellation: isLateCancellation) }
        case .refused(let session, _, _, _), .endingNoted(let session):
            state.sessions[session.sessionId] = .settled
        case .planChanged(_, let plan): state.plan = plan
        case .extraGranted(_, let kind, let units): state.kinds[kind, default: KindState()].extra += units
        case .subjectErased:
            state = Allowance()
            state.isErased = true
        }
        return state
    }

    /// All that an allowance is lies in its events.
    package static func rowCalls(for _: QuotaCommand, _: Allowance, _: [QuotaEvent]) -> [RowCall] { [] }

    private mutating func count(_ kind: SessionKind, _ unit: HeldUnit, _ change: (inout Usage) -> Void) {
        guard let index = kinds[kind]?.windows.lastIndex(where: { $0.endsAt == unit.windowEndsAt }) else { return }
        change(&kinds[kind]!.windows[index].usage)
    }
}

extension Allowance.KindState {
    /// Makes the window that ends at a moment the current one.
    fileprivate mutating func open(_ endsAt: Timestamp, _ timeZone: String) {
        guard windows.last?.endsAt != endsAt else { return }
        windows.removeAll { $0.usage.reserved + $0.usage.extraReserved == 0 }
        windows.append(Allowance.Window(endsAt: endsAt, timeZone: timeZone))
    }
}

extension Allowance.Usage {
    mutating func hold(_ source: UnitSource) {
        switch source {
        case .plan: reserved += 1
        case .extra: extraReserved += 1
        }
    }

    mutating func use(_ source: UnitSource) {
        free(source, isLateCancellation: false)
        switch source {
        case .plan: used += 1
        case .extra: extraUsed += 1
        }
    }

    mutating func free(_ source: UnitSource, isLateCancellation: Bool) {
        switch source {
        case .plan: reserved -= 1
        case .extra: extraReserved -= 1
        }
        if isLateCancellation { lateCancellations += 1 }
    }
}
