package import Contracts
package import EventSourcing
package import JSON
package import Primitives

/// What happened to a user. The names in ``type`` are durable; data carries no personal content.
package enum UserEvent: PrivateEvent, Equatable {
    case registered(UUID, UserKind, timeZone: String)
    /// A way of signing in was added; `upgradesDevice` when it made an account of an anonymous device.
    case credentialsAttached(UUID, SignInMethod, upgradesDevice: Bool)
    case profileChanged(UUID, timeZone: String)
    case passwordChanged(UUID)
    /// The password was replaced by means of a mailed code.
    case passwordReset(UUID)
    case emailVerified(UUID)
    case erased(UUID)
    /// A service has removed all that belonged to the user.
    case erasureConfirmed(UUID, service: String, SubjectErased.Removed)

    package var userId: UUID {
        switch self {
        case .registered(let id, _, _), .credentialsAttached(let id, _, _), .profileChanged(let id, _),
            .passwordChanged(let id), .passwordReset(let id), .emailVerified(let id),
            .erased(let id), .erasureConfirmed(let id, _, _):
            id
        }
    }

    package var type: EventType {
        switch self {
        case .registered: EventType("UserRegistered")
        case .credentialsAttached: EventType("CredentialsAttached")
        case .profileChanged: EventType("UserProfileChanged")
        case .passwordChanged: EventType("PasswordChanged")
        case .passwordReset: EventType("PasswordReset")
        case .emailVerified: EventType("EmailVerified")
        case .erased: EventType("UserErased")
        case .erasureConfirmed: EventType("ErasureConfirmed")
        }
    }

    package var data: JSONObject {
        var object: JSONObject = ["userId": .uuid(userId)]
        switch self {
        case .passwordChanged, .passwordReset, .emailVerified, .erased: break
        case .registered(_, let kind, let timeZone):
            object["kind"] = kind.json
            object["timeZone"] = .string(timeZone)
        case .credentialsAttached(_, let method, let upgradesDevice):
            object["method"] = method.json
            object["upgradesDevice"] = .bool(upgradesDevice)
        case .profileChanged(_, let timeZone): object["timeZone"] = .string(timeZone)
        case .erasureConfirmed(_, let service, let removed):
            object["service"] = .string(service)
            object["removed"] = .object(removed.json)
        }
        return object
    }

    package static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> UserEvent {
        let event: UserEvent?
        do throws(JSONError) { event = try read(type, data) } catch { throw .malformed(type, error) }
        guard let event else { throw .unknownType(type) }
        return event
    }

    /// The event; nil for an unknown type.
    private static func read(_ type: EventType, _ data: JSONObject) throws(JSONError) -> UserEvent? {
        guard type.version == 1 else { return nil }
        switch type.name {
        case "UserRegistered":
            return .registered(
                try data.uuid("userId"), try data.code("kind"), timeZone: try data.string("timeZone"))
        case "CredentialsAttached":
            return .credentialsAttached(
                try data.uuid("userId"), try data.code("method"), upgradesDevice: try data.bool("upgradesDevice"))
        case "UserProfileChanged":
            return .profileChanged(try data.uuid("userId"), timeZone: try data.string("timeZone"))
        case "PasswordChanged": return .passwordChanged(try data.uuid("userId"))
        case "PasswordReset": return .passwordReset(try data.uuid("userId"))
        case "EmailVerified": return .emailVerified(try data.uuid("userId"))
        case "UserErased": return .erased(try data.uuid("userId"))
        case "ErasureConfirmed":
            return .erasureConfirmed(
                try data.uuid("userId"), service: try data.string("service"),
                try SubjectErased.Removed(data.object("removed")))
        default: return nil
        }
    }
}
