import Contracts
import EventConsumer
import EventSourcing
import JSON
import Primitives
import Runtime
import ServiceKit

/// What one service tells: every way in which it publishes something, and everything that it hears.
@Loop protocol Story {
    associatedtype S: Service
    /// The service's own variables.
    static func variables(_ folder: String) -> [String: String]
    /// Puts the commands and messages, in order.
    static func tell(_ stage: Stage<S>) async throws
    /// Whether the service's real reader takes the message as one that concerns it.
    ///
    /// - Throws: what of it cannot be read.
    nonisolated static func concerns(_ message: Incoming) throws -> Bool
    /// Reads a private event from the log and gives its type and data as today's code would write them.
    nonisolated static func rewrite(_ type: EventType, _ data: JSONObject) throws -> (EventType, JSONObject)
    /// Folds the whole log of a store into the service's read models.
    static func rebuild(_ stage: Stage<S>) async throws
}

extension Story {
    /// Whether it is a signing key, which every service but identity learns in the same way.
    nonisolated static func concernsKey(_ message: Incoming) throws -> Bool {
        switch message.type {
        case SigningKeyPublished.type: _ = try message.read(SigningKeyPublished.self)
        case SigningKeyRetired.type: _ = try message.read(SigningKeyRetired.self)
        default: return false
        }
        return true
    }

    /// Learned keys lie in every service's log.
    nonisolated static func rewritten<Event: PrivateEvent>(
        _: Event.Type, _ type: EventType, _ data: JSONObject
    ) throws -> (EventType, JSONObject) {
        if KeyEvent.isOne(type) {
            let event = try KeyEvent.decode(type, data)
            return (event.type, event.data)
        }
        let event = try Event.decode(type, data)
        return (event.type, event.data)
    }
}

extension Reaction {
    /// Whether anything follows.
    var concerns: Bool {
        if case .ignore = self { return false }
        return true
    }
}
