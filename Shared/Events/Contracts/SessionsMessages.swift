package import JSON
package import Primitives

/// A session was requested; quota decides whether it may begin.
package struct SessionCreated: SessionKindMessage {
    package static let type = MessageType(.sessions, "SessionCreated")

    package var session: SessionIdentity
    /// The owner's IANA time zone, which fixes the local day that is charged.
    package var timeZone: String
    /// When it was created.
    package var createdAt: Timestamp
    /// When it expires unless its upload was finalized before.
    package var expiresAt: Timestamp
    /// The session that the same decision cancelled in favour of this one; its cancellation was published before.
    package var replaces: UUID?

    package init(
        _ session: SessionIdentity, timeZone: String, createdAt: Timestamp, expiresAt: Timestamp, replaces: UUID? = nil
    ) {
        self.session = session
        self.timeZone = timeZone
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.replaces = replaces
    }

    package init(_ object: JSONObject) throws(JSONError) {
        session = try SessionIdentity(object)
        timeZone = try object.string("timeZone")
        createdAt = try object.timestamp("createdAt")
        expiresAt = try object.timestamp("expiresAt")
        replaces = try object.optionalUUID("replaces")
    }

    package var json: JSONObject {
        session.json.adding([
            "timeZone": .string(timeZone), "createdAt": .time(createdAt), "expiresAt": .time(expiresAt),
            "replaces": replaces.map(JSONValue.uuid),
        ])
    }
}

/// The recording is complete and sealed; analysis may begin.
package struct UploadFinalized: SessionKindMessage {
    package static let type = MessageType(.sessions, "UploadFinalized")

    package var session: SessionIdentity
    /// The sealed recording.
    package var media: MediaReference
    /// The longest recording that the client asked for, in seconds.
    package var maxDurationSeconds: Int64?
    /// How it is to be judged.
    package var brief: RecordingBrief

    package init(
        _ session: SessionIdentity, media: MediaReference, maxDurationSeconds: Int64? = nil,
        brief: RecordingBrief = RecordingBrief()
    ) {
        self.session = session
        self.media = media
        self.maxDurationSeconds = maxDurationSeconds
        self.brief = brief
    }

    package init(_ object: JSONObject) throws(JSONError) {
        session = try SessionIdentity(object)
        media = try MediaReference(object.object("media"))
        maxDurationSeconds = try object.optionalInt("maxDurationSeconds")
        brief = try RecordingBrief(object)
    }

    package var json: JSONObject {
        session.json.adding([
            "media": .object(media.json), "maxDurationSeconds": maxDurationSeconds.map(JSONValue.int),
        ]).adding(membersOf: brief.json)
    }
}

/// A session and all that belongs to it is removed. One that had not ended was cancelled just before.
package struct SessionDeleted: SessionKindMessage {
    package static let type = MessageType(.sessions, "SessionDeleted")

    package var session: SessionIdentity
    /// Whether it had been completed; then nothing is refunded.
    package var wasComplete: Bool

    package init(_ session: SessionIdentity, wasComplete: Bool) {
        self.session = session
        self.wasComplete = wasComplete
    }

    package init(_ object: JSONObject) throws(JSONError) {
        session = try SessionIdentity(object)
        wasComplete = try object.bool("wasComplete")
    }

    package var json: JSONObject { session.json.adding(["wasComplete": .bool(wasComplete)]) }
}

/// The recording of a completed session is kept until a moment; said again when that comes nearer.
package struct MediaKept: SessionMessage {
    package static let type = MessageType(.sessions, "MediaKept")

    package var reference: SessionReference
    /// When it goes.
    package var until: Timestamp

    package init(_ reference: SessionReference, until: Timestamp) {
        self.reference = reference
        self.until = until
    }

    package init(_ object: JSONObject) throws(JSONError) {
        reference = try SessionReference(object)
        until = try object.timestamp("until")
    }

    package var json: JSONObject { reference.json.adding(["until": .time(until)]) }
}

/// The recording of a completed session is kept no longer.
package struct MediaRemoved: SessionMessage {
    package static let type = MessageType(.sessions, "MediaRemoved")

    package var reference: SessionReference

    package init(_ reference: SessionReference) {
        self.reference = reference
    }

    package init(_ object: JSONObject) throws(JSONError) {
        reference = try SessionReference(object)
    }

    package var json: JSONObject { reference.json }
}
