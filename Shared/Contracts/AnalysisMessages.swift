package import JSON
package import Primitives

/// An attempt at analysing a recording has begun.
package struct AnalysisStarted: PublishedMessage {
    package static let type = MessageType(.analysis, "AnalysisStarted")

    /// The session.
    package var sessionId: UUID
    /// The user whose session it is.
    package var ownerId: UUID
    /// Which attempt of the job, from 1; the outcome of an older attempt never counts.
    package var attempt: Int64

    package init(sessionId: UUID, ownerId: UUID, attempt: Int64) {
        self.sessionId = sessionId
        self.ownerId = ownerId
        self.attempt = attempt
    }

    package init(_ object: JSONObject) throws(JSONError) {
        sessionId = try object.uuid("sessionId")
        ownerId = try object.uuid("ownerId")
        attempt = try object.int("attempt")
    }

    package var json: JSONObject {
        ["sessionId": .uuid(sessionId), "ownerId": .uuid(ownerId), "attempt": .int(attempt)]
    }

    package var ownerKey: MessageKey { .owner(ownerId) }
    package var subject: String { sessionId.description }
}

/// A stage of analysis is done; at most eight a job.
package struct AnalysisProgressed: PublishedMessage {
    package static let type = MessageType(.analysis, "AnalysisProgressed")

    /// The session.
    package var sessionId: UUID
    /// The user whose session it is.
    package var ownerId: UUID
    /// Which attempt of the job, from 1; the outcome of an older attempt never counts.
    package var attempt: Int64
    /// The stage that is done.
    package var stage: AnalysisStage
    /// How much of the analysis is done, 0 to 100.
    package var progressPercent: Int64

    package init(sessionId: UUID, ownerId: UUID, attempt: Int64, stage: AnalysisStage, progressPercent: Int64) {
        self.sessionId = sessionId
        self.ownerId = ownerId
        self.attempt = attempt
        self.stage = stage
        self.progressPercent = progressPercent
    }

    package init(_ object: JSONObject) throws(JSONError) {
        sessionId = try object.uuid("sessionId")
        ownerId = try object.uuid("ownerId")
        attempt = try object.int("attempt")
        stage = try object.code("stage")
        progressPercent = try object.int("progressPercent")
    }

    package var json: JSONObject {
        [
            "sessionId": .uuid(sessionId), "ownerId": .uuid(ownerId), "attempt": .int(attempt), "stage": stage.json,
            "progressPercent": .int(progressPercent),
        ]
    }

    package var ownerKey: MessageKey { .owner(ownerId) }
    package var subject: String { sessionId.description }
}

/// Analysis is done; its findings lie in object storage.
package struct AnalysisCompleted: PublishedMessage {
    package static let type = MessageType(.analysis, "AnalysisCompleted")

    /// The session.
    package var sessionId: UUID
    /// The user whose session it is.
    package var ownerId: UUID
    /// Which attempt of the job, from 1; the outcome of an older attempt never counts.
    package var attempt: Int64
    /// The findings, as a JSON document.
    package var document: DocumentReference
    /// How long the analysis took, in milliseconds.
    package var durationMs: Int64

    package init(sessionId: UUID, ownerId: UUID, attempt: Int64, document: DocumentReference, durationMs: Int64) {
        self.sessionId = sessionId
        self.ownerId = ownerId
        self.attempt = attempt
        self.document = document
        self.durationMs = durationMs
    }

    package init(_ object: JSONObject) throws(JSONError) {
        sessionId = try object.uuid("sessionId")
        ownerId = try object.uuid("ownerId")
        attempt = try object.int("attempt")
        document = try DocumentReference(object.object("document"))
        durationMs = try object.int("durationMs")
    }

    package var json: JSONObject {
        [
            "sessionId": .uuid(sessionId), "ownerId": .uuid(ownerId), "attempt": .int(attempt),
            "document": .object(document.json), "durationMs": .int(durationMs),
        ]
    }

    package var ownerKey: MessageKey { .owner(ownerId) }
    package var subject: String { sessionId.description }
}

/// Analysis gave up; no further attempt follows.
package struct AnalysisFailed: PublishedMessage {
    package static let type = MessageType(.analysis, "AnalysisFailed")

    /// The session.
    package var sessionId: UUID
    /// The user whose session it is.
    package var ownerId: UUID
    /// Which attempt of the job, from 1; the outcome of an older attempt never counts.
    package var attempt: Int64
    /// What went wrong.
    package var code: FailureCode
    /// Whether the same recording may work another time.
    package var retryable: Bool

    package init(sessionId: UUID, ownerId: UUID, attempt: Int64, code: FailureCode, retryable: Bool) {
        self.sessionId = sessionId
        self.ownerId = ownerId
        self.attempt = attempt
        self.code = code
        self.retryable = retryable
    }

    package init(_ object: JSONObject) throws(JSONError) {
        sessionId = try object.uuid("sessionId")
        ownerId = try object.uuid("ownerId")
        attempt = try object.int("attempt")
        code = try object.code("code")
        retryable = try object.bool("retryable")
    }

    package var json: JSONObject {
        [
            "sessionId": .uuid(sessionId), "ownerId": .uuid(ownerId), "attempt": .int(attempt), "code": code.json,
            "retryable": .bool(retryable),
        ]
    }

    package var ownerKey: MessageKey { .owner(ownerId) }
    package var subject: String { sessionId.description }
}
