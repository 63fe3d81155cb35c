package import Contracts
package import EventConsumer
package import EventSourcing
package import EventStore
import JSON
package import Primitives
package import Runtime

/// Brings messages to a service's deciders: learned keys and erasures by itself, everything else through the service's
/// reactions.
@Loop package final class ReactionHandler<D: Decider>: MessageHandler {
    /// What the service answers to a message; may do I/O first, such as reading a document.
    package typealias React = @Loop (ReceivedMessage) async throws -> Reaction<D.Command>
    /// Erases all that a subject has in this service, in appends that carry the calls with the last one.
    package typealias Erase = @Loop (_ subject: UUID, ReceivedMessage, [RowCall]) async throws -> Void

    private let store: EventStore
    private let service: ServiceName
    private let react: React
    private let erase: Erase
    private let takeBack: @Loop (RecordedEvent) async throws -> Reaction<D.Command>
    private let rows: @Loop (D.State, [D.Event]) -> [RowCall]
    private let thoughErased: Bool

    /// - Parameters:
    ///   - rows: the row writes that go with new events.
    ///   - takeBack: what to do about an own event whose cause was undone by another service's restore.
    ///   - thoughErased: whether messages are handled also for users who are erased.
    package init(
        _: D.Type, store: EventStore, service: ServiceName, react: @escaping React,
        rows: @escaping @Loop (D.State, [D.Event]) -> [RowCall] = { _, _ in [] },
        takeBack: @escaping @Loop (RecordedEvent) async throws -> Reaction<D.Command>, thoughErased: Bool = false,
        erase: @escaping Erase
    ) {
        self.store = store
        self.service = service
        self.react = react
        self.rows = rows
        self.takeBack = takeBack
        self.thoughErased = thoughErased
        self.erase = erase
    }

    package func isErasure(_ message: ReceivedMessage) -> Bool { message.incoming.type == UserErased.type }

    package func handle(_ message: ReceivedMessage, calls: [RowCall]) async throws {
        if let learned = try keyAppend(message, calls) {
            try await store.append(learned)
            return
        }
        switch try await react(message) {
        case .ignore: break
        case .erase(let subject): try await erase(subject, message, calls)
        case .apply(let stream, let command):
            do {
                _ = try await CommandHandler<D>(store).handle(
                    command, on: stream, id: message.appendID, requestHash: Self.hash(message),
                    metadata: message.metadata(actor: service.rawValue), thoughErased: thoughErased
                ) { [rows] state, events in calls + rows(state, events) }
            } catch AppendError.erased {
                // Late for an erased user: there is nothing left that it could concern, and nothing to park.
            }
        }
    }

    package func orphan(_ event: RecordedEvent) async throws {
        guard case .apply(let stream, let command) = try await takeBack(event) else { return }
        var metadata = event.metadata
        metadata.causation = event.id
        metadata.origin = nil
        let id = UUID.v5(namespace: event.id, name: "orphan")
        _ = try await CommandHandler<D>(store).handle(
            command, on: stream, id: id, requestHash: id.bytes, metadata: metadata
        ) { [rows] state, events in rows(state, events) }
    }

    /// The same for every delivery of a message; another message under its id is a fault.
    private static func hash(_ message: ReceivedMessage) -> [UInt8] { message.incoming.id.bytes }

    private func keyAppend(_ message: ReceivedMessage, _ calls: [RowCall]) throws -> Append? {
        let event: KeyEvent
        let row: RowCall

        switch message.incoming.type {
        case SigningKeyPublished.type where service != .identity:
            let key: SigningKeyPublished = try message.incoming.read()
            event = .learned(key)
            row = RowCall("learn_key", key.json)

        case SigningKeyRetired.type where service != .identity:
            let key: SigningKeyRetired = try message.incoming.read()
            event = .retired(key)
            row = RowCall("retire_key", key.json)

        default: return nil
        }
        // Its own stream for each event: what was learned about a key needs no decision.
        let stream = StreamName("key", message.appendID)
        return Append(
            id: message.appendID, requestHash: Self.hash(message), metadata: message.metadata(actor: service.rawValue),
            writes: [StreamWrite(stream, expectedVersion: 0, events: [NewEvent(event)])], calls: calls + [row])
    }
}
