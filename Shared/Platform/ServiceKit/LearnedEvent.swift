package import Contracts
import EventConsumer
package import EventSourcing
import EventStore
package import JSON
import Postgres
import Primitives
import Runtime

/// A service learned of a signing key, of its retirement, from when on identity signs what it announces, of the end of a login
/// session, of an app's token, or of an API key and its end: the only events that all services have in common.
package enum LearnedEvent: PrivateEvent, Equatable {
    case learned(SigningKeyPublished)
    case retired(SigningKeyRetired)
    /// Identity signs with a key from a position of its log on.
    case begun(AnnouncementsBegun, position: Int64)
    /// Access tokens of a login session count no longer.
    case loginEnded(LoginSessionEnded)
    /// A token opens an app's routes.
    case appTokenIssued(AppTokenIssued)
    /// A key opens the compatible surface.
    case apiKeyIssued(APIKeyIssued)
    /// It does so no longer.
    case apiKeyRevoked(APIKeyRevoked)

    private static let learnedType = EventType("SigningKeyLearned")
    private static let retiredType = EventType("SigningKeyRetirementLearned")
    private static let begunType = EventType("AnnouncementsBegunLearned")
    static let loginEndedType = EventType("LoginSessionEndLearned")
    private static let appTokenType = EventType("AppTokenLearned")
    private static let apiKeyType = EventType("APIKeyLearned")
    private static let apiKeyEndType = EventType("APIKeyRevocationLearned")

    package var type: EventType {
        switch self {
        case .learned: Self.learnedType
        case .retired: Self.retiredType
        case .begun: Self.begunType
        case .loginEnded: Self.loginEndedType
        case .appTokenIssued: Self.appTokenType
        case .apiKeyIssued: Self.apiKeyType
        case .apiKeyRevoked: Self.apiKeyEndType
        }
    }

    package var data: JSONObject {
        switch self {
        case .learned(let message): message.json
        case .retired(let message): message.json
        case .begun(let message, let position): message.json.adding(["position": .int(position)])
        case .loginEnded(let message): message.json
        case .appTokenIssued(let message): message.json
        case .apiKeyIssued(let message): message.json
        case .apiKeyRevoked(let message): message.json
        }
    }

    package static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> LearnedEvent {
        try reading(type, data, byName: read)
    }

    /// The event; nil for an unknown name.
    private static func read(_ name: String, _ data: JSONObject) throws(JSONError) -> LearnedEvent? {
        switch name {
        case learnedType.name: try .learned(SigningKeyPublished(data))
        case retiredType.name: try .retired(SigningKeyRetired(data))
        case begunType.name: try .begun(AnnouncementsBegun(data), position: data.int("position"))
        case loginEndedType.name: try .loginEnded(LoginSessionEnded(data))
        case appTokenType.name: try .appTokenIssued(AppTokenIssued(data))
        case apiKeyType.name: try .apiKeyIssued(APIKeyIssued(data))
        case apiKeyEndType.name: try .apiKeyRevoked(APIKeyRevoked(data))
        default: nil
        }
    }

    /// The category of its stream.
    private var category: String {
        switch self {
        case .learned, .retired, .begun: "key"
        case .loginEnded: "loginend"
        case .appTokenIssued: "apptoken"
        case .apiKeyIssued, .apiKeyRevoked: "apikey"
        }
    }

    /// Whether an event type is one of these, which a service's own folds and relay skip.
    package static func isOne(_ type: EventType) -> Bool {
        [learnedType, retiredType, begunType, loginEndedType, appTokenType, apiKeyType, apiKeyEndType].contains(type)
    }

    /// The types of messages that become these.
    package static let messages: Set<MessageType> = [
        SigningKeyPublished.type, SigningKeyPublishedV2.type, SigningKeyRetired.type, SigningKeyRetiredV2.type,
        AnnouncementsBegun.type, LoginSessionEnded.type, AppTokenIssued.type, APIKeyIssued.type,
        APIKeyRevoked.type,
    ]
}

