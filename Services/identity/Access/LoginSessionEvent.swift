import Contracts
package import EventSourcing
package import JSON

/// What happened to a login session. The names in ``type`` are durable.
package enum LoginSessionEvent: PrivateEvent, Equatable {
    /// Ended before its time; announced to every service.
    case ended(LoginSessionEnd)

    package var type: EventType {
        switch self {
        case .ended: EventType("LoginSessionEnded")
        }
    }

    package var data: JSONObject {
        switch self {
        case .ended(let end):
            [
                "loginSessionId": .uuid(end.session), "userId": .uuid(end.user), "reason": end.reason.json,
                "tokensUntil": .time(end.tokensUntil),
            ]
        }
    }

    package static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> LoginSessionEvent {
        try reading(type, data, byName: read)
    }

    /// Whether an event of this name is one of these.
    package static func hasName(_ name: String) -> Bool { name == "LoginSessionEnded" }

    /// The event; nil for an unknown name.
    private static func read(_ name: String, _ data: JSONObject) throws(JSONError) -> LoginSessionEvent? {
        switch name {
        case "LoginSessionEnded":
            try .ended(
                LoginSessionEnd(
                    session: data.uuid("loginSessionId"), user: data.uuid("userId"), reason: data.code("reason"),
                    tokensUntil: data.timestamp("tokensUntil")))
        default: nil
        }
    }
}
