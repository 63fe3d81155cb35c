package import Contracts
package import EventSourcing
package import EventStore
package import Primitives
import ServiceKit

/// One API key of the compatible surface, as far as its end needs it. Its text is nowhere.
package enum APIKey: Sendable, Equatable {
    case absent
    case issued
    case revoked
}

/// What can be asked of an API key.
package enum APIKeyCommand: Sendable, Equatable {
    /// It counts from now on, in every service.
    case issue(APIKeyIssued)
    /// It counts no longer, whether or not it is known here: a restore may have forgotten it.
    case revoke(UUID)
}

/// Why a command to an API key is refused.
package enum APIKeyRefusal: String, Error, Sendable, Equatable, CaseIterable {
    /// There is such a key, or there was; make another one.
    case exists = "api-key-exists"
}

extension APIKey: Aggregate {
    package typealias Command = APIKeyCommand
    package typealias Event = APIKeyEvent
    package typealias Refusal = APIKeyRefusal

    package static var initial: APIKey { .absent }

    /// The category of the streams of API keys.
    package static let category = "apikey"

    /// The stream of a key.
    package static func stream(_ id: UUID) -> StreamName { StreamName(category, id) }

    package static func decide(_ command: APIKeyCommand, _ state: APIKey) throws(APIKeyRefusal) -> [APIKeyEvent] {
        switch (command, state) {
        case (.issue(let key), .absent): return [.issued(key)]
        case (.issue, _): throw .exists
        case (.revoke(let id), .absent), (.revoke(let id), .issued): return [.revoked(APIKeyRevoked(keyId: id))]
        case (.revoke, .revoked): return []
        }
    }

    package static func evolve(_ state: APIKey, _ event: APIKeyEvent) -> APIKey {
        switch (event, state) {
        // A revoked key stays revoked, whatever comes later.
        case (.issued, .absent), (.issued, .issued): .issued
        case (.revoked, _), (_, .revoked): .revoked
        }
    }

    /// The service's own copy follows the key.
    package static func rowCalls(for _: APIKeyCommand, _: APIKey, _ events: [APIKeyEvent]) -> [RowCall] {
        events.map { event in
            switch event {
            case .issued(let key): KitRows.learn(key)
            case .revoked(let key): KitRows.revoke(key)
            }
        }
    }
}
