package import JSON
package import Primitives

/// A session ended well: its report is readable.
package struct SessionCompleted: SessionKindMessage {
    package static let type = MessageType(.sessions, "SessionCompleted")

    package var session: SessionIdentity
    /// The report; nil for kinds without one.
    package var reportId: UUID?

    package init(_ session: SessionIdentity, reportId: UUID? = nil) {
        self.session = session
        self.reportId = reportId
    }

    package init(_ object: JSONObject) throws(JSONError) {
        session = try SessionIdentity(object)
        reportId = try object.optionalUUID("reportId")
    }

    package var json: JSONObject { session.json.adding(["reportId": reportId.map(JSONValue.uuid)]) }
}

/// A session ended because something went wrong, in analysis, in reporting or by its deadline.
package struct SessionFailed: SessionKindMessage {
    package static let type = MessageType(.sessions, "SessionFailed")

    package var session: SessionIdentity
    /// What went wrong.
    package var code: FailureCode
    /// Whether the same recording may work another time.
    package var retryable: Bool

    package init(_ session: SessionIdentity, code: FailureCode, retryable: Bool) {
        self.session = session
        self.code = code
        self.retryable = retryable
    }

    package init(_ object: JSONObject) throws(JSONError) {
        session = try SessionIdentity(object)
        code = try object.code("code")
        retryable = try object.bool("retryable")
    }

    package var json: JSONObject { session.json.adding(["code": code.json, "retryable": .bool(retryable)]) }
}

/// A session ended because its owner cancelled or replaced it.
package struct SessionCancelled: SessionKindMessage {
    package static let type = MessageType(.sessions, "SessionCancelled")

    package var session: SessionIdentity
    /// Whether analysis had begun, so that cost had arisen.
    package var analysisStarted: Bool
    /// The session that replaces it.
    package var replacedBy: UUID?

    package init(_ session: SessionIdentity, analysisStarted: Bool, replacedBy: UUID? = nil) {
        self.session = session
        self.analysisStarted = analysisStarted
        self.replacedBy = replacedBy
    }

    package init(_ object: JSONObject) throws(JSONError) {
        session = try SessionIdentity(object)
        analysisStarted = try object.bool("analysisStarted")
        replacedBy = try object.optionalUUID("replacedBy")
    }

    package var json: JSONObject {
        session.json.adding([
            "analysisStarted": .bool(analysisStarted), "replacedBy": replacedBy.map(JSONValue.uuid),
        ])
    }
}

/// A session ended because its upload was not finalized in time.
package struct SessionExpired: SessionKindMessage {
    package static let type = MessageType(.sessions, "SessionExpired")

    package var session: SessionIdentity

    package init(_ session: SessionIdentity) { self.session = session }

    package init(_ object: JSONObject) throws(JSONError) { session = try SessionIdentity(object) }

    package var json: JSONObject { session.json }
}