extension LearnedEvent {
    /// What a service appends about an announcement of identity, with the row of its own copy; nil for any other message.
    ///
    /// - Throws: `JSONError` when a member is missing or malformed.
    static func append(_ message: ReceivedMessage, learnedBy service: ServiceName) throws(JSONError) -> Append? {
        guard service != .identity else { return nil }
        let event: LearnedEvent
        let rows: [RowCall]
        switch message.incoming.type {
        case SigningKeyPublished.type, SigningKeyPublishedV2.type:
            let key: SigningKeyPublished = try message.incoming.read()
            event = .learned(key)
            rows = [KitRows.learn(key, isSigned: message.incoming.type == SigningKeyPublishedV2.type)]
        case SigningKeyRetired.type, SigningKeyRetiredV2.type:
            let key: SigningKeyRetired = try message.incoming.read()
            event = .retired(key)
            rows = [KitRows.retire(key)]
        case AnnouncementsBegun.type:
            let begun: AnnouncementsBegun = try message.incoming.read()
            event = .begun(begun, position: message.origin.position)
            rows = [KitRows.beginAnnouncements(begun.announcementKey, message.origin.position)]
        case LoginSessionEnded.type:
            let ended: LoginSessionEnded = try message.incoming.read()
            event = .loginEnded(ended)
            rows = [KitRows.learn(ended), KitRows.endAppTokens(of: ended.loginSessionId)]
        case AppTokenIssued.type:
            let issued: AppTokenIssued = try message.incoming.read()
            event = .appTokenIssued(issued)
            rows = [KitRows.learn(issued)]
        case APIKeyIssued.type:
            let issued: APIKeyIssued = try message.incoming.read()
            event = .apiKeyIssued(issued)
            rows = [KitRows.learn(issued)]
        case APIKeyRevoked.type:
            let revoked: APIKeyRevoked = try message.incoming.read()
            event = .apiKeyRevoked(revoked)
            rows = [KitRows.revoke(revoked)]
        default: return nil
        }
        // Its own stream for each event: what was learned needs no decision.
        let stream = StreamName(event.category, message.appendID)
        return Append(
            id: message.appendID, requestHash: message.requestHash, metadata: message.metadata(actor: service.rawValue),
            writes: [StreamWrite(stream, expectedVersion: 0, events: [NewEvent(event)])], calls: rows)
    }
}

extension LearnedEvent {
    /// What takes back that a service learned something of identity which identity has not said, or does not know any more; nil
    /// where there is nothing to take back: ends and retirements stay, and so does what an earlier message has said as well.
    ///
    /// - Parameter event: one of these, of the service's own log.
    /// - Throws: `EventDecodingError` if this build cannot read the event, or `PostgresError`.
    @Loop static func takingBack(
        _ event: RecordedEvent, _ store: EventStore, by service: ServiceName
    ) async throws -> Append? {
        let call: RowCall
        switch try event.decoded(as: LearnedEvent.self) {
        case .appTokenIssued(let token): call = KitRows.takeBack(token)
        case .apiKeyIssued(let key): call = KitRows.takeBack(key)
        case .learned(let key):
            if try await isKnown(key, before: event.position, store) { return nil }
            call = KitRows.takeBack(key)
        case .retired, .begun, .loginEnded, .apiKeyRevoked: return nil
        }
        // Nobody's: it is done for somebody who was erased too.
        let metadata = EventMetadata(
            owner: nil, correlation: event.metadata.correlation, causation: event.id, actor: service.rawValue)
        let id = UUID.v5(namespace: event.id, name: "orphan")
        return Append(id: id, requestHash: id.bytes, metadata: metadata, writes: [], calls: [call])
    }

    /// Whether the service had learned the same key before: each announcement key has living keys announced once more. What was
    /// undone of that is taken back with its own event.
    @Loop private static func isKnown(
        _ key: SigningKeyPublished, before position: Int64, _ store: EventStore
    ) async throws -> Bool {
        try await store.pool.query(
            """
            select exists (select from events where type = $1 and position < $2 and data ->> 'kid' = $3
                and data ->> 'x' = $4 and data ->> 'y' = $5)
            """,
            [.text(learnedType.name), .int(position), .text(key.kid), .text(key.x), .text(key.y)]
        ).rows[0].bool(0)
    }
}
