import Contracts
import JSON

extension JobEvent {
    /// Reads an event of a job from its data, version 1; nothing for an unknown name.
    static func read(_ name: String, of job: JobIdentity, _ data: JSONObject) throws(JSONError) -> JobEvent? {
        switch name {
        case "JobQueued": .queued(job, try JobOrder(data), maxAttempts: try data.int("maxAttempts"))
        case "AttemptStarted":
            .attemptStarted(
                job, attempt: try data.int("attempt"), worker: try data.string("worker"),
                leaseEndsAt: try data.timestamp("leaseEndsAt"))
        case "LeaseExtended":
            .leaseExtended(job, attempt: try data.int("attempt"), leaseEndsAt: try data.timestamp("leaseEndsAt"))
        case "StageReached":
            .stageReached(
                job, attempt: try data.int("attempt"), stage: try data.code("stage"),
                progressPercent: try data.int("progressPercent"))
        case "JobCompleted": .completed(job, attempt: try data.int("attempt"), try JobResult(data))
        case "AttemptFailed":
            .attemptFailed(
                job, attempt: try data.int("attempt"), code: try data.code("code"),
                retryable: try data.bool("retryable"), retryAt: try data.optionalTimestamp("retryAt"))
        case "AttemptReturned":
            .attemptReturned(
                job, attempt: try data.int("attempt"), returnedAt: try data.timestamp("returnedAt"))
        case "JobFailed":
            .failed(
                job, attempt: try data.int("attempt"), code: try data.code("code"),
                retryable: try data.bool("retryable"))
        case "JobCancelled": .cancelled(job, try data.code("reason"))
        case "ResultDiscarded": .resultDiscarded(job, try data.code("reason"))
        case "JobErased": .erased(job)
        default: nil
        }
    }
}

/// How a job's particulars are stored in events.
extension JobIdentity {
    init(_ object: JSONObject) throws(JSONError) {
        self.init(sessionId: try object.uuid("sessionId"), ownerId: try object.uuid("ownerId"))
    }

    var json: JSONObject { ["sessionId": .uuid(sessionId), "ownerId": .uuid(ownerId)] }
}

extension JobOrder {
    init(_ object: JSONObject) throws(JSONError) {
        self.init(
            kind: try object.code("kind"), media: try MediaReference(object.object("media")),
            maxDurationSeconds: try object.optionalInt("maxDurationSeconds"))
    }

    func write(to object: inout JSONObject) {
        object["kind"] = kind.json
        object["media"] = .object(media.json)
        if let maxDurationSeconds { object["maxDurationSeconds"] = .int(maxDurationSeconds) }
    }
}

extension JobResult {
    init(_ object: JSONObject) throws(JSONError) {
        var engines: [String: String] = [:]
        for (task, name) in try object.object("engines").members {
            guard let text = name.stringValue else { throw JSONError(.type, at: task, "must be a string") }
            engines[task] = text
        }
        self.init(
            document: try DocumentReference(object.object("document")), durationMs: try object.int("durationMs"),
            engines: engines)
    }

    func write(to object: inout JSONObject) {
        object["document"] = .object(document.json)
        object["durationMs"] = .int(durationMs)
        let sorted = engines.sorted { $0.key < $1.key }
        object["engines"] = .object(JSONObject(sorted.map { ($0.key, .string($0.value)) }))
    }
}
