package import JSON
import Primitives

/// An attempt at analyzing a recording has begun.
package struct AnalysisStarted: SessionMessage {
    package static let type = MessageType(.analysis, "AnalysisStarted")

    package var reference: SessionReference
    /// Which attempt of the job, from 1; the outcome of an older attempt never counts.
    package var attempt: Int64

    package init(_ reference: SessionReference, attempt: Int64) {
        self.reference = reference
        self.attempt = attempt
    }

    package init(_ object: JSONObject) throws(JSONError) {
        reference = try SessionReference(object)
        attempt = try object.int("attempt")
    }

    package var json: JSONObject { reference.json.adding(["attempt": .int(attempt)]) }
}

/// A stage of analysis is done; at most eight a job.
package struct AnalysisProgressed: SessionMessage {
    package static let type = MessageType(.analysis, "AnalysisProgressed")

    package var reference: SessionReference
    /// Which attempt of the job, from 1; the outcome of an older attempt never counts.
    package var attempt: Int64
    /// The stage that is done.
    package var stage: AnalysisStage
    /// How much of the analysis is done, 0 to 100.
    package var progressPercent: Int64

    package init(_ reference: SessionReference, attempt: Int64, stage: AnalysisStage, progressPercent: Int64) {
        self.reference = reference
        self.attempt = attempt
        self.stage = stage
        self.progressPercent = progressPercent
    }

    package init(_ object: JSONObject) throws(JSONError) {
        reference = try SessionReference(object)
        attempt = try object.int("attempt")
        stage = try object.code("stage")
        progressPercent = try object.int("progressPercent")
    }

    package var json: JSONObject {
        reference.json.adding([
            "attempt": .int(attempt), "stage": stage.json,
            "progressPercent": .int(progressPercent),
        ])
    }
}

/// Analysis is done, and made the report itself: a document `{"report": …}` in object storage. Published of analyses of
/// before ``AnalysisCompletedV2``.
package struct AnalysisCompleted: SessionMessage {
    package static let type = MessageType(.analysis, "AnalysisCompleted")

    package var reference: SessionReference
    /// Which attempt of the job, from 1; the outcome of an older attempt never counts.
    package var attempt: Int64
    /// The report, as a JSON document.
    package var document: DocumentReference
    /// How long the analysis took, in milliseconds.
    package var durationMs: Int64

    package init(_ reference: SessionReference, attempt: Int64, document: DocumentReference, durationMs: Int64) {
        self.reference = reference
        self.attempt = attempt
        self.document = document
        self.durationMs = durationMs
    }

    package init(_ object: JSONObject) throws(JSONError) {
        reference = try SessionReference(object)
        attempt = try object.int("attempt")
        document = try DocumentReference(object.object("document"))
        durationMs = try object.int("durationMs")
    }

    package var json: JSONObject {
        reference.json.adding([
            "attempt": .int(attempt),
            "document": .object(document.json), "durationMs": .int(durationMs),
        ])
    }
}

/// Analysis is done; what it measured lies in object storage, and nobody has judged it yet.
package struct AnalysisCompletedV2: SessionMessage {
    package static let type = MessageType(.analysis, "AnalysisCompleted", 2)

    package var reference: SessionReference
    /// Which attempt of the job, from 1; the outcome of an older attempt never counts.
    package var attempt: Int64
    /// What was measured: a ``MeasurementDocument``.
    package var document: DocumentReference
    /// How long the analysis took, in milliseconds.
    package var durationMs: Int64

    package init(_ reference: SessionReference, attempt: Int64, document: DocumentReference, durationMs: Int64) {
        self.reference = reference
        self.attempt = attempt
        self.document = document
        self.durationMs = durationMs
    }

    package init(_ object: JSONObject) throws(JSONError) {
        reference = try SessionReference(object)
        attempt = try object.int("attempt")
        document = try DocumentReference(object.object("document"))
        durationMs = try object.int("durationMs")
    }

    package var json: JSONObject {
        reference.json.adding([
            "attempt": .int(attempt),
            "document": .object(document.json), "durationMs": .int(durationMs),
        ])
    }
}

/// Analysis gave up; no further attempt follows.
package struct AnalysisFailed: SessionMessage {
    package static let type = MessageType(.analysis, "AnalysisFailed")

    package var reference: SessionReference
    /// Which attempt of the job, from 1; the outcome of an older attempt never counts.
    package var attempt: Int64
    /// What went wrong.
    package var code: FailureCode
    /// Whether the same recording may work another time.
    package var retryable: Bool

    package init(_ reference: SessionReference, attempt: Int64, code: FailureCode, retryable: Bool) {
        self.reference = reference
        self.attempt = attempt
        self.code = code
        self.retryable = retryable
    }

    package init(_ object: JSONObject) throws(JSONError) {
        reference = try SessionReference(object)
        attempt = try object.int("attempt")
        code = try object.code("code")
        retryable = try object.bool("retryable")
    }

    package var json: JSONObject {
        reference.json.adding([
            "attempt": .int(attempt), "code": code.json,
            "retryable": .bool(retryable),
        ])
    }
}
