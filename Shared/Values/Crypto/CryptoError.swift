/// Why a cryptographic operation failed. No case carries key material or plaintext.
package enum CryptoError: String, Error, Sendable, CustomStringConvertible {
    /// The bytes given as a key are not a key of the kind asked for.
    case malformedKey = "malformed-key"
    /// The sealed bytes were changed, truncated, or sealed with another key or other associated data.
    case notAuthentic = "not-authentic"
    /// The stored text is not an Argon2id hash this release verifies.
    case malformedHash = "malformed-hash"
    /// The library failed at an operation that only fails when out of memory or when its installation is broken.
    case libraryFailure = "library-failure"

    /// The stable code of the error.
    package var code: String { rawValue }

    package var description: String {
        switch self {
        case .malformedKey:
            "The bytes are not a usable key: check that the whole key was stored and that its kind is the expected one."
        case .notAuthentic:
            "The sealed bytes could not be opened: check that the key encryption key is the one they were sealed with."
        case .malformedHash:
            "The stored password hash cannot be read: have the account's password set again."
        case .libraryFailure:
            "The cryptographic library failed: check the memory limit and the libcrypto and libargon2 installation."
        }
    }
}
