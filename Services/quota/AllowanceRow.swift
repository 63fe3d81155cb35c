package import Contracts
package import JSON
package import Primitives
import Projections

/// What an owner has of one kind, as a row: the newest windows and the gifts.
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
    /// The plan by which the last unit was decided, or that an operator gave since. What was bought ends by the clock, so a row does
    /// not say what is in force: `EntitlementStanding` does.
    package var plan: PlanCode = Plans.first
    /// The newest window of each span, over or not; shortest first.
    package var windows: [Allowance.Window] = []
    /// Gifts that nobody holds or has used.
    package var extra: Int64 = 0

    /// The row of an owner who has never asked for this kind.
    package init(_ key: Key) { self.key = key }

    /// What the owner has at a moment under the plans of that moment: the same answer that the next request gets. Caps
    /// are left out; what they count is no more than a moment's.
    package func standing(in plans: Plans, at moment: Timestamp) -> Standing {
        Standing(plans.terms(of: plan, for: key.kind), newest: windows, extra: extra, at: moment)
    }
}

/// The row as the table has it: the longest window in columns of its own, the others together in one.
extension AllowanceRow: TableRow {
    package static let columns = [
        "owner_id", "kind", "plan", "span", "window_ends_at", "time_zone", "used", "reserved", "extra_used",
        "extra_reserved", "late_cancellations", "unusable_recordings", "other_windows", "extra",
    ]

    package init(_ columns: JSONObject) throws(JSONError) {
        self.init(AllowanceRow.Key(ownerId: try columns.uuid("owner_id"), kind: try columns.code("kind")))
        plan = try columns.code("plan")
        extra = try columns.int("extra")
        for value in try columns.array("other_windows") {
            guard let window = value.objectValue else {
                throw JSONError(.type, at: "other_windows", "must be a list of objects")
            }
            windows.append(try Allowance.Window(window))
        }
        if columns["window_ends_at"]?.isNull == false { windows.append(try Allowance.Window(columns)) }
    }

    package var values: JSONObject {
        let longest = windows.last
        let usage = longest?.usage ?? Allowance.Usage()
        return [
            "owner_id": .uuid(key.ownerId), "kind": key.kind.json, "plan": plan.json,
            "span": .string((longest?.span ?? .localDay).rawValue),
            "window_ends_at": .optional(longest?.endsAt), "time_zone": .optional(longest?.timeZone),
            "used": .int(usage.used), "reserved": .int(usage.reserved), "extra_used": .int(usage.extraUsed),
            "extra_reserved": .int(usage.extraReserved), "late_cancellations": .int(usage.lateCancellations),
            "unusable_recordings": .int(usage.unusable),
            "other_windows": .array(windows.dropLast().map { .object($0.columns) }), "extra": .int(extra),
        ]
    }
}

extension Allowance.Window {
    fileprivate init(_ columns: JSONObject) throws(JSONError) {
        guard let span = WindowSpan(rawValue: try columns.string("span")) else {
            throw JSONError(.type, at: "span", "must be a window that this build knows")
        }
        self.init(
            span: span, endsAt: try columns.timestamp("window_ends_at"), timeZone: try columns.string("time_zone"),
            usage: Allowance.Usage(
                used: try columns.int("used"), reserved: try columns.int("reserved"),
                extraUsed: try columns.int("extra_used"), extraReserved: try columns.int("extra_reserved"),
                lateCancellations: try columns.int("late_cancellations"),
                unusable: try columns.optionalInt("unusable_recordings") ?? 0))
    }

    fileprivate var columns: JSONObject {
        let columns: JSONObject = [
            "span": .string(span.rawValue), "window_ends_at": .time(endsAt), "time_zone": .string(timeZone),
            "used": .int(usage.used), "reserved": .int(usage.reserved), "extra_used": .int(usage.extraUsed),
            "extra_reserved": .int(usage.extraReserved), "late_cancellations": .int(usage.lateCancellations),
        ]
        // Left out where there is none: rows of before this was counted stay as they are.
        return columns.adding(["unusable_recordings": usage.unusable == 0 ? nil : .int(usage.unusable)])
    }
}
