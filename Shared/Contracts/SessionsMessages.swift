package import JSON
package import Primitives

/// Somebody wants a session; quota decides whether it may begin.
package struct SessionCreated: PublishedMessage {
    package static let type = MessageType(.sessions, "SessionCreated")

    /// The session.
    package var sessionId: UUID
    /// The user whose session it is.
    package var ownerId: UUID
    /// What it records.
    package var kind: SessionKind
    /// The owner's IANA time zone, which fixes the local day that is charged.
    package var timeZone: String
    /// When it was created.
    package var createdAt: Timestamp
    /// When it expires unless its upload was finalized before.
    package var expiresAt: Timestamp
    /// The session that the same decision cancelled in favour of this one; its cancellation was published before.
    package var replaces: UUID?

    package init(
        sessionId: UUID, ownerId: UUID, kind: SessionKind, timeZone: String, createdAt: Timestamp, expiresAt: Timestamp,
        replaces: UUID? = nil
    ) {
        self.sessionId = sessionId
        self.ownerId = ownerId
        self.kind = kind
        self.timeZone = timeZone
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.replaces = replaces
    }

    package init(_ object: JSONObject) throws(JSONError) {
        sessionId = try object.uuid("sessionId")
        ownerId = try object.uuid("ownerId")
        kind = try object.code("kind")
        timeZone = try object.string("timeZone")
        createdAt = try object.timestamp("createdAt")
        expiresAt = try object.timestamp("expiresAt")
        replaces = try object.optionalUUID("replaces")
    }

    package var json: JSONObject {
        var object: JSONObject = [
            "sessionId": .uuid(sessionId), "ownerId": .uuid(ownerId), "kind": kind.json, "timeZone": .string(timeZone),
            "createdAt": .time(createdAt), "expiresAt": .time(expiresAt),
        ]
        if let replaces { object["replaces"] = .uuid(replaces) }
        return object
    }

    package var ownerKey: MessageKey { .owner(ownerId) }
    package var subject: String { sessionId.description }
}

/// The recording is complete and sealed; analysis may begin.
package struct UploadFinalized: PublishedMessage {
    package static let type = MessageType(.sessions, "UploadFinalized")

    /// The session.
    package var sessionId: UUID
    /// The user whose session it is.
    package var ownerId: UUID
    /// What it records.
    package var kind: SessionKind
    /// The sealed recording.
    package var media: MediaReference
    /// The longest recording that the client asked for, in seconds.
    package var maxDurationSeconds: Int64?

    package init(
        sessionId: UUID, ownerId: UUID, kind: SessionKind, media: MediaReference, maxDurationSeconds: Int64? = nil
    ) {
        self.sessionId = sessionId
        self.ownerId = ownerId
        self.kind = kind
        self.media = media
        self.maxDurationSeconds = maxDurationSeconds
    }

    package init(_ object: JSONObject) throws(JSONError) {
        sessionId = try object.uuid("sessionId")
        ownerId = try object.uuid("ownerId")
        kind = try object.code("kind")
        media = try MediaReference(object.object("media"))
        maxDurationSeconds = try object.optionalInt("maxDurationSeconds")
    }

    package var json: JSONObject {
        var object: JSONObject = [
            "sessionId": .uuid(sessionId), "ownerId": .uuid(ownerId), "kind": kind.json, "media": .object(media.json),
        ]
        if let maxDurationSeconds { object["maxDurationSeconds"] = .int(maxDurationSeconds) }
        return object
    }

    package var ownerKey: MessageKey { .owner(ownerId) }
    package var subject: String { sessionId.description }
}

/// A session ended well: its report is readable.
package struct SessionCompleted: PublishedMessage {
    package static let type = MessageType(.sessions, "SessionCompleted")

    /// The session.
    package var sessionId: UUID
    /// The user whose session it is.
    package var ownerId: UUID
    /// What it records.
    package var kind: SessionKind
    /// The report; nothing for kinds without one.
    package var reportId: UUID?

    package init(sessionId: UUID, ownerId: UUID, kind: SessionKind, reportId: UUID? = nil) {
        self.sessionId = sessionId
        self.ownerId = ownerId
        self.kind = kind
        self.reportId = reportId
    }

    package init(_ object: JSONObject) throws(JSONError) {
        sessionId = try object.uuid("sessionId")
        ownerId = try object.uuid("ownerId")
        kind = try object.code("kind")
        reportId = try object.optionalUUID("reportId")
    }

    package var json: JSONObject {
        var object: JSONObject = ["sessionId": .uuid(sessionId), "ownerId": .uuid(ownerId), "kind": kind.json]
        if let reportId { object["reportId"] = .uuid(reportId) }
        return object
    }

    package var ownerKey: MessageKey { .owner(ownerId) }
    package var subject: String { sessionId.description }
}

