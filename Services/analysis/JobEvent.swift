package import Contracts
package import EventSourcing
package import Primitives

/// What happened to an analysis job. The names in ``type`` are durable; data carries no personal content.
package enum JobEvent: PrivateEvent, Equatable {
    case queued(SessionReference, JobOrder, maxAttempts: Int64)
    case attemptStarted(SessionReference, attempt: Int64, worker: String, leaseEndsAt: Timestamp)
    case leaseExtended(SessionReference, attempt: Int64, leaseEndsAt: Timestamp)
    case stageReached(SessionReference, attempt: Int64, stage: AnalysisStage, progressPercent: Int64)
    case completed(SessionReference, attempt: Int64, JobResult)
    /// With the time of the next attempt, if there is one.
    case attemptFailed(SessionReference, attempt: Int64, code: FailureCode, retryable: Bool, retryAt: Timestamp?)
    /// The worker ended in order before the attempt did; the attempt does not count.
    case attemptReturned(SessionReference, attempt: Int64, returnedAt: Timestamp)
    case failed(SessionReference, attempt: Int64, code: FailureCode, retryable: Bool)
    case cancelled(SessionReference, CancelReason)
    /// The session of a completed job has ended otherwise; its document may be removed.
    case resultDiscarded(SessionReference, CancelReason)
    /// Its owner was erased.
    case erased(SessionReference)
    /// Nothing of an erased user is left in this service; the only event of a stream `subject-<user id>`.
    case subjectErased(UUID, SubjectErased.Removed)

    /// The job it is about; nothing for ``subjectErased(_:_:)``.
    package var job: SessionReference? {
        switch self {
        case .queued(let job, _, _), .attemptStarted(let job, _, _, _), .leaseExtended(let job, _, _),
            .stageReached(let job, _, _, _), .completed(let job, _, _), .attemptFailed(let job, _, _, _, _),
            .attemptReturned(let job, _, _), .failed(let job, _, _, _), .cancelled(let job, _),
            .resultDiscarded(let job, _), .erased(let job):
            job
        case .subjectErased: nil
        }
    }

    package var type: EventType {
        switch self {
        case .queued: EventType("JobQueued")
        case .attemptStarted: EventType("AttemptStarted")
        case .leaseExtended: EventType("LeaseExtended")
        case .stageReached: EventType("StageReached")
        case .completed: EventType("JobCompleted")
        case .attemptFailed: EventType("AttemptFailed")
        case .attemptReturned: EventType("AttemptReturned")
        case .failed: EventType("JobFailed")
        case .cancelled: EventType("JobCancelled")
        case .resultDiscarded: EventType("ResultDiscarded")
        case .erased: EventType("JobErased")
        case .subjectErased: EventType("SubjectErased")
        }
    }
}
