import JSON
package import Primitives

/// Where an owner wants to be told, without its address and secret, which are personal and stand in a row alone.
package struct WebhookEndpoint: Sendable, Equatable {
    package var endpointId: UUID
    /// What it is for: each kind once, in the order of their names.
    package var kinds: [NoticeKind]
    /// From when on it is told.
    package var addedAt: Timestamp

    package init(endpointId: UUID, kinds: Set<NoticeKind>, addedAt: Timestamp) {
        self.endpointId = endpointId
        self.kinds = kinds.sorted { $0.rawValue < $1.rawValue }
        self.addedAt = addedAt
    }

    init(_ object: JSONObject) throws(JSONError) {
        self.init(
            endpointId: try object.uuid("endpointId"), kinds: try Self.kinds(try object.array("kinds")),
            addedAt: try object.timestamp("addedAt"))
    }

    /// Kinds by their durable names.
    ///
    /// - Throws: `JSONError` for anything else.
    static func kinds(_ values: [JSONValue]) throws(JSONError) -> Set<NoticeKind> {
        var kinds: Set<NoticeKind> = []
        for value in values {
            guard let kind = value.stringValue.flatMap({ NoticeKind(rawValue: $0) }) else {
                throw JSONError(.type, at: "kinds", "must be kinds of notices")
            }
            kinds.insert(kind)
        }
        return kinds
    }

    var json: JSONObject {
        ["endpointId": .uuid(endpointId), "kinds": kindNames, "addedAt": .time(addedAt)]
    }

    var kindNames: JSONValue { .array(kinds.map { .string($0.rawValue) }) }
}

/// Why nothing more is sent to an endpoint that its owner has not removed. The raw values are durable.
package enum WebhookEnd: String, Sendable, CaseIterable {
    /// It answered 410: whoever runs it wants no more.
    case gone
    /// For days nothing that was sent arrived.
    case failing
}
