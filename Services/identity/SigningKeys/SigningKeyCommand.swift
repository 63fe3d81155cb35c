package import Primitives

/// What can be asked of a signing key.
package enum SigningKeyCommand: Sendable, Equatable {
    /// Announce it to every service.
    case publish(SigningKeyMaterial)
    /// Announce it, or its retirement, again: with a new announcement key.
    case announce
    /// Stop accepting what it signed.
    case retire(at: Timestamp)
}

/// Why a command to a signing key is refused.
package enum SigningKeyRefusal: String, Error, Sendable, Equatable, CaseIterable {
    /// There is no such key.
    case unknown = "signing-key-unknown"
    /// Another key has this id, or the key was retired; make a new one.
    case exists = "signing-key-exists"
    /// It would expire before it becomes valid.
    case invalidPeriod = "signing-key-period-invalid"
}
