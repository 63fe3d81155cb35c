package import Contracts
package import JSON
package import Primitives
import Projections

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

/// The row as the table has it.
extension AllowanceRow: TableRow {
    package static let columns = [
        "owner_id", "kind", "plan", "window_ends_at", "time_zone", "used", "reserved", "extra_used", "extra_reserved",
        "late_cancellations", "extra",
    ]

    package init(_ columns: JSONObject) throws(JSONError) {
        self.init(AllowanceRow.Key(ownerId: try columns.uuid("owner_id"), kind: try columns.code("kind")))
        plan = try columns.code("plan")
        extra = try columns.int("extra")
        if let endsAt = try columns.optionalTimestamp("window_ends_at") {
            let usage = Allowance.Usage(
                used: try columns.int("used"), reserved: try columns.int("reserved"),
                extraUsed: try columns.int("extra_used"), extraReserved: try columns.int("extra_reserved"),
                lateCancellations: try columns.int("late_cancellations"))
            window = Allowance.Window(endsAt: endsAt, timeZone: try columns.string("time_zone"), usage: usage)
        }
    }

    package var values: JSONObject {
        let usage = window?.usage ?? Allowance.Usage()
        return [
            "owner_id": .uuid(key.ownerId), "kind": key.kind.json, "plan": plan.json,
            "window_ends_at": .optional(window?.endsAt), "time_zone": .optional(window?.timeZone),
            "used": .int(usage.used), "reserved": .int(usage.reserved), "extra_used": .int(usage.extraUsed),
            "extra_reserved": .int(usage.extraReserved), "late_cancellations": .int(usage.lateCancellations),
            "extra": .int(extra),
        ]
    }
}
