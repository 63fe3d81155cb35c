package import Contracts
import JSON
package import Primitives

/// Which session an event is about; every event of a session carries it, so that each can be read by itself.
package struct SessionIdentity: Sendable, Hashable {
    package var sessionId: UUID
    package var ownerId: UUID
    package var kind: SessionKind

    package init(sessionId: UUID, ownerId: UUID, kind: SessionKind) {
        self.sessionId = sessionId
        self.ownerId = ownerId
        self.kind = kind
    }

    init(_ object: JSONObject) throws(JSONError) {
        sessionId = try object.uuid("sessionId")
        ownerId = try object.uuid("ownerId")
        kind = try object.code("kind")
    }

    var json: JSONObject { ["sessionId": .uuid(sessionId), "ownerId": .uuid(ownerId), "kind": kind.json] }
}

/// What the client said when it created a session.
package struct SessionCreation: Sendable, Hashable {
    /// The owner's IANA time zone at that moment.
    package var timeZone: String
    package var createdAt: Timestamp
    /// When the session expires unless its upload was finalized before.
    package var expiresAt: Timestamp
    /// The media type that the client announced.
    package var contentType: String
    /// The size of the upload that the client announced, in bytes.
    package var contentLength: Int64
    /// SHA-256 of the upload as announced, 64 lower-case hexadecimal digits.
    package var sha256: String?
    /// The longest recording that the client wants accepted, in seconds.
    package var maxDurationSeconds: Int64?
    /// The session that gave way to this one.
    package var replaces: UUID?

    package init(
        timeZone: String, createdAt: Timestamp, expiresAt: Timestamp, contentType: String, contentLength: Int64,
        sha256: String? = nil, maxDurationSeconds: Int64? = nil, replaces: UUID? = nil
    ) {
        self.timeZone = timeZone
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.contentType = contentType
        self.contentLength = contentLength
        self.sha256 = sha256
        self.maxDurationSeconds = maxDurationSeconds
        self.replaces = replaces
    }

    init(_ object: JSONObject) throws(JSONError) {
        timeZone = try object.string("timeZone")
        createdAt = try object.timestamp("createdAt")
        expiresAt = try object.timestamp("expiresAt")
        contentType = try object.string("contentType")
        contentLength = try object.int("contentLength")
        sha256 = try object.optionalString("sha256")
        maxDurationSeconds = try object.optionalInt("maxDurationSeconds")
        replaces = try object.optionalUUID("replaces")
    }

    func write(to object: inout JSONObject) {
        object["timeZone"] = .string(timeZone)
        object["createdAt"] = .time(createdAt)
        object["expiresAt"] = .time(expiresAt)
        object["contentType"] = .string(contentType)
        object["contentLength"] = .int(contentLength)
        if let sha256 { object["sha256"] = .string(sha256) }
        if let maxDurationSeconds { object["maxDurationSeconds"] = .int(maxDurationSeconds) }
        if let replaces { object["replaces"] = .uuid(replaces) }
    }
}

/// Why quota did not admit a session, as told to the client.
package struct QuotaDenial: Sendable, Hashable {
    package var code: QuotaRefusalCode
    /// When units are there again.
    package var resetsAt: Timestamp
    /// The open session that holds the last unit.
    package var heldBy: HeldBy?

    package init(code: QuotaRefusalCode, resetsAt: Timestamp, heldBy: HeldBy? = nil) {
        self.code = code
        self.resetsAt = resetsAt
        self.heldBy = heldBy
    }

    init(_ object: JSONObject) throws(JSONError) {
        code = try object.code("code")
        resetsAt = try object.timestamp("resetsAt")
        heldBy = try object.optionalObject("heldBy").map { (value) throws(JSONError) in try HeldBy(value) }
    }

    func write(to object: inout JSONObject) {
        object["code"] = code.json
        object["resetsAt"] = .time(resetsAt)
        if let heldBy { object["heldBy"] = .object(heldBy.json) }
    }
}
