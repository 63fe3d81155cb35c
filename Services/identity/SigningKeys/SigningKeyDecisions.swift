import Contracts
package import EventStore
import Primitives
import ServiceKit

extension SigningKey {
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
        case (.announce, .published(let key)): return [.published(key)]
        case (.announce, .retired(let key, let moment)): return [.retired(kid: key.kid, at: moment)]
        case (.retire, .absent), (.announce, .absent): throw .unknown
        }
    }
}

extension SigningKey: Aggregate {
    /// The service's own copy of the public key follows the key; the private half goes when it is retired.
    package static func rowCalls(for _: SigningKeyCommand, _: SigningKey, _ events: [SigningKeyEvent]) -> [RowCall] {
        events.flatMap { event -> [RowCall] in
            switch event {
            case .published(let key, let isSigned): [KitRows.learn(key.message, isSigned: isSigned)]
            case .retired(let kid, let moment, _):
                [
                    KitRows.retire(SigningKeyRetired(kid: kid.description, retiredAt: moment)),
                    SigningKeyRows.dropPrivateKey(kid),
                ]
            }
        }
    }
}
