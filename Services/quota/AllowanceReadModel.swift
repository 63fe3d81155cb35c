import Contracts
import EventSourcing
import JSON
import Primitives
import Projections

/// Allowances as rows of the table `allowances`: what operators look at and statistics count.
enum AllowanceReadModel: ReadModel {
    static let name = "allowances"

    static let columns = [
        "owner_id", "kind", "plan", "window_ends_at", "time_zone", "used", "reserved", "extra_used", "extra_reserved",
        "late_cancellations", "extra",
    ]

    static func keys(of event: QuotaEvent) -> [AllowanceRow.Key] { AllowanceProjection.keys(of: event) }

    static func evolve(
        _ row: AllowanceRow?, _ event: QuotaEvent, key: AllowanceRow.Key, recordedAt: Timestamp
    ) -> AllowanceRow? {
        AllowanceProjection.evolve(row, event, key: key)
    }

    static func text(_ key: AllowanceRow.Key) -> String { "\(key.ownerId)/\(key.kind)" }

    static func encode(_ row: AllowanceRow) -> JSONObject {
        let usage = row.window?.usage ?? Allowance.Usage()
        return [
            "owner_id": .uuid(row.key.ownerId), "kind": row.key.kind.json, "plan": row.plan.json,
            "window_ends_at": .optional(row.window?.endsAt), "time_zone": .optional(row.window?.timeZone),
            "used": .int(usage.used), "reserved": .int(usage.reserved), "extra_used": .int(usage.extraUsed),
            "extra_reserved": .int(usage.extraReserved), "late_cancellations": .int(usage.lateCancellations),
            "extra": .int(row.extra),
        ]
    }

    static func decode(_ columns: JSONObject) throws(JSONError) -> AllowanceRow {
        var row = AllowanceRow(
            AllowanceRow.Key(ownerId: try columns.uuid("owner_id"), kind: try columns.code("kind")))
        row.plan = try columns.code("plan")
        row.extra = try columns.int("extra")
        if let endsAt = try columns.optionalTimestamp("window_ends_at") {
            let usage = Allowance.Usage(
                used: try columns.int("used"), reserved: try columns.int("reserved"),
                extraUsed: try columns.int("extra_used"), extraReserved: try columns.int("extra_reserved"),
                lateCancellations: try columns.int("late_cancellations"))
            row.window = Allowance.Window(endsAt: endsAt, timeZone: try columns.string("time_zone"), usage: usage)
        }
        return row
    }
}
