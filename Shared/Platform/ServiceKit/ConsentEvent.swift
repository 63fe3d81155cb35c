package import Contracts
import EventConsumer
package import EventSourcing
import EventStore
package import JSON
import Primitives

/// A service learned what a user lets a provider have, or have no longer.
package enum ConsentEvent: PrivateEvent, Equatable {
    case given(ConsentGiven)
    case withdrawn(ConsentWithdrawn)

    private static let givenType = EventType("ConsentLearned")
    private static let withdrawnType = EventType("ConsentWithdrawalLearned")

    package var type: EventType {
        switch self {
        case .given: Self.givenType
        case .withdrawn: Self.withdrawnType
        }
    }

    package var data: JSONObject {
        switch self {
        case .given(let message): message.json
        case .withdrawn(let message): message.json
        }
    }

    package static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> ConsentEvent {
        try reading(type, data) { (name, data) throws(JSONError) in
            switch name {
            case givenType.name: try .given(ConsentGiven(data))
            case withdrawnType.name: try .withdrawn(ConsentWithdrawn(data))
            default: nil
            }
        }
    }

    /// Whether an event type is one of these, which a service's own folds and relay skip.
    package static func isOne(_ type: EventType) -> Bool { type == givenType || type == withdrawnType }
}

extension ConsentEvent {
    /// What a service appends about a message of identity, with the row that says what counts.
    func append(_ message: ReceivedMessage, by service: ServiceName) -> Append {
        let call =
            switch self {
            case .given(let given): ConsentRows.learn(given)
            case .withdrawn(let withdrawn): ConsentRows.learn(withdrawn)
            }
        // Its own stream for each event: what was learned needs no decision.
        let stream = StreamName("consent", message.appendID)
        return Append(
            id: message.appendID, requestHash: message.requestHash, metadata: message.metadata(actor: service.rawValue),
            writes: [StreamWrite(stream, expectedVersion: 0, events: [NewEvent(self)])], calls: [call])
    }

    /// What takes back that a service learned of a consent which identity has not said, or does not know any more; nil for a withdrawal,
    /// which stays.
    ///
    /// - Throws: `EventDecodingError` if this build cannot read the event.
    static func takingBack(_ event: RecordedEvent, by service: ServiceName) throws -> Append? {
        guard case .given(let given) = try event.decoded(as: ConsentEvent.self) else { return nil }
        let id = UUID.v5(namespace: event.id, name: "orphan")
        // Nobody's: it is done for somebody who was erased too.
        let metadata = EventMetadata(
            owner: nil, correlation: event.metadata.correlation, causation: event.id, actor: service.rawValue)
        return Append(
            id: id, requestHash: id.bytes, metadata: metadata, writes: [], calls: [ConsentRows.takeBack(given)])
    }
}
