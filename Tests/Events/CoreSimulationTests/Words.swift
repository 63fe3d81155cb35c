import Contracts
import EventSourcing
import JSON
import Primitives

/// The sender's private events.
enum Word: PrivateEvent {
    /// Published; numbers rise with every word of a run, also over restores.
    case said(owner: UUID, number: Int64)
    /// Published as the message that erases its owner.
    case gone(owner: UUID, number: Int64)
    /// Never published.
    case kept(number: Int64)

    var number: Int64 {
        switch self {
        case .said(_, let number), .gone(_, let number), .kept(let number): number
        }
    }

    var owner: UUID? {
        switch self {
        case .said(let owner, _), .gone(let owner, _): owner
        case .kept: nil
        }
    }

    var type: EventType {
        switch self {
        case .said: EventType("Said")
        case .gone: EventType("Gone")
        case .kept: EventType("Kept")
        }
    }

    var data: JSONObject {
        var data: JSONObject = ["number": .int(number)]
        if let owner { data["owner"] = .uuid(owner) }
        return data
    }

    static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> Word {
        try reading(type, data) { (name, data) throws(JSONError) in
            let number = try data.int("number")
            return switch name {
            case "Said": .said(owner: try data.uuid("owner"), number: number)
            case "Gone": .gone(owner: try data.uuid("owner"), number: number)
            case "Kept": .kept(number: number)
            default: nil
            }
        }
    }

    /// What the sender publishes.
    @Sendable static func publication(_ event: RecordedEvent) throws(EventDecodingError) -> Outgoing? {
        let word = try event.decoded(as: Word.self)
        return word.owner.map {
            Outgoing(
                type: MessageType(.sessions, event.type.name), key: .owner($0), subject: $0.description, data: word.data
            )
        }
    }
}

/// The receiver's private events.
struct Heard: PrivateEvent {
    enum Kind: String {
        case heard = "Heard"
        case takenBack = "TakenBack"
        case erased = "Erased"
    }

    var kind = Kind.heard
    var owner: UUID
    var number: Int64

    var type: EventType { EventType(kind.rawValue) }
    var data: JSONObject { ["owner": .uuid(owner), "number": .int(number)] }

    static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> Heard {
        try reading(type, data) { (name, data) throws(JSONError) in
            guard let kind = Kind(rawValue: name) else { return nil }
            return Heard(kind: kind, owner: try data.uuid("owner"), number: try data.int("number"))
        }
    }
}
