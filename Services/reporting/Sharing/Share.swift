package import JSON
package import Primitives

/// What somebody lets others see of a report, for how long and how often. No token and no name: these are in a row that can go.
package struct Share: Sendable, Equatable {
    /// A part of a report that a card can show. The raw values are durable, and what clients send.
    package enum Part: String, Sendable, CaseIterable {
        case score, strengths
        /// The one thing to work on.
        case workOn
    }

    /// For how long somebody can share, in seconds.
    package static let lifetimes: ClosedRange<Int64> = 60...2_592_000
    /// When they do not say: seven days.
    package static let lifetime: Int64 = 604_800
    /// How many views somebody can allow.
    package static let viewLimits: ClosedRange<Int64> = 1...1_000
    /// When they do not say.
    package static let views: Int64 = 50

    package var shareId: UUID
    /// Of the report.
    package var sessionId: UUID
    /// At least one, each once.
    package var parts: [Part]
    package var maxViews: Int64
    package var sharedAt: Timestamp
    package var expiresAt: Timestamp

    package init(
        shareId: UUID, sessionId: UUID, parts: [Part], maxViews: Int64, sharedAt: Timestamp, expiresAt: Timestamp
    ) {
        self.shareId = shareId
        self.sessionId = sessionId
        self.parts = parts
        self.maxViews = maxViews
        self.sharedAt = sharedAt
        self.expiresAt = expiresAt
    }

    /// The stored form.
    ///
    /// - Throws: `JSONError` for a member that is missing or of another type, and for a part that this build does not know.
    package init(_ object: JSONObject) throws(JSONError) {
        var parts: [Part] = []
        for value in try object.array("parts") {
            guard let part = value.stringValue.flatMap({ Part(rawValue: $0) }) else {
                throw JSONError(.type, at: "parts", "must be parts of a card")
            }
            parts.append(part)
        }
        self.init(
            shareId: try object.uuid("shareId"), sessionId: try object.uuid("sessionId"), parts: parts,
            maxViews: try object.int("maxViews"), sharedAt: try object.timestamp("sharedAt"),
            expiresAt: try object.timestamp("expiresAt"))
    }

    package var json: JSONObject {
        [
            "shareId": .uuid(shareId), "sessionId": .uuid(sessionId),
            "parts": .array(parts.map { .string($0.rawValue) }), "maxViews": .int(maxViews),
            "sharedAt": .time(sharedAt), "expiresAt": .time(expiresAt),
        ]
    }

    /// Whether it shows anything, for no longer and no more often than may be.
    package var isPossible: Bool {
        !parts.isEmpty && Set(parts).count == parts.count && Self.viewLimits.contains(maxViews)
            && sharedAt.adding(seconds: Self.lifetimes.lowerBound) <= expiresAt
            && expiresAt <= sharedAt.adding(seconds: Self.lifetimes.upperBound)
    }
}
