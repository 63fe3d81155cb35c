package import Contracts
package import EventSourcing
package import Primitives

/// Where a unit comes from.
package enum UnitSource: String, Sendable {
    /// The window's allowance by plan.
    case plan
    /// A gift beyond it.
    case extra
}

/// Which session an event is about.
package struct ChargedSession: Sendable, Hashable {
    package var sessionId: UUID
    package var ownerId: UUID
    package var kind: SessionKind

    package init(sessionId: UUID, ownerId: UUID, kind: SessionKind) {
        self.sessionId = sessionId
        self.ownerId = ownerId
        self.kind = kind
    }

    init(_ session: SessionIdentity) {
        self.init(sessionId: session.sessionId, ownerId: session.ownerId, kind: session.kind)
    }

    /// The same as messages have it.
    var identity: SessionIdentity { SessionIdentity(sessionId: sessionId, ownerId: ownerId, kind: kind) }
}

/// The unit that a session holds or held.
package struct HeldUnit: Sendable, Hashable {
    /// The window it is charged to, by its end.
    package var windowEndsAt: Timestamp
    package var source: UnitSource

    package init(windowEndsAt: Timestamp, source: UnitSource) {
        self.windowEndsAt = windowEndsAt
        self.source = source
    }
}

/// What was counted when a unit was reserved, that unit included.
package struct Count: Sendable, Hashable {
    package var plan: PlanCode
    /// Units of the window with gifts; nothing when unlimited.
    package var limit: Int64?
    package var used: Int64
    package var reserved: Int64

    package init(plan: PlanCode, limit: Int64?, used: Int64, reserved: Int64) {
        self.plan = plan
        self.limit = limit
        self.used = used
        self.reserved = reserved
    }
}

/// What happened to an owner's allowance. The names in ``type`` are durable; data carries no personal content.
package enum QuotaEvent: PrivateEvent, Equatable {
    /// A unit is held; a window that is not the current one begins with it, in the zone given.
    case reserved(ChargedSession, HeldUnit, Count, timeZone: String, expiresAt: Timestamp)
    case refused(ChargedSession, QuotaRefusalCode, resetsAt: Timestamp, heldBy: HeldBy?)
    /// The unit is used up.
    case committed(ChargedSession, HeldUnit)
    /// The unit is free again; `isLateCancellation` when cost had arisen, which is forgiven a few times a window.
    case released(ChargedSession, HeldUnit, ReleaseReason, isLateCancellation: Bool)
    /// A session ended of whose creation nothing is known here: it must not be given a unit any more.
    case endingNoted(ChargedSession)
    case planChanged(ownerId: UUID, PlanCode)
    case extraGranted(ownerId: UUID, kind: SessionKind, units: Int64)
    /// The owner was erased.
    case subjectErased(UUID, SubjectErased.Removed)

    package var type: EventType {
        switch self {
        case .reserved: EventType("QuotaReserved")
        case .refused: EventType("QuotaRefused")
        case .committed: EventType("QuotaCommitted")
        case .released: EventType("QuotaReleased")
        case .endingNoted: EventType("EndingNoted")
        case .planChanged: EventType("PlanChanged")
        case .extraGranted: EventType("ExtraGranted")
        case .subjectErased: EventType("SubjectErased")
        }
    }
}
