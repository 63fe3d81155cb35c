package import Contracts
package import EventSourcing
package import EventStore
package import JSON
package import Primitives
import ServiceKit

/// The public half of a key that signs access tokens (ES256); the private half is a sealed row.
package struct SigningKeyMaterial: Sendable, Equatable {
    /// The key's id in token headers (RFC 7517, section 4.5), as this UUID's string form.
    package var kid: UUID
    /// The coordinates, base 64 URL without padding (RFC 7518, section 6.2.1).
    package var x: String
    package var y: String
    /// From when on tokens are signed with it.
    package var notBefore: Timestamp
    /// After this, no token signed with it is accepted.
    package var expiresAt: Timestamp

    package init(kid: UUID, x: String, y: String, notBefore: Timestamp, expiresAt: Timestamp) {
        self.kid = kid
        self.x = x
        self.y = y
        self.notBefore = notBefore
        self.expiresAt = expiresAt
    }

    /// The key as other services hear of it.
    package var message: SigningKeyPublished {
        SigningKeyPublished(kid: kid.description, x: x, y: y, notBefore: notBefore, expiresAt: expiresAt)
    }

    init(_ object: JSONObject) throws(JSONError) {
        kid = try object.uuid("kid")
        x = try object.string("x")
        y = try object.string("y")
        notBefore = try object.timestamp("notBefore")
        expiresAt = try object.timestamp("expiresAt")
    }

    var json: JSONObject {
        [
            "kid": .uuid(kid), "x": .string(x), "y": .string(y), "notBefore": .time(notBefore),
            "expiresAt": .time(expiresAt),
        ]
    }
}

/// The commands of a signing key.
package enum SigningKeyCommand: Sendable, Equatable {
    /// Announce it to every service.
    case publish(SigningKeyMaterial)
    /// Stop accepting what it signed.
    case retire(at: Timestamp)
}

/// A signing key's refusals; the raw value is the stable code.
package enum SigningKeyRefusal: String, Error, Sendable, Equatable, CaseIterable {
    /// There is no such key.
    case unknown = "signing-key-unknown"
    /// Another key has this id, or the key was retired; make a new one.
    case exists = "signing-key-exists"
    /// It would expire before it becomes valid.
    case invalidPeriod = "signing-key-period-invalid"
}

/// The events of a signing key. The names in ``type`` are durable.
package enum SigningKeyEvent: PrivateEvent, Equatable {
    case published(SigningKeyMaterial)
    case retired(kid: UUID, at: Timestamp)

    package var type: EventType {
        switch self {
        case .published: EventType("SigningKeyPublished")
        case .retired: EventType("SigningKeyRetired")
        }
    }

    package var data: JSONObject {
        switch self {
        case .published(let key): key.json
        case .retired(let kid, let moment): ["kid": .uuid(kid), "retiredAt": .time(moment)]
        }
    }

    package static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> SigningKeyEvent {
        switch (type.name, type.version) {
        case ("SigningKeyPublished", 1):
            return try reading(type) { () throws(JSONError) in .published(try SigningKeyMaterial(data)) }
        case ("SigningKeyRetired", 1):
            return try reading(type) { () throws(JSONError) in
                .retired(kid: try data.uuid("kid"), at: try data.timestamp("retiredAt"))
            }
        default: throw .unknownType(type)
        }
    }
}

/// The state of a signing key.
package enum SigningKey: Sendable, Equatable {
    case absent
    case published(SigningKeyMaterial)
    case retired(SigningKeyMaterial)
}

extension SigningKey: Aggregate {
    package typealias Command = SigningKeyCommand
    package typealias Event = SigningKeyEvent
    package typealias Refusal = SigningKeyRefusal

    package static var initial: SigningKey { .absent }

    /// The category of the streams of keys.
    package static let category = "signingkey"

    /// The stream of a key.
    package static func stream(_ kid: UUID) -> StreamName { StreamName(category, kid) }

    package static func decide(
        _ command: SigningKeyCommand, _ state: SigningKey
    ) throws(SigningKeyRefusal) -> [SigningKeyEvent] {
        switch (command, state) {
        case (.publish(let key), .absent):
            guard key.expiresAt > key.notBefore else { throw .invalidPeriod }
            return [.published(key)]
        case (.publish(let key), .published(let known)) where key == known: return []
        case (.publish, _): throw .exists
        case (.retire(let moment), .published(let key)): return [.retired(kid: key.kid, at: moment)]
        case (.retire, .retired): return []
        case (.retire, .absent): throw .unknown
        }
    }

    package static func evolve(_ state: SigningKey, _ event: SigningKeyEvent) -> SigningKey {
        switch (event, state) {
        case (.published(let key), _): .published(key)
        case (.retired, .published(let key)): .retired(key)
        case (.retired, _): state
        }
    }

    /// The service's own copy of the public key follows the key; the private half goes when it is retired.
    package static func rowCalls(for _: SigningKeyCommand, _: SigningKey, _ events: [SigningKeyEvent]) -> [RowCall] {
        events.flatMap { event -> [RowCall] in
            switch event {
            case .published(let key): [KitRows.learn(key.message)]
            case .retired(let kid, let moment):
                [
                    KitRows.retire(SigningKeyRetired(kid: kid.description, retiredAt: moment)),
                    SigningKeyRows.dropPrivateKey(kid),
                ]
            }
        }
    }
}
