package import Contracts
package import EventSourcing
package import JSON

/// That a service learned of a signing key or of its retirement: the only events that all services have in common.
package enum KeyEvent: PrivateEvent, Equatable {
    case learned(SigningKeyPublished)
    case retired(SigningKeyRetired)

    private static let learnedType = EventType("SigningKeyLearned")
    private static let retiredType = EventType("SigningKeyRetirementLearned")

    package var type: EventType {
        switch self {
        case .learned: Self.learnedType
        case .retired: Self.retiredType
        }
    }

    package var data: JSONObject {
        switch self {
        case .learned(let message): message.json
        case .retired(let message): message.json
        }
    }

    package static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> KeyEvent {
        switch type {
        case learnedType: try reading(type) { () throws(JSONError) in .learned(try SigningKeyPublished(data)) }
        case retiredType: try reading(type) { () throws(JSONError) in .retired(try SigningKeyRetired(data)) }
        default: throw .unknownType(type)
        }
    }

    /// Whether an event type is one of these, so that a service's own folds and relay pass it by.
    package static func isOne(_ type: EventType) -> Bool { type == learnedType || type == retiredType }
}
