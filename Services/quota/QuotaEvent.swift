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

/// The unit that a session holds or held.
package struct HeldUnit: Sendable, Hashable {
    /// A window it is charged to, by its end.
    package struct Window: Sendable, Hashable {
        package var span: WindowSpan
        package var endsAt: Timestamp

        package init(_ span: WindowSpan, endsAt: Timestamp) {
            self.span = span
            self.endsAt = endsAt
        }
    }

    /// All windows it is charged to, at least one, shortest first.
    package var windows: [Window]
    package var source: UnitSource

    package init(windows: [Window], source: UnitSource) {
        self.windows = windows.sorted { $0.span < $1.span }
        self.source = source
    }

    /// The longest of its windows.
    package var longest: Window { windows[windows.count - 1] }
}

/// What was counted when a unit was reserved, that unit included.
package struct Count: Sendable, Hashable {
    /// One window of those that the unit is charged to.
    package struct Window: Sendable, Hashable {
        package var span: WindowSpan
        /// Units of the window with gifts; nil when unlimited.
        package var limit: Int64?
        package var used: Int64
        package var reserved: Int64

        package init(_ span: WindowSpan, limit: Int64?, used: Int64, reserved: Int64) {
            self.span = span
            self.limit = limit
            self.used = used
            self.reserved = reserved
        }
    }

    /// What the decision stood on.
    package var basis: TermsInForce
    /// As many as the unit has, in the same order.
    package var windows: [Window]
    /// When the session was created; nil for reservations of before this was recorded.
    package var createdAt: Timestamp?

    package init(_ basis: TermsInForce, windows: [Window], createdAt: Timestamp?) {
        self.basis = basis
        self.windows = windows
        self.createdAt = createdAt
    }
}

/// What happened to an owner's allowance, or to a plan. The names in ``type`` are durable; data carries no personal content.
package enum QuotaEvent: PrivateEvent, Equatable {
    /// A unit is held; a window that is not the current one begins with it, in the zone given.
    case reserved(SessionIdentity, HeldUnit, Count, timeZone: String, expiresAt: Timestamp)
    case refused(SessionIdentity, QuotaDenial, TermsInForce)
    /// The unit is used up.
    case committed(SessionIdentity, HeldUnit)
    /// The unit is free again; `isLateCancellation` when cost had arisen, which is forgiven a few times a window.
    case released(SessionIdentity, HeldUnit, ReleaseReason, isLateCancellation: Bool)
    /// A session ended of whose creation nothing is known here: it must not be given a unit any more.
    case endingNoted(SessionIdentity)
    /// Another plan is in force for the owner, for these kinds among others: those that there is something to say of.
    case planChanged(ownerId: UUID, PlanCode, kinds: [SessionKind])
    /// Units beyond the owner's plan; nil for gifts of before the plan was recorded with them.
    case extraGranted(ownerId: UUID, kind: SessionKind, units: Int64, plan: PlanCode?)
    /// The owner was erased, who had used these kinds.
    case subjectErased(UUID, SubjectErased.Removed, kinds: [SessionKind])
    /// A shop told of a purchase of the owner, newer than what was known of it.
    case purchaseNoted(ownerId: UUID, PurchaseState)
    /// A shop told that it gave a payment of the owner back.
    case refundNoted(ownerId: UUID, RefundState)
    /// From now on a plan is this.
    case planDefined(PlanDefinition, number: Int64, PlanSource)

    package var type: EventType {
        switch self {
        case .reserved: EventType("QuotaReserved", 2)
        case .refused: EventType("QuotaRefused", 2)
        case .committed: EventType("QuotaCommitted", 2)
        case .released: EventType("QuotaReleased", 2)
        case .endingNoted: EventType("EndingNoted")
        case .planChanged: EventType("PlanChanged", 2)
        case .extraGranted: EventType("ExtraGranted", 2)
        case .subjectErased: EventType("SubjectErased", 2)
        case .purchaseNoted: EventType("PurchaseNoted")
        case .refundNoted: EventType("RefundNoted")
        case .planDefined: EventType("PlanDefined")
        }
    }
}
