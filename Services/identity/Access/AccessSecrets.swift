package import Configuration
import Crypto
import Primitives

/// The keys that follow from `KEY_ENCRYPTION_KEY`, one for each purpose.
package struct AccessSecrets: Sendable {
    /// Seals private signing keys.
    package let sealing: [UInt8]
    /// Authenticates refresh tokens.
    package let refresh: [UInt8]
    /// Authenticates mailed codes.
    package let codes: [UInt8]
    /// Hashes device ids and makes device secrets.
    package let device: [UInt8]
    /// Authenticates the marks of devices that signed in before.
    package let knownDevices: [UInt8]
    /// Seals the secrets of second factors.
    package let secondFactors: [UInt8]
    /// Authenticates tickets of sign-ins.
    package let tickets: [UInt8]
    /// Signs the addresses of erasure receipts.
    package let receipts: [UInt8]
    /// Hashes what may not be read back: addresses in rate limits and in ids of commands.
    package let blind: [UInt8]

    /// Reads `KEY_ENCRYPTION_KEY` or the file of `KEY_ENCRYPTION_KEY_FILE`: 64 hexadecimal characters. Problems stay in
    /// `environment` until it is finished.
    package init(_ environment: Environment) {
        let secret = environment.secret("KEY_ENCRYPTION_KEY").reveal()
        let key = Hex.decode(secret) ?? []
        if !secret.isEmpty && key.count != AESGCM.keyLength {
            environment.refuse(
                "KEY_ENCRYPTION_KEY", "must be 64 hexadecimal characters, as `openssl rand -hex 32` gives.")
        }
        let derive = { (purpose: String) in HMACSHA256.authenticate(Array("mirrormate/\(purpose)".utf8), key: key) }
        sealing = derive("signing-keys")
        refresh = derive("refresh-tokens")
        codes = derive("mailed-codes")
        device = derive("devices")
        knownDevices = derive("known-devices")
        secondFactors = derive("second-factors")
        tickets = derive("sign-in-tickets")
        receipts = derive("erasure-receipts")
        blind = derive("blind-hashes")
    }

    /// A hash from which the text cannot be guessed without the key.
    package func blinded(_ text: String) -> [UInt8] { HMACSHA256.authenticate(Array(text.utf8), key: blind) }
}
