import CCrypto
package import Primitives

/// Codes that follow from a shared secret and the time (RFC 6238): six digits, other ones every 30 s, from HMAC-SHA-1, which
/// all authenticator apps know.
package struct TOTP: Sendable {
    /// How many bytes a new secret has (RFC 4226, section 4).
    package static let secretLength = 20

    private static let seconds: Int64 = 30
    private static let macLength = 20
    private static let modulus: UInt32 = 1_000_000

    private let secret: [UInt8]

    package init(secret: [UInt8]) { self.secret = secret }

    /// The number of the time step that a moment lies in.
    package static func step(at moment: Timestamp) -> Int64 { moment.microseconds / 1_000_000 / seconds }

    /// The code of a time step.
    package func code(of step: Int64) -> String {
        let message = withUnsafeBytes(of: step.bigEndian) { Array($0) }
        let length = Self.macLength
        let mac = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            let outcome = EVP_Q_mac(
                nil, "HMAC", nil, "SHA1", nil, secret, secret.count, message, message.count, buffer.baseAddress,
                length, nil)
            precondition(outcome != nil, "HMAC over memory does not fail")
            count = length
        }
        let offset = Int(mac[length - 1] & 0xF)
        let number = mac[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let digits = String(number % Self.modulus)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// The time step that a code belongs to: that of the moment, or one beside it for clocks that differ; nil if there is
    /// none, or only one that is not later than `last`. So a code counts once.
    package func step(of code: String, at moment: Timestamp, after last: Int64) -> Int64? {
        let now = Self.step(at: moment)
        // All three are compared, so that the time taken does not tell which.
        let found = [now - 1, now, now + 1].filter {
            ConstantTime.equal(Array(code.utf8), Array(self.code(of: $0).utf8))
        }
        return found.first { $0 > last }
    }

    /// The address that authenticator apps read from a QR code, for an account of an issuer.
    package func address(issuer: String, account: String) -> String {
        let label = "\(Self.escaped(issuer)):\(Self.escaped(account))"
        return "otpauth://totp/\(label)?secret=\(Base32.encode(secret))&issuer=\(Self.escaped(issuer))"
    }

    /// Percent-encoded but for what needs it nowhere (RFC 3986, section 2.3).
    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            return character.isASCII && (character.isLetter || character.isNumber || "-._~".contains(character))
                ? String(character) : "%\(Hex.encode([byte]).uppercased())"
        }.joined()
    }
}
