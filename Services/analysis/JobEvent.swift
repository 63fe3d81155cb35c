package import Contracts
package import EventSourcing
package import JSON
package import Primitives
package import Providers

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
    /// A provider is about to be asked; whatever happens, it is asked no second time for this.
    case callBegun(SessionReference, attempt: Int64, ProviderCall)
    /// What a call came to.
    case callEnded(SessionReference, attempt: Int64, ProviderCallOutcome)
    case failed(SessionReference, attempt: Int64, code: FailureCode, retryable: Bool)
    case cancelled(SessionReference, DiscardReason)
    /// The session of a completed job has ended otherwise; its document may be removed.
    case resultDiscarded(SessionReference, DiscardReason)
    /// Its owner was erased.
    case erased(SessionReference)
    /// Nothing of an erased user is left in this service; the only event of a stream `subject-<user id>`.
    case subjectErased(UUID, SubjectErased.Removed)

    /// The job of the event; nil for ``subjectErased(_:_:)``.
    package var job: SessionReference? {
        switch self {
        case .queued(let job, _, _), .attemptStarted(let job, _, _, _), .leaseExtended(let job, _, _),
            .stageReached(let job, _, _, _), .completed(let job, _, _), .attemptFailed(let job, _, _, _, _),
            .attemptReturned(let job, _, _), .failed(let job, _, _, _), .cancelled(let job, _),
            .resultDiscarded(let job, _), .erased(let job), .callBegun(let job, _, _), .callEnded(let job, _, _):
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
        case .completed: EventType("JobCompleted", 2)
        case .attemptFailed: EventType("AttemptFailed")
        case .attemptReturned: EventType("AttemptReturned")
        case .callBegun: EventType("ProviderCallBegun")
        case .callEnded: EventType("ProviderCalled")
        case .failed: EventType("JobFailed")
        case .cancelled: EventType("JobCancelled")
        case .resultDiscarded: EventType("ResultDiscarded")
        case .erased: EventType("JobErased")
        case .subjectErased: EventType("SubjectErased")
        }
    }
}

extension JobEvent {
    package var data: JSONObject {
        let common = job?.json ?? [:]
        return switch self {
        case .erased: common
        case .queued(_, let order, let maxAttempts):
            common.adding(membersOf: order.json).adding(["maxAttempts": .int(maxAttempts)])
        case .attemptStarted(_, let attempt, let worker, let leaseEndsAt):
            common.adding(["attempt": .int(attempt), "worker": .string(worker), "leaseEndsAt": .time(leaseEndsAt)])
        case .leaseExtended(_, let attempt, let leaseEndsAt):
            common.adding(["attempt": .int(attempt), "leaseEndsAt": .time(leaseEndsAt)])
        case .stageReached(_, let attempt, let stage, let percent):
            common.adding(["attempt": .int(attempt), "stage": stage.json, "progressPercent": .int(percent)])
        case .completed(_, let attempt, let result):
            common.adding(["attempt": .int(attempt)]).adding(membersOf: result.json)
        case .attemptFailed(_, let attempt, let code, let retryable, let retryAt):
            common.adding([
                "attempt": .int(attempt), "code": code.json, "retryable": .bool(retryable),
                "retryAt": retryAt.map(JSONValue.time),
            ])
        case .attemptReturned(_, let attempt, let returnedAt):
            common.adding(["attempt": .int(attempt), "returnedAt": .time(returnedAt)])
        case .callBegun(_, let attempt, let call):
            common.adding(["attempt": .int(attempt)]).adding(membersOf: call.json)
        case .callEnded(_, let attempt, let outcome):
            common.adding(["attempt": .int(attempt)]).adding(membersOf: outcome.json)
        case .failed(_, let attempt, let code, let retryable):
            common.adding(["attempt": .int(attempt), "code": code.json, "retryable": .bool(retryable)])
        case .cancelled(_, let reason), .resultDiscarded(_, let reason): common.adding(["reason": reason.json])
        case .subjectErased(let subject, let removed): SubjectErased.stored(subject, removed)
        }
    }

