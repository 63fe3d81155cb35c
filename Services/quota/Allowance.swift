package import Contracts
package import EventSourcing
import EventStore
package import Primitives

/// What an owner may still do, as far as the next decision needs it. No fractions: units are whole.
package struct Allowance: Sendable, Equatable {
    /// A session that holds a unit.
    package struct Holding: Sendable, Equatable {
        package let session: SessionIdentity
        package let unit: HeldUnit
        /// When the session expires unless its upload is finalized before.
        package let expiresAt: Timestamp
        /// How many late cancellations a window forgives, and how many unusable recordings, by the terms under which the unit
        /// was reserved.
        package let lateCancellations: Int64
    }

    /// What is known of a session.
    package enum Entry: Sendable, Equatable {
        /// It holds a unit.
        case reserved(Holding)
        /// It was decided and needs nothing more.
        case settled
    }

    /// A stretch of time with an allowance of its own.
    package struct Window: Sendable, Equatable {
        package let span: WindowSpan
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
        /// Recordings that could not be used at all and were forgiven.
        package var unusable: Int64 = 0
    }

    /// A unit that was given and has not come back.
    package struct Given: Sendable, Equatable {
        package let sessionId: UUID
        /// When the session was created.
        package let at: Timestamp
    }

    /// What holds for one kind of session.
    package struct KindState: Sendable, Equatable {
        /// The current window of each span after its earlier ones, which stay only while a session still holds a unit
        /// of theirs.
        package var windows: [Window] = []
        /// Gifts that nobody holds or has used.
        package var extra: Int64 = 0
        /// The units of the last ``KindTerms/longestBurst`` seconds.
        package var given: [Given] = []
    }

    /// What an operator has given; the plan in force is that of ``entitlement(at:)``.
    package var plan: PlanCode = Plans.first
    package var entitlement = Entitlement()
    package var kinds: [SessionKind: KindState] = [:]
    package var sessions: [UUID: Entry] = [:]
    package var isErased = false

    package init() {}
}

extension Allowance: Aggregate {
    package typealias Command = AllowanceCommand
    package typealias Event = QuotaEvent
    package typealias State = Allowance
    package typealias Refusal = AllowanceRefusal

    package static let initial = Allowance()

    /// The category of the streams of allowances.
    package static let category = "allowance"

    /// The stream of an owner's allowance.
    package static func stream(_ ownerId: UUID) -> StreamName { StreamName(category, ownerId) }

    package static func evolve(_ state: Allowance, _ event: QuotaEvent) -> Allowance {
        var state = state
        switch event {
        case .reserved(let session, let unit, let count, let timeZone, let expiresAt):
            state.sessions[session.sessionId] = .reserved(
                Holding(
                    session: session, unit: unit, expiresAt: expiresAt,
                    lateCancellations: count.basis.terms.lateCancellations))
            var kind = state.kinds[session.kind] ?? KindState()
            for window in unit.windows { kind.open(window, timeZone) }
            if unit.source == .extra { kind.extra -= 1 }
            if let createdAt = count.createdAt { kind.give(session.sessionId, at: createdAt) }
            state.kinds[session.kind] = kind
            state.count(session.kind, unit) { $0.hold(unit.source) }
        case .committed(let session, let unit):
            state.sessions[session.sessionId] = .settled
            state.count(session.kind, unit) { $0.use(unit.source) }
        case .released(let session, let unit, let reason, let isLateCancellation):
            state.sessions[session.sessionId] = .settled
            if unit.source == .extra { state.kinds[session.kind]?.extra += 1 }
            state.kinds[session.kind]?.given.removeAll { $0.sessionId == session.sessionId }
            state.count(session.kind, unit) { $0.free(unit.source, reason, isLateCancellation: isLateCancellation) }
        case .refused(let session, _, _), .endingNoted(let session):
            state.sessions[session.sessionId] = .settled
        case .planChanged(_, let plan, _): state.plan = plan
        case .extraGranted(_, let kind, let units, _): state.kinds[kind, default: KindState()].extra += units
        case .purchaseNoted(_, let told): state.entitlement = Entitlement.evolve(state.entitlement, told)
        case .refundNoted(_, let told): state.entitlement = Entitlement.evolve(state.entitlement, told)
        case .subjectErased:
            state = Allowance()
            state.isErased = true
        // It lies in the stream of its plan; what counts of it comes in with each request.
        case .planDefined: break
        }
        return state
    }

    private mutating func count(_ kind: SessionKind, _ unit: HeldUnit, _ change: (inout Usage) -> Void) {
        for held in unit.windows {
            guard let index = kinds[kind]?.windows.lastIndex(where: { $0.is(held) }) else { continue }
            change(&kinds[kind]!.windows[index].usage)
        }
    }

    /// The sessions of a kind that hold a unit.
    func holdings(of kind: SessionKind) -> [Holding] {
        sessions.values.compactMap { entry in
            guard case .reserved(let holding) = entry, holding.session.kind == kind else { return nil }
            return holding
        }
    }
}

extension Allowance.Window {
    /// Whether it is the window that a unit is charged to.
    func `is`(_ held: HeldUnit.Window) -> Bool { span == held.span && endsAt == held.endsAt }
}

extension Allowance.KindState {
    /// The newest window of a span, over or not.
    func newest(_ span: WindowSpan) -> Allowance.Window? { windows.last { $0.span == span } }

    /// What was given after a moment and has not come back.
    func given(since moment: Timestamp) -> [Allowance.Given] { given.filter { $0.at > moment } }

    /// Makes a window the current one of its span.
    fileprivate mutating func open(_ window: HeldUnit.Window, _ timeZone: String) {
        guard newest(window.span)?.endsAt != window.endsAt else { return }
        windows.removeAll { $0.span == window.span && $0.usage.reserved + $0.usage.extraReserved == 0 }
        windows.append(Allowance.Window(span: window.span, endsAt: window.endsAt, timeZone: timeZone))
    }

    fileprivate mutating func give(_ sessionId: UUID, at moment: Timestamp) {
        given.append(Allowance.Given(sessionId: sessionId, at: moment))
        let newest = given.map(\.at).max() ?? moment
        given.removeAll { $0.at <= newest.adding(seconds: -KindTerms.longestBurst) }
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
        unhold(source)
        switch source {
        case .plan: used += 1
        case .extra: extraUsed += 1
        }
    }

    mutating func free(_ source: UnitSource, _ reason: ReleaseReason, isLateCancellation: Bool) {
        unhold(source)
        if isLateCancellation { lateCancellations += 1 }
        if reason == .unusable { unusable += 1 }
    }

    private mutating func unhold(_ source: UnitSource) {
        switch source {
        case .plan: reserved -= 1
        case .extra: extraReserved -= 1
        }
    }
}
