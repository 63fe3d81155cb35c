package import Contracts
package import EventSourcing
package import JSON

/// What happened to an API key. The names in ``type`` are durable.
package enum APIKeyEvent: PrivateEvent, Equatable {
    /// Made; announced to every service.
    case issued(APIKeyIssued)
    /// Revoked; announced to every service.
    case revoked(APIKeyRevoked)

    package var type: EventType {
        switch self {
        case .issued: EventType("APIKeyIssued")
        case .revoked: EventType("APIKeyRevoked")
        }
    }

    package var data: JSONObject {
        switch self {
        case .issued(let key): key.json
        case .revoked(let key): key.json
        }
    }

    package static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> APIKeyEvent {
        try reading(type, data, byName: read)
    }

    /// Whether an event of this name is one of these.
    package static func hasName(_ name: String) -> Bool { ["APIKeyIssued", "APIKeyRevoked"].contains(name) }

    /// The event; nil for an unknown name.
    private static func read(_ name: String, _ data: JSONObject) throws(JSONError) -> APIKeyEvent? {
        switch name {
        case "APIKeyIssued": try .issued(APIKeyIssued(data))
        case "APIKeyRevoked": try .revoked(APIKeyRevoked(data))
        default: nil
        }
    }
}
