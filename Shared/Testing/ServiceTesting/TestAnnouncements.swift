package import Crypto

/// The announcement key of tests: identity signs with it, and every service is started with its public half.
package enum TestAnnouncements {
    /// Made anew in each process.
    package static let key = makeKey()
    /// Its id.
    package static let keyID = key.publicKey.thumbprint

    /// The variables with which services get it.
    package static let variables = variables(signing: [key], known: [key])

    /// The variables with which services get keys.
    ///
    /// - Parameters:
    ///   - signing: what identity holds: the key that signs, then perhaps the next.
    ///   - known: the keys whose public halves every service has.
    package static func variables(signing: [ES256PrivateKey], known: [ES256PrivateKey]) -> [String: String] {
        [
            "ANNOUNCEMENT_KEY": signing.map(secret).joined(),
            "ANNOUNCEMENT_KEYS": known.map(\.publicKey.pem).joined(),
        ]
    }

    /// A new key.
    package static func makeKey() -> ES256PrivateKey {
        do { return try .generate() } catch { preconditionFailure("No key can be made: \(error)") }
    }

    private static func secret(_ key: ES256PrivateKey) -> String {
        do { return try key.pem() } catch { preconditionFailure("The key cannot be written: \(error)") }
    }
}
