import JSON
import Primitives
import Projections

/// `job_queue`: the jobs that workers look for.
enum JobQueueModel: ReadModel {
    typealias Event = JobEvent

    static let name = "job_queue"
    static let columns = ["session_id", "owner_id", "state", "runnable_at", "lease_ends_at", "attempt"]

    static func keys(of event: JobEvent) -> [UUID] { JobProjection.keys(of: event) }

    static func evolve(_ row: JobQueueRow?, _ event: JobEvent, key: UUID, recordedAt: Timestamp) -> JobQueueRow? {
        JobProjection.evolve(row, event, recordedAt: recordedAt)
    }

    static func text(_ key: UUID) -> String { key.description }

    static func encode(_ row: JobQueueRow) -> JSONObject {
        [
            "session_id": .uuid(row.sessionId), "owner_id": .uuid(row.ownerId), "state": .string(row.state.rawValue),
            "runnable_at": .optional(row.runnableAt), "lease_ends_at": .optional(row.leaseEndsAt),
            "attempt": .int(row.attempt),
        ]
    }

    static func decode(_ columns: JSONObject) throws(JSONError) -> JobQueueRow {
        let text = try columns.string("state")
        guard let state = JobQueueRow.State(rawValue: text) else {
            throw JSONError(.type, at: "state", "is no state of a job")
        }
        return JobQueueRow(
            sessionId: try columns.uuid("session_id"), ownerId: try columns.uuid("owner_id"), state: state,
            runnableAt: try columns.optionalTimestamp("runnable_at"),
            leaseEndsAt: try columns.optionalTimestamp("lease_ends_at"), attempt: try columns.int("attempt"))
    }
}
