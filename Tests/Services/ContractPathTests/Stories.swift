import Contracts
import EventConsumer
import EventSourcing
import JSON
import Primitives
import Runtime
import ServiceKit

/// The story of one service: every way in which it publishes something, and everything that it consumes.
@Loop protocol Story {
    associatedtype S: Service
    /// The service's own variables.
    static func variables(_ folder: String) -> [String: String]
    /// Puts the commands and messages, in order.
    static func tell(_ stage: Stage<S>) async throws
    /// Reads a private event from the log and gives its type and data as today's code would write them.
    nonisolated static func rewrite(_ type: EventType, _ data: JSONObject) throws -> (EventType, JSONObject)
}

extension Story {
    /// Whether the service's real reader takes the message as one that concerns it. Signing keys and ended login
    /// sessions every service but identity learns in the same way.
    ///
    /// - Throws: what of it cannot be read.
    nonisolated static func concerns(_ message: Incoming) throws -> Bool {
        switch message.type {
        case SigningKeyPublished.type where S.name != .identity: _ = try message.read(SigningKeyPublished.self)
        case SigningKeyPublishedV2.type where S.name != .identity: _ = try message.read(SigningKeyPublishedV2.self)
        case SigningKeyRetired.type where S.name != .identity: _ = try message.read(SigningKeyRetired.self)
        case SigningKeyRetiredV2.type where S.name != .identity: _ = try message.read(SigningKeyRetiredV2.self)
        case AnnouncementsBegun.type where S.name != .identity: _ = try message.read(AnnouncementsBegun.self)
        case LoginSessionEnded.type where S.name != .identity: _ = try message.read(LoginSessionEnded.self)
        case AppTokenIssued.type where S.name != .identity: _ = try message.read(AppTokenIssued.self)
        case APIKeyIssued.type where S.name != .identity: _ = try message.read(APIKeyIssued.self)
        case APIKeyRevoked.type where S.name != .identity: _ = try message.read(APIKeyRevoked.self)
        default: return try S.reactions.concerns(message)
        }
        return true
    }

    /// Learned keys lie in every service's log.
    nonisolated static func rewritten<Event: PrivateEvent>(
        _: Event.Type, _ type: EventType, _ data: JSONObject
    ) throws -> (EventType, JSONObject) {
        if LifeEvent.isOne(type) {
            let event = try LifeEvent.decode(type, data)
            return (event.type, event.data)
        }
        if ExportPartEvent.isOne(type) {
            let event = try ExportPartEvent.decode(type, data)
            return (event.type, event.data)
        }
        if ConsentEvent.isOne(type) {
            let event = try ConsentEvent.decode(type, data)
            return (event.type, event.data)
        }
        if LearnedEvent.isOne(type) {
            let event = try LearnedEvent.decode(type, data)
            return (event.type, event.data)
        }
        let event = try Event.decode(type, data)
        return (event.type, event.data)
    }
}
