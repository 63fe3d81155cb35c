package import JSON
package import Primitives

/// A report is written and readable.
package struct ReportReady: SessionMessage {
    package static let type = MessageType(.reporting, "ReportReady")

    package var reference: SessionReference
    /// The report.
    package var reportId: UUID

    package init(_ reference: SessionReference, reportId: UUID) {
        self.reference = reference
        self.reportId = reportId
    }

    package init(_ object: JSONObject) throws(JSONError) {
        reference = try SessionReference(object)
        reportId = try object.uuid("reportId")
    }

    package var json: JSONObject { reference.json.adding(["reportId": .uuid(reportId)]) }
}

/// No report could be made of the findings.
package struct ReportFailed: SessionMessage {
    package static let type = MessageType(.reporting, "ReportFailed")

    package var reference: SessionReference
    /// What went wrong.
    package var code: FailureCode

    package init(_ reference: SessionReference, code: FailureCode) {
        self.reference = reference
        self.code = code
    }

    package init(_ object: JSONObject) throws(JSONError) {
        reference = try SessionReference(object)
        code = try object.code("code")
    }

    package var json: JSONObject { reference.json.adding(["code": code.json]) }
}

/// A report is removed.
package struct ReportDeleted: SessionMessage {
    package static let type = MessageType(.reporting, "ReportDeleted")

    package var reference: SessionReference

    package init(_ reference: SessionReference) { self.reference = reference }

    package init(_ object: JSONObject) throws(JSONError) { reference = try SessionReference(object) }

    package var json: JSONObject {
        reference.json
    }
}

/// A goal is met; once for each.
package struct GoalMet: PublishedMessage {
    package static let type = MessageType(.reporting, "GoalMet")

    /// Whose goal it is.
    package var ownerId: UUID
    /// The goal.
    package var goalId: UUID

    package init(ownerId: UUID, goalId: UUID) {
        self.ownerId = ownerId
        self.goalId = goalId
    }

    package init(_ object: JSONObject) throws(JSONError) {
        ownerId = try object.uuid("ownerId")
        goalId = try object.uuid("goalId")
    }

    package var json: JSONObject { ["ownerId": .uuid(ownerId), "goalId": .uuid(goalId)] }

    package var ownerKey: MessageKey { .owner(ownerId) }
    package var subject: String { goalId.description }
}

/// Somebody's longest streak of days has reached a number that is worth telling; once for each number, kind and user.
package struct MilestoneReached: PublishedMessage {
    package static let type = MessageType(.reporting, "MilestoneReached")

    /// Whose streak it is.
    package var ownerId: UUID
    /// What was practised.
    package var kind: SessionKind
    /// The number.
    package var streakDays: Int64

    package init(ownerId: UUID, kind: SessionKind, streakDays: Int64) {
        self.ownerId = ownerId
        self.kind = kind
        self.streakDays = streakDays
    }

    package init(_ object: JSONObject) throws(JSONError) {
        ownerId = try object.uuid("ownerId")
        kind = try object.code("kind")
        streakDays = try object.int("streakDays")
    }

    package var json: JSONObject {
        ["ownerId": .uuid(ownerId), "kind": kind.json, "streakDays": .int(streakDays)]
    }

    package var ownerKey: MessageKey { .owner(ownerId) }
    package var subject: String { ownerId.description }
}
