package import Access
package import EventSourcing
package import JSON
package import SigningKeys

/// Everything in the log of `identity`.
package enum IdentityEvent: PrivateEvent, Equatable {
    case user(UserEvent)
    case signingKey(SigningKeyEvent)
    case announcing(AnnouncingEvent)
    case login(LoginSessionEvent)
    case apiKey(APIKeyEvent)

    package var type: EventType {
        switch self {
        case .user(let event): event.type
        case .signingKey(let event): event.type
        case .announcing(let event): event.type
        case .login(let event): event.type
        case .apiKey(let event): event.type
        }
    }

    package var data: JSONObject {
        switch self {
        case .user(let event): event.data
        case .signingKey(let event): event.data
        case .announcing(let event): event.data
        case .login(let event): event.data
        case .apiKey(let event): event.data
        }
    }

    package static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> IdentityEvent {
        if AnnouncingEvent.hasName(type.name) { return .announcing(try AnnouncingEvent.decode(type, data)) }
        if LoginSessionEvent.hasName(type.name) { return .login(try LoginSessionEvent.decode(type, data)) }
        if APIKeyEvent.hasName(type.name) { return .apiKey(try APIKeyEvent.decode(type, data)) }
        return type.name.hasPrefix("SigningKey")
            ? .signingKey(try SigningKeyEvent.decode(type, data)) : .user(try UserEvent.decode(type, data))
    }
}
