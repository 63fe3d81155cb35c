package import EventSourcing
package import JSON
package import Primitives

/// What happened to a signing key. The names in ``type`` are durable.
package enum SigningKeyEvent: PrivateEvent, Equatable {
    /// Announced; without a signature by release 1 only.
    case published(SigningKeyMaterial, isSigned: Bool = true)
    case retired(kid: UUID, at: Timestamp, isSigned: Bool = true)

    package var type: EventType {
        switch self {
        case .published: EventType("SigningKeyPublished", 2)
        case .retired: EventType("SigningKeyRetired", 2)
        }
    }

    package var data: JSONObject {
        switch self {
        case .published(let key, let isSigned): key.json.adding(["signed": .bool(isSigned)])
        case .retired(let kid, let moment, let isSigned):
            ["kid": .uuid(kid), "retiredAt": .time(moment), "signed": .bool(isSigned)]
        }
    }

    private static let upcasters = Upcasters([
        EventType("SigningKeyPublished", 1): { (data) throws(JSONError) in data.adding(["signed": .bool(false)]) },
        EventType("SigningKeyRetired", 1): { (data) throws(JSONError) in data.adding(["signed": .bool(false)]) },
    ])

    package static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> SigningKeyEvent {
        try reading(type, data, upcasting: upcasters, byName: read)
    }

    /// The event; nil for an unknown name.
    private static func read(_ name: String, _ data: JSONObject) throws(JSONError) -> SigningKeyEvent? {
        switch name {
        case "SigningKeyPublished": try .published(SigningKeyMaterial(data), isSigned: data.bool("signed"))
        case "SigningKeyRetired":
            try .retired(kid: data.uuid("kid"), at: data.timestamp("retiredAt"), isSigned: data.bool("signed"))
        default: nil
        }
    }
}
