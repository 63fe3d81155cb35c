package import Contracts
package import EventSourcing
package import JSON

/// What happened to a login session. The names in ``type`` are durable.
package enum LoginSessionEvent: PrivateEvent, Equatable {
    /// Ended before its time; announced to every service.
    case ended(LoginSessionEnd)
    /// An app's token was made; announced to every service.
    case appTokenIssued(AppTokenIssued)

    package var type: EventType {
        switch self {
        case .ended: EventType("LoginSessionEnded")
        case .appTokenIssued: EventType("AppTokenIssued")
        }
    }

    package var data: JSONObject {
        switch self {
        case .ended(let end):
            [
                "loginSessionId": .uuid(end.session), "userId": .uuid(end.user), "reason": end.reason.json,
                "tokensUntil": .time(end.tokensUntil),
            ]
        case .appTokenIssued(let token): token.json
        }
    }

    package static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> LoginSessionEvent {
        try reading(type, data, byName: read)
    }

    /// Whether an event of this name is one of these.
    package static func hasName(_ name: String) -> Bool {
        ["LoginSessionEnded", "AppTokenIssued"].contains(name)
    }

    /// The event; nil for an unknown name.
    private static func read(_ name: String, _ data: JSONObject) throws(JSONError) -> LoginSessionEvent? {
        switch name {
        case "LoginSessionEnded":
            try .ended(
                LoginSessionEnd(
                    session: data.uuid("loginSessionId"), user: data.uuid("userId"), reason: data.code("reason"),
                    tokensUntil: data.timestamp("tokensUntil")))
        case "AppTokenIssued": try .appTokenIssued(AppTokenIssued(data))
        default: nil
        }
    }
}
