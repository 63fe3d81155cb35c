package import Primitives

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
    /// From when an attempt may begin; nothing when the job is done.
    package var runnableAt: Timestamp?
    /// When the running attempt's lease ends; nothing when none runs.
    package var leaseEndsAt: Timestamp?
    /// The last attempt that began; 0 before the first.
    package var attempt: Int64

    package init(
        sessionId: UUID, ownerId: UUID, state: State, runnableAt: Timestamp?, leaseEndsAt: Timestamp?, attempt: Int64
    ) {
        self.sessionId = sessionId
        self.ownerId = ownerId
        self.state = state
        self.runnableAt = runnableAt
        self.leaseEndsAt = leaseEndsAt
        self.attempt = attempt
    }

    fileprivate mutating func occupy(until leaseEndsAt: Timestamp) {
        state = .running
        runnableAt = leaseEndsAt
        self.leaseEndsAt = leaseEndsAt
    }
}

/// The fold of the service's own log into `job_queue`; the same functions live and in a rebuild.
///
/// Workers take rows whose `runnableAt` has passed, oldest first; the decider has the last word about who begins.
package enum JobProjection {
    /// The rows that an event changes: their session ids.
    package static func keys(of event: JobEvent) -> [UUID] { event.job.map { [$0.sessionId] } ?? [] }

    /// The row after an event; nothing when there is none, as for a job that was cancelled before its order came.
    ///
    /// - Parameters:
    ///   - row: the row before it.
    ///   - recordedAt: when the event was recorded.
    package static func evolve(_ row: JobQueueRow?, _ event: JobEvent, recordedAt: Timestamp) -> JobQueueRow? {
        if case .queued(let job, _, _) = event {
            return JobQueueRow(
                sessionId: job.sessionId, ownerId: job.ownerId, state: .queued, runnableAt: recordedAt,
                leaseEndsAt: nil, attempt: 0)
        }
        guard var row else { return nil }
        switch event {
        case .queued, .stageReached, .subjectErased: break
        case .attemptStarted(_, let attempt, _, let leaseEndsAt):
            row.attempt = attempt
            row.occupy(until: leaseEndsAt)
        case .leaseExtended(_, _, let leaseEndsAt): row.occupy(until: leaseEndsAt)
        case .attemptFailed(_, _, _, _, let retryAt):
            // Without a time, the job's own failure follows in the same append.
            guard let retryAt else { break }
            row.state = .waiting
            row.runnableAt = retryAt
            row.leaseEndsAt = nil
        case .attemptReturned(_, _, let returnedAt):
            row.state = .waiting
            row.runnableAt = returnedAt
            row.leaseEndsAt = nil
        case .completed, .failed, .cancelled, .resultDiscarded:
            row.state = .done
            row.runnableAt = nil
            row.leaseEndsAt = nil
        case .erased: return nil
        }
        return row
    }
}
