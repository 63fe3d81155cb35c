package import Contracts
package import Primitives

/// A session that asks for a unit.
package struct UnitRequest: Sendable, Hashable {
    package var sessionId: UUID
    package var ownerId: UUID
    package var kind: SessionKind
    /// When the session was created.
    package var createdAt: Timestamp
    /// When the session expires unless its upload is finalized.
    package var expiresAt: Timestamp
    /// The owner's IANA time zone.
    package var timeZone: String
    /// When the local day of `createdAt` in that zone ends.
    package var localDayEndsAt: Timestamp
    /// The plans that are in force when the request is handled: the decision reads no others.
    package var plans: Plans

    package init(
        sessionId: UUID, ownerId: UUID, kind: SessionKind, createdAt: Timestamp, expiresAt: Timestamp,
        timeZone: String, localDayEndsAt: Timestamp, plans: Plans
    ) {
        self.sessionId = sessionId
        self.ownerId = ownerId
        self.kind = kind
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.timeZone = timeZone
        self.localDayEndsAt = localDayEndsAt
        self.plans = plans
    }
}

/// What becomes of a reservation: the ways in which `sessions` says that a session needs its unit no longer.
package enum Settlement: Sendable, Hashable {
    case completed
    case failed
    /// It failed because its recording cannot be used at all, which was found out by working on it.
    case unusable
    case expired
    case cancelled(analysisStarted: Bool)
    case deleted
}

/// What can be asked of an owner's allowance.
package enum AllowanceCommand: Sendable, Equatable {
    /// A session was created: reserve a unit for it or refuse it.
    case reserve(UnitRequest)
    /// A session ended: charge it or give its unit back.
    case settle(SessionIdentity, Settlement)
    /// The restored store of `sessions` does not know the session any more: give back what it holds.
    case orphan(sessionId: UUID)
    /// An operator gives another plan, one that is on offer.
    case changePlan(ownerId: UUID, PlanCode)
    /// An operator's gift of a kind that some plan knows: units beyond the plan, kept until they are used.
    case grant(ownerId: UUID, kind: SessionKind, units: Int64)
    /// A shop tells of a purchase of the owner.
    case notePurchase(ownerId: UUID, PurchaseState)
    /// A shop tells that it gave a payment of the owner back.
    case noteRefund(ownerId: UUID, RefundState)
    /// The owner is erased, and nothing else of the owner is left in this service.
    case recordErasure(subject: UUID, removed: SubjectErased.Removed)
}

/// Why an operator's command to an allowance is refused; a session is refused by an event.
package enum AllowanceRefusal: String, Error, Sendable, Equatable, CaseIterable {
    /// Units must be 1 to 1000.
    case unitsOutOfRange = "units-out-of-range"
    /// The owner was erased.
    case ownerErased = "owner-erased"
}
