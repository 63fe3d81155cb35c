package import JSON
package import Primitives

/// A report is written and readable.
package struct ReportReady: PublishedMessage {
    package static let type = MessageType(.reporting, "ReportReady")

    /// The session.
    package var sessionId: UUID
    /// The user whose session it is.
    package var ownerId: UUID
    /// The report.
    package var reportId: UUID

    package init(sessionId: UUID, ownerId: UUID, reportId: UUID) {
        self.sessionId = sessionId
        self.ownerId = ownerId
        self.reportId = reportId
    }

    package init(_ object: JSONObject) throws(JSONError) {
        sessionId = try object.uuid("sessionId")
        ownerId = try object.uuid("ownerId")
        reportId = try object.uuid("reportId")
    }

    package var json: JSONObject {
        ["sessionId": .uuid(sessionId), "ownerId": .uuid(ownerId), "reportId": .uuid(reportId)]
    }

    package var ownerKey: MessageKey { .owner(ownerId) }
    package var subject: String { sessionId.description }
}

/// No report could be made of the findings.
package struct ReportFailed: PublishedMessage {
    package static let type = MessageType(.reporting, "ReportFailed")

    /// The session.
    package var sessionId: UUID
    /// The user whose session it is.
    package var ownerId: UUID
    /// What went wrong.
    package var code: FailureCode

    package init(sessionId: UUID, ownerId: UUID, code: FailureCode) {
        self.sessionId = sessionId
        self.ownerId = ownerId
        self.code = code
    }

    package init(_ object: JSONObject) throws(JSONError) {
        sessionId = try object.uuid("sessionId")
        ownerId = try object.uuid("ownerId")
        code = try object.code("code")
    }

    package var json: JSONObject {
        ["sessionId": .uuid(sessionId), "ownerId": .uuid(ownerId), "code": code.json]
    }

    package var ownerKey: MessageKey { .owner(ownerId) }
    package var subject: String { sessionId.description }
}

/// A report is removed.
package struct ReportDeleted: PublishedMessage {
    package static let type = MessageType(.reporting, "ReportDeleted")

    /// The session.
    package var sessionId: UUID
    /// The user whose session it is.
    package var ownerId: UUID

    package init(sessionId: UUID, ownerId: UUID) {
        self.sessionId = sessionId
        self.ownerId = ownerId
    }

    package init(_ object: JSONObject) throws(JSONError) {
        sessionId = try object.uuid("sessionId")
        ownerId = try object.uuid("ownerId")
    }

    package var json: JSONObject {
        ["sessionId": .uuid(sessionId), "ownerId": .uuid(ownerId)]
    }

    package var ownerKey: MessageKey { .owner(ownerId) }
    package var subject: String { sessionId.description }
}
