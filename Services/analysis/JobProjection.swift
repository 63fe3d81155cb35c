import Contracts
package import Primitives
import Projections

/// The fold of the service's own log into `job_queue`; the same functions live and in a rebuild.
///
/// Workers take rows whose `runnableAt` has passed, oldest first; the decider has the last word about who begins.
package enum JobProjection: ReadModel {
    package static let name = "job_queue"

    package static func keys(of event: JobEvent) -> [UUID] { event.job.map { [$0.sessionId] } ?? [] }

    /// A job that was cancelled before its order came has no row.
    package static func evolve(
        _ row: JobQueueRow?, _ event: JobEvent, key: UUID, recordedAt: Timestamp
    ) -> JobQueueRow? {
        if case .queued(let job, _, _) = event {
            return JobQueueRow(
                sessionId: job.sessionId, ownerId: job.ownerId, state: .queued, runnableAt: recordedAt,
                leaseEndsAt: nil, attempt: 0)
        }
        guard var row else { return nil }
        switch event {
        case .queued, .stageReached, .callBegun, .callEnded, .subjectErased: break
        case .attemptStarted(_, let attempt, _, let leaseEndsAt):
            row.attempt = attempt
            row.become(.running, runnableAt: leaseEndsAt, leaseEndsAt: leaseEndsAt)
        case .leaseExtended(_, _, let leaseEndsAt):
            row.become(.running, runnableAt: leaseEndsAt, leaseEndsAt: leaseEndsAt)
        case .attemptFailed(_, _, _, _, let retryAt):
            // Without a time, the job's own failure follows in the same append.
            if let retryAt { row.become(.waiting, runnableAt: retryAt) }
        case .attemptReturned(_, _, let returnedAt): row.become(.waiting, runnableAt: returnedAt)
        case .completed, .failed, .cancelled, .resultDiscarded: row.become(.done)
        case .erased: return nil
        }
        return row
    }
}
