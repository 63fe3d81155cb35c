package import Contracts
package import EventSourcing
package import JSON
package import Primitives

/// What happened to an analysis job. The names in ``type`` are durable; data carries no personal content.
package enum JobEvent: PrivateEvent, Equatable {
    case queued(JobIdentity, JobOrder, maxAttempts: Int64)
    case attemptStarted(JobIdentity, attempt: Int64, worker: String, leaseEndsAt: Timestamp)
    case leaseExtended(JobIdentity, attempt: Int64, leaseEndsAt: Timestamp)
    case stageReached(JobIdentity, attempt: Int64, stage: AnalysisStage, progressPercent: Int64)
    case completed(JobIdentity, attempt: Int64, JobResult)
    /// With the time of the next attempt, if there is one.
    case attemptFailed(JobIdentity, attempt: Int64, code: FailureCode, retryable: Bool, retryAt: Timestamp?)
    /// The worker ended in order before the attempt did; the attempt does not count.
    case attemptReturned(JobIdentity, attempt: Int64, returnedAt: Timestamp)
    case failed(JobIdentity, attempt: Int64, code: FailureCode, retryable: Bool)
    case cancelled(JobIdentity, CancelReason)
    /// The session of a completed job has ended otherwise; its document may be removed.
    case resultDiscarded(JobIdentity, CancelReason)
    /// Its owner was erased.
    case erased(JobIdentity)
    /// Nothing of an erased user is left in this service; the only event of a stream `subject-<user id>`.
    case subjectErased(UUID, SubjectErased.Removed)

    /// The job it is about; nothing for ``subjectErased(_:_:)``.
    package var job: JobIdentity? {
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

    package var data: JSONObject {
        var object = job?.json ?? [:]
        switch self {
        case .erased: break
        case .queued(_, let order, let maxAttempts):
            order.write(to: &object)
            object["maxAttempts"] = .int(maxAttempts)
        case .attemptStarted(_, let attempt, let worker, let leaseEndsAt):
            object["attempt"] = .int(attempt)
            object["worker"] = .string(worker)
            object["leaseEndsAt"] = .time(leaseEndsAt)
        case .leaseExtended(_, let attempt, let leaseEndsAt):
            object["attempt"] = .int(attempt)
            object["leaseEndsAt"] = .time(leaseEndsAt)
        case .stageReached(_, let attempt, let stage, let progressPercent):
            object["attempt"] = .int(attempt)
            object["stage"] = stage.json
            object["progressPercent"] = .int(progressPercent)
        case .completed(_, let attempt, let result):
            object["attempt"] = .int(attempt)
            result.write(to: &object)
        case .attemptFailed(_, let attempt, let code, let retryable, let retryAt):
            object["attempt"] = .int(attempt)
            object["code"] = code.json
            object["retryable"] = .bool(retryable)
            if let retryAt { object["retryAt"] = .time(retryAt) }
        case .attemptReturned(_, let attempt, let returnedAt):
            object["attempt"] = .int(attempt)
            object["returnedAt"] = .time(returnedAt)
        case .failed(_, let attempt, let code, let retryable):
            object["attempt"] = .int(attempt)
            object["code"] = code.json
            object["retryable"] = .bool(retryable)
        case .cancelled(_, let reason), .resultDiscarded(_, let reason): object["reason"] = reason.json
        case .subjectErased(let subject, let removed):
            object["subjectId"] = .uuid(subject)
            object["removed"] = .object(removed.json)
        }
        return object
    }

    package static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> JobEvent {
        let event: JobEvent?
        do throws(JSONError) { event = try read(type, data) } catch { throw .malformed(type, error) }
        guard let event else { throw .unknownType(type) }
        return event
    }

    /// The event, or nothing for an unknown type.
    private static func read(_ type: EventType, _ data: JSONObject) throws(JSONError) -> JobEvent? {
        guard type.version == 1 else { return nil }
        switch type.name {
        case "SubjectErased":
            return .subjectErased(try data.uuid("subjectId"), try SubjectErased.Removed(data.object("removed")))
        default: return try read(type.name, of: JobIdentity(data), data)
        }
    }
}
