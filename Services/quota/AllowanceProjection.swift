package import Contracts
package import Primitives

/// What an owner has of one kind, as a row: the newest window and the gifts.
package struct AllowanceRow: Sendable, Equatable {
    /// The row's place.
    package struct Key: Sendable, Hashable {
        package var ownerId: UUID
        package var kind: SessionKind

        package init(ownerId: UUID, kind: SessionKind) {
            self.ownerId = ownerId
            self.kind = kind
        }
    }

    package var key: Key
    package var plan: PlanCode = .free
    /// The newest window, over or not.
    package var window: Allowance.Window?
    /// Gifts that nobody holds or has used.
    package var extra: Int64 = 0

    /// The row of an owner who has never asked for this kind.
    package init(_ key: Key) { self.key = key }

    /// What the owner has at a moment: the same answer that the next request gets.
    package func standing(at moment: Timestamp) -> Standing {
        Standing(plan: plan, kind: key.kind, window: window, extra: extra, at: moment)
    }
}

/// The fold of the service's own log into allowances; the same functions live and in a rebuild.
package enum AllowanceProjection {
    /// The rows that an event changes.
    package static func keys(of event: QuotaEvent) -> [AllowanceRow.Key] {
        switch event {
        case .reserved(let session, _, _, _, _), .committed(let session, _), .released(let session, _, _, _):
            [AllowanceRow.Key(ownerId: session.ownerId, kind: session.kind)]
        case .extraGranted(let ownerId, let kind, _): [AllowanceRow.Key(ownerId: ownerId, kind: kind)]
        case .planChanged(let ownerId, _), .subjectErased(let ownerId, _):
            Plan.kinds.map { AllowanceRow.Key(ownerId: ownerId, kind: $0) }
        case .refused, .endingNoted: []
        }
    }

    /// The row of a key after an event; nothing when there is no row any more.
    package static func evolve(_ row: AllowanceRow?, _ event: QuotaEvent, key: AllowanceRow.Key) -> AllowanceRow? {
        var row = row ?? AllowanceRow(key)
        switch event {
        case .reserved(_, let unit, let count, let timeZone, _):
            row.plan = count.plan
            if row.window?.endsAt != unit.windowEndsAt {
                row.window = Allowance.Window(endsAt: unit.windowEndsAt, timeZone: timeZone)
            }
            row.window?.usage.hold(unit.source)
            if unit.source == .extra { row.extra -= 1 }
        case .committed(_, let unit):
            if row.window?.endsAt == unit.windowEndsAt { row.window?.usage.use(unit.source) }
        case .released(_, let unit, _, let isLateCancellation):
            if row.window?.endsAt == unit.windowEndsAt {
                row.window?.usage.free(unit.source, isLateCancellation: isLateCancellation)
            }
            if unit.source == .extra { row.extra += 1 }
        case .planChanged(_, let plan): row.plan = plan
        case .extraGranted(_, _, let units): row.extra += units
        case .subjectErased: return nil
        case .refused, .endingNoted: break
        }
        return row
    }
}
