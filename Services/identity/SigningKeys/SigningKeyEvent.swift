package import EventSourcing
package import JSON
package import Primitives

/// What happened to a signing key. The names in ``type`` are durable.
package enum SigningKeyEvent: PrivateEvent, Equatable {
    case published(SigningKeyMaterial)
    case retired(kid: UUID, at: Timestamp)

    package var type: EventType {
        switch self {
        case .published: EventType("SigningKeyPublished")
        case .retired: EventType("SigningKeyRetired")
        }
    }

    package var data: JSONObject {
        switch self {
        case .published(let key): key.json
        case .retired(let kid, let moment): ["kid": .uuid(kid), "retiredAt": .time(moment)]
        }
    }

    package static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> SigningKeyEvent {
        try reading(type, data, byName: read)
    }

    /// The event; nil for an unknown name.
    private static func read(_ name: String, _ data: JSONObject) throws(JSONError) -> SigningKeyEvent? {
        switch name {
        case "SigningKeyPublished": try .published(SigningKeyMaterial(data))
        case "SigningKeyRetired": try .retired(kid: data.uuid("kid"), at: data.timestamp("retiredAt"))
        default: nil
        }
    }
}
