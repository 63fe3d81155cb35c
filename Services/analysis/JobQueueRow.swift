package import JSON
package import Primitives
import Projections

/// A row of `job_queue`: what a worker needs to know to find its next job.
package struct JobQueueRow: Sendable, Equatable {
    /// What can be done with the job; the raw value stands in the table.
    package enum State: String, Sendable, CaseIterable {
        /// No attempt began yet.
        case queued
        /// An attempt runs; it can be taken over from `leaseEndsAt` on.
        case running
        /// The next attempt may begin at `runnableAt`.
        case waiting
        /// It has ended.
        case done
    }

    package var sessionId: UUID
    package var ownerId: UUID
    package var state: State
    /// From when an attempt may begin; nil if the job is done.
    package var runnableAt: Timestamp?
    /// When the running attempt's lease ends; nil if none runs.
    package var leaseEndsAt: Timestamp?
    /// The last attempt that began; 0 before the first.
    package var attempt: Int64

    /// The same row in another state.
    mutating func become(_ state: State, runnableAt: Timestamp? = nil, leaseEndsAt: Timestamp? = nil) {
        self.state = state
        self.runnableAt = runnableAt
        self.leaseEndsAt = leaseEndsAt
    }
}

/// The row as the table has it.
extension JobQueueRow: TableRow {
    package static let columns = ["session_id", "owner_id", "state", "runnable_at", "lease_ends_at", "attempt"]

    package init(_ columns: JSONObject) throws(JSONError) {
        guard let state = State(rawValue: try columns.string("state")) else {
            throw JSONError(.type, at: "state", "is no state of a job")
        }
        sessionId = try columns.uuid("session_id")
        ownerId = try columns.uuid("owner_id")
        self.state = state
        runnableAt = try columns.optionalTimestamp("runnable_at")
        leaseEndsAt = try columns.optionalTimestamp("lease_ends_at")
        attempt = try columns.int("attempt")
    }

    package var values: JSONObject {
        [
            "session_id": .uuid(sessionId), "owner_id": .uuid(ownerId), "state": .string(state.rawValue),
            "runnable_at": .optional(runnableAt), "lease_ends_at": .optional(leaseEndsAt), "attempt": .int(attempt),
        ]
    }
}
