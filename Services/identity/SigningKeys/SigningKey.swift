package import EventSourcing
package import Primitives

/// One signing key, as far as the next decision needs it.
package enum SigningKey: Sendable, Equatable {
    case absent
    case published(SigningKeyMaterial)
    case retired(SigningKeyMaterial, at: Timestamp)
}

extension SigningKey {
    package typealias Command = SigningKeyCommand
    package typealias Event = SigningKeyEvent
    package typealias Refusal = SigningKeyRefusal

    package static var initial: SigningKey { .absent }

    /// The category of the streams of signing keys.
    package static let category = "signingkey"

    /// The stream of a key.
    package static func stream(_ kid: UUID) -> StreamName { StreamName(category, kid) }

    package static func evolve(_ state: SigningKey, _ event: SigningKeyEvent) -> SigningKey {
        switch (event, state) {
        // A retired key stays retired, whatever comes later.
        case (.published(let key, _), .absent), (.published(let key, _), .published): .published(key)
        case (.retired(_, let moment, _), .published(let key)): .retired(key, at: moment)
        case (.published, .retired), (.retired, _): state
        }
    }
}
