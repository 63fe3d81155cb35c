package import Contracts
import JSON
package import Primitives

/// What the client said when it created a session.
package struct SessionCreation: Sendable, Hashable {
    /// The owner's IANA time zone at that moment.
    package var timeZone: String
    package var createdAt: Timestamp
    /// When the session expires unless its upload was finalized before.
    package var expiresAt: Timestamp
    /// The media type that the client announced; see ``isAnnounced``.
    package var contentType: String
    /// The size of the upload that the client announced, in bytes; see ``isAnnounced``.
    package var contentLength: Int64
    /// SHA-256 of the upload as announced, 64 lower-case hexadecimal digits.
    package var sha256: String?
    /// The longest recording that the client wants accepted, in seconds.
    package var maxDurationSeconds: Int64?
    /// The session that gave way to this one.
    package var replaces: UUID?
    /// How the recording is to be judged.
    package var brief = RecordingBrief()
    /// Whether the client said beforehand what it would upload. Otherwise `contentLength` is the most that the file may have, and
    /// `contentType` what its name promises.
    package var isAnnounced = true

    /// Whether a file of so many bytes is what it asks for.
    package func takes(_ sizeBytes: Int64) -> Bool {
        isAnnounced ? sizeBytes == contentLength : (1...contentLength).contains(sizeBytes)
    }
}

/// How it is stored in events.
extension SessionCreation {
    init(_ object: JSONObject) throws(JSONError) {
        timeZone = try object.string("timeZone")
        createdAt = try object.timestamp("createdAt")
        expiresAt = try object.timestamp("expiresAt")
        contentType = try object.string("contentType")
        contentLength = try object.int("contentLength")
        sha256 = try object.optionalString("sha256")
        maxDurationSeconds = try object.optionalInt("maxDurationSeconds")
        replaces = try object.optionalUUID("replaces")
        brief = try RecordingBrief(object)
        isAnnounced = object["announced"]?.boolValue ?? true
    }

    var json: JSONObject {
        JSONObject().adding([
            "timeZone": .string(timeZone), "createdAt": .time(createdAt), "expiresAt": .time(expiresAt),
            "contentType": .string(contentType), "contentLength": .int(contentLength),
            "sha256": sha256.map(JSONValue.string), "maxDurationSeconds": maxDurationSeconds.map(JSONValue.int),
            "replaces": replaces.map(JSONValue.uuid), "announced": isAnnounced ? nil : .bool(false),
        ]).adding(membersOf: brief.json)
    }
}