    package static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> JobEvent {
        try reading(
            type, data, upcasting: upcasters,
            byName: { (name, data) throws(JSONError) in
                name == "SubjectErased"
                    ? try SubjectErased.stored(data, as: JobEvent.subjectErased)
                    : try read(name, of: SessionReference(data), data)
            })
    }

    private static let upcasters = Upcasters([
        EventType("JobCompleted", 1): { (data) throws(JSONError) in
            data.adding(["content": .string(JobResult.Content.report.rawValue)])
        }
    ])

    /// An event of a job; nil for an unknown name.
    private static func read(
        _ name: String, of job: SessionReference, _ data: JSONObject
    ) throws(JSONError) -> JobEvent? {
        switch name {
        case "JobQueued": try .queued(job, JobOrder(data), maxAttempts: data.int("maxAttempts"))
        case "AttemptStarted":
            try .attemptStarted(
                job, attempt: data.int("attempt"), worker: data.string("worker"),
                leaseEndsAt: data.timestamp("leaseEndsAt"))
        case "LeaseExtended":
            try .leaseExtended(job, attempt: data.int("attempt"), leaseEndsAt: data.timestamp("leaseEndsAt"))
        case "StageReached":
            try .stageReached(
                job, attempt: data.int("attempt"), stage: data.code("stage"),
                progressPercent: data.int("progressPercent"))
        case "JobCompleted": try .completed(job, attempt: data.int("attempt"), JobResult(data))
        case "AttemptFailed":
            try .attemptFailed(
                job, attempt: data.int("attempt"), code: data.code("code"), retryable: data.bool("retryable"),
                retryAt: data.optionalTimestamp("retryAt"))
        case "AttemptReturned":
            try .attemptReturned(job, attempt: data.int("attempt"), returnedAt: data.timestamp("returnedAt"))
        case "ProviderCallBegun": try .callBegun(job, attempt: data.int("attempt"), ProviderCall(data))
        case "ProviderCalled": try .callEnded(job, attempt: data.int("attempt"), ProviderCallOutcome(data))
        case "JobFailed":
            try .failed(
                job, attempt: data.int("attempt"), code: data.code("code"), retryable: data.bool("retryable"))
        case "JobCancelled": try .cancelled(job, data.code("reason"))
        case "ResultDiscarded": try .resultDiscarded(job, data.code("reason"))
        case "JobErased": .erased(job)
        default: nil
        }
    }
}

/// How a job's particulars are stored in events.
extension JobOrder {
    init(_ object: JSONObject) throws(JSONError) {
        kind = try object.code("kind")
        media = try MediaReference(object.object("media"))
        maxDurationSeconds = try object.optionalInt("maxDurationSeconds")
        brief = try RecordingBrief(object)
    }

    var json: JSONObject {
        JSONObject().adding([
            "kind": kind.json, "media": .object(media.json),
            "maxDurationSeconds": maxDurationSeconds.map(JSONValue.int),
        ]).adding(membersOf: brief.json)
    }
}

extension JobResult {
    init(_ object: JSONObject) throws(JSONError) {
        guard let content = Content(rawValue: try object.string("content")) else {
            throw JSONError(.type, at: "content", "must be measurements or report")
        }
        self.content = content
        document = try DocumentReference(object.object("document"))
        durationMs = try object.int("durationMs")
        engines = [:]
        for (task, name) in try object.object("engines").members {
            guard let text = name.stringValue else { throw JSONError(.type, at: task, "must be a string") }
            engines[task] = text
        }
    }

    var json: JSONObject {
        let names = engines.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }
        return [
            "content": .string(content.rawValue), "document": .object(document.json), "durationMs": .int(durationMs),
            "engines": .object(JSONObject(names)),
        ]
    }
}