/// A session ended because something went wrong, in analysis, in reporting or by its deadline.
package struct SessionFailed: PublishedMessage {
    package static let type = MessageType(.sessions, "SessionFailed")

    /// The session.
    package var sessionId: UUID
    /// The user whose session it is.
    package var ownerId: UUID
    /// What it records.
    package var kind: SessionKind
    /// What went wrong.
    package var code: FailureCode
    /// Whether the same recording may work another time.
    package var retryable: Bool

    package init(sessionId: UUID, ownerId: UUID, kind: SessionKind, code: FailureCode, retryable: Bool) {
        self.sessionId = sessionId
        self.ownerId = ownerId
        self.kind = kind
        self.code = code
        self.retryable = retryable
    }

    package init(_ object: JSONObject) throws(JSONError) {
        sessionId = try object.uuid("sessionId")
        ownerId = try object.uuid("ownerId")
        kind = try object.code("kind")
        code = try object.code("code")
        retryable = try object.bool("retryable")
    }

    package var json: JSONObject {
        [
            "sessionId": .uuid(sessionId), "ownerId": .uuid(ownerId), "kind": kind.json, "code": code.json,
            "retryable": .bool(retryable),
        ]
    }

    package var ownerKey: MessageKey { .owner(ownerId) }
    package var subject: String { sessionId.description }
}

/// A session ended because its owner cancelled or replaced it.
package struct SessionCancelled: PublishedMessage {
    package static let type = MessageType(.sessions, "SessionCancelled")

    /// The session.
    package var sessionId: UUID
    /// The user whose session it is.
    package var ownerId: UUID
    /// What it records.
    package var kind: SessionKind
    /// Whether analysis had begun, so that cost had arisen.
    package var analysisStarted: Bool
    /// The session that replaces it.
    package var replacedBy: UUID?

    package init(sessionId: UUID, ownerId: UUID, kind: SessionKind, analysisStarted: Bool, replacedBy: UUID? = nil) {
        self.sessionId = sessionId
        self.ownerId = ownerId
        self.kind = kind
        self.analysisStarted = analysisStarted
        self.replacedBy = replacedBy
    }

    package init(_ object: JSONObject) throws(JSONError) {
        sessionId = try object.uuid("sessionId")
        ownerId = try object.uuid("ownerId")
        kind = try object.code("kind")
        analysisStarted = try object.bool("analysisStarted")
        replacedBy = try object.optionalUUID("replacedBy")
    }

    package var json: JSONObject {
        var object: JSONObject = [
            "sessionId": .uuid(sessionId), "ownerId": .uuid(ownerId), "kind": kind.json,
            "analysisStarted": .bool(analysisStarted),
        ]
        if let replacedBy { object["replacedBy"] = .uuid(replacedBy) }
        return object
    }

    package var ownerKey: MessageKey { .owner(ownerId) }
    package var subject: String { sessionId.description }
}

/// A session ended because its upload was not finalized in time.
package struct SessionExpired: PublishedMessage {
    package static let type = MessageType(.sessions, "SessionExpired")

    /// The session.
    package var sessionId: UUID
    /// The user whose session it is.
    package var ownerId: UUID
    /// What it records.
    package var kind: SessionKind

    package init(sessionId: UUID, ownerId: UUID, kind: SessionKind) {
        self.sessionId = sessionId
        self.ownerId = ownerId
        self.kind = kind
    }

    package init(_ object: JSONObject) throws(JSONError) {
        sessionId = try object.uuid("sessionId")
        ownerId = try object.uuid("ownerId")
        kind = try object.code("kind")
    }

    package var json: JSONObject {
        ["sessionId": .uuid(sessionId), "ownerId": .uuid(ownerId), "kind": kind.json]
    }

    package var ownerKey: MessageKey { .owner(ownerId) }
    package var subject: String { sessionId.description }
}

/// A session and all that belongs to it is removed. One that had not ended was cancelled just before.
package struct SessionDeleted: PublishedMessage {
    package static let type = MessageType(.sessions, "SessionDeleted")

    /// The session.
    package var sessionId: UUID
    /// The user whose session it is.
    package var ownerId: UUID
    /// What it records.
    package var kind: SessionKind
    /// Whether it had been completed; then nothing is refunded.
    package var wasComplete: Bool

    package init(sessionId: UUID, ownerId: UUID, kind: SessionKind, wasComplete: Bool) {
        self.sessionId = sessionId
        self.ownerId = ownerId
        self.kind = kind
        self.wasComplete = wasComplete
    }

    package init(_ object: JSONObject) throws(JSONError) {
        sessionId = try object.uuid("sessionId")
        ownerId = try object.uuid("ownerId")
        kind = try object.code("kind")
        wasComplete = try object.bool("wasComplete")
    }

    package var json: JSONObject {
        [
            "sessionId": .uuid(sessionId), "ownerId": .uuid(ownerId), "kind": kind.json,
            "wasComplete": .bool(wasComplete),
        ]
    }

    package var ownerKey: MessageKey { .owner(ownerId) }
    package var subject: String { sessionId.description }
}
