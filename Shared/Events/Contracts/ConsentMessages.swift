package import JSON
package import Primitives

/// What a user has said yes or no to: that one provider gets data for one purpose.
package struct ConsentScope: Sendable, Hashable, Comparable {
    /// The provider, by the name that the deployment gives it.
    package var provider: String
    package var purpose: ConsentPurpose

    package init(provider: String, purpose: ConsentPurpose) {
        self.provider = provider
        self.purpose = purpose
    }

    package static func < (left: ConsentScope, right: ConsentScope) -> Bool {
        (left.provider, left.purpose.rawValue) < (right.provider, right.purpose.rawValue)
    }
}

/// What data is sent to a provider for.
package struct ConsentPurpose: OpenCode {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// Words and their times from what was said in a recording.
    package static let transcription = ConsentPurpose(rawValue: "transcription")

    /// Sentences of a report, from what was measured and said.
    package static let wording = ConsentPurpose(rawValue: "wording")

    /// Posture, gestures and expression, from some pictures of a recording.
    package static let vision = ConsentPurpose(rawValue: "vision")

    /// The same, from the whole of a recording.
    package static let video = ConsentPurpose(rawValue: "video")

    /// Emotions, from some pictures of a recording.
    package static let emotions = ConsentPurpose(rawValue: "emotions")

    /// The kinds of data that it takes, for each purpose that this build knows.
    package static let known: [ConsentPurpose: Set<DataClass>] = [
        .transcription: [.audio], .wording: [.transcript, .measures], .vision: [.pictures],
        .video: [.recording], .emotions: [.pictures],
    ]

    /// The kinds of data that it takes; none for a purpose that this build does not know, for which nothing is sent.
    package var dataClasses: Set<DataClass> { Self.known[self] ?? [] }
}

/// A kind of data that is sent to a provider.
package struct DataClass: OpenCode {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The sound of a recording.
    package static let audio = DataClass(rawValue: "audio")
    /// What was said in a recording, in words.
    package static let transcript = DataClass(rawValue: "transcript")
    /// Numbers that were measured in a recording.
    package static let measures = DataClass(rawValue: "measures")
    /// Some pictures of a recording.
    package static let pictures = DataClass(rawValue: "pictures")
    /// The whole of a recording: all its pictures and its sound.
    package static let recording = DataClass(rawValue: "recording")
}

/// Kinds of data as messages and events hold them: an object with a member of the value true for each, because contracts declare members
/// by their path.
package enum DataClasses {
    package static func json(_ classes: Set<DataClass>) -> JSONValue {
        .object(JSONObject(classes.map(\.rawValue).sorted().map { ($0, .bool(true)) }))
    }

    /// - Throws: `JSONError` if the member is missing or no object, or holds something else than booleans.
    package static func read(_ key: String, of object: JSONObject) throws(JSONError) -> Set<DataClass> {
        let members = try object.object(key)
        var classes: Set<DataClass> = []
        for name in members.keys where try members.bool(name) { classes.insert(DataClass(rawValue: name)) }
        return classes
    }
}

/// A user lets a provider have data for a purpose. Takes the place of what the user said of both before.
package struct ConsentGiven: PublishedMessage {
    package static let type = MessageType(.identity, "ConsentGiven")

    /// The user.
    package var userId: UUID
    /// Who may have data, and for what.
    package var scope: ConsentScope
    /// The kinds of data that the text names; no others may be sent.
    package var dataClasses: Set<DataClass>
    /// The version of the text that was shown.
    package var version: String
    /// The language of that text, a BCP 47 tag.
    package var locale: String
    /// SHA-256 of the text, 64 hexadecimal digits.
    package var textSHA256: String
    /// When it was given; later than everything that the user said of consents before.
    package var givenAt: Timestamp

    package init(
        userId: UUID, to scope: ConsentScope, dataClasses: Set<DataClass>, version: String, locale: String,
        textSHA256: String, givenAt: Timestamp
    ) {
        self.userId = userId
        self.scope = scope
        self.dataClasses = dataClasses
        self.version = version
        self.locale = locale
        self.textSHA256 = textSHA256
        self.givenAt = givenAt
    }

    package init(_ object: JSONObject) throws(JSONError) {
        userId = try object.uuid("userId")
        scope = try ConsentScope(object)
        dataClasses = try DataClasses.read("dataClasses", of: object)
        version = try object.string("version")
        locale = try object.string("locale")
        textSHA256 = try object.string("textSHA256")
        givenAt = try object.timestamp("givenAt")
    }

    package var json: JSONObject {
        [
            "userId": .uuid(userId), "provider": .string(scope.provider), "purpose": scope.purpose.json,
            "dataClasses": DataClasses.json(dataClasses), "version": .string(version), "locale": .string(locale),
            "textSHA256": .string(textSHA256), "givenAt": .time(givenAt),
        ]
    }

    package var ownerKey: MessageKey { .owner(userId) }
    package var subject: String { userId.description }
}

/// A user lets a provider have no more data for a purpose.
package struct ConsentWithdrawn: PublishedMessage {
    package static let type = MessageType(.identity, "ConsentWithdrawn")

    /// The user.
    package var userId: UUID
    /// Who may have no more data, and for what.
    package var scope: ConsentScope
    /// When it was withdrawn; later than everything that the user said of consents before.
    package var withdrawnAt: Timestamp

    package init(userId: UUID, from scope: ConsentScope, withdrawnAt: Timestamp) {
        self.userId = userId
        self.scope = scope
        self.withdrawnAt = withdrawnAt
    }

    package init(_ object: JSONObject) throws(JSONError) {
        userId = try object.uuid("userId")
        scope = try ConsentScope(object)
        withdrawnAt = try object.timestamp("withdrawnAt")
    }

    package var json: JSONObject {
        [
            "userId": .uuid(userId), "provider": .string(scope.provider), "purpose": scope.purpose.json,
            "withdrawnAt": .time(withdrawnAt),
        ]
    }

    package var ownerKey: MessageKey { .owner(userId) }
    package var subject: String { userId.description }
}

extension ConsentScope {
    /// - Throws: `JSONError` if the provider or the purpose is missing or no string.
    package init(_ object: JSONObject) throws(JSONError) {
        provider = try object.string("provider")
        purpose = try object.code("purpose")
    }

    package var json: JSONObject { ["provider": .string(provider), "purpose": purpose.json] }
}
