package import Contracts
package import JSON
package import Primitives
import Projections

/// A line of the list of logged sessions.
package struct PracticeRow: Sendable, Equatable {
    package var id: UUID
    package var ownerId: UUID
    package var kind: SessionKind
    package var practice: LoggedPractice
    /// When it was told first.
    package var loggedAt: Timestamp
    /// When it was told or corrected last.
    package var updatedAt: Timestamp
}

/// The row as the table has it.
extension PracticeRow: TableRow {
    package static let columns = [
        "owner_id", "kind", "started_at", "ended_at", "active_seconds", "pauses", "time_zone", "utc_offset_seconds",
        "logged_at", "updated_at",
    ]

    package init(_ columns: JSONObject) throws(JSONError) {
        id = try columns.uuid("key")
        ownerId = try columns.uuid("owner_id")
        kind = try columns.code("kind")
        practice = LoggedPractice(
            PracticeTime(
                startedAt: try columns.timestamp("started_at"), endedAt: try columns.timestamp("ended_at"),
                activeSeconds: try columns.int("active_seconds"), timeZone: try columns.string("time_zone"),
                utcOffsetSeconds: try columns.int("utc_offset_seconds")),
            pauses: try LoggedPractice.pauses(columns["pauses"]))
        loggedAt = try columns.timestamp("logged_at")
        updatedAt = try columns.timestamp("updated_at")
    }

    package var values: JSONObject {
        let time = practice.time
        return [
            "owner_id": .uuid(ownerId), "kind": kind.json, "started_at": .time(time.startedAt),
            "ended_at": .time(time.endedAt), "active_seconds": .int(time.activeSeconds),
            "pauses": practice.pausesJSON, "time_zone": .string(time.timeZone),
            "utc_offset_seconds": .int(time.utcOffsetSeconds), "logged_at": .time(loggedAt),
            "updated_at": .time(updatedAt),
        ]
    }
}

/// The session as clients see it.
extension PracticeRow {
    var json: JSONValue {
        let time = practice.time
        return [
            "id": .uuid(id), "kind": kind.json, "startedAt": .time(time.startedAt), "endedAt": .time(time.endedAt),
            "activeSeconds": .int(time.activeSeconds), "pauses": practice.pausesJSON,
            "timeZone": .string(time.timeZone), "utcOffsetSeconds": .int(time.utcOffsetSeconds),
            "localDate": .string(time.day.description), "loggedAt": .time(loggedAt), "updatedAt": .time(updatedAt),
        ]
    }
}
