import Crypto
import Primitives

/// What opens an account once in place of the second factor's code: 120 random bits, so that neither guessing nor a stolen
/// hash leads to one. From 112 bits on a plain hash is enough to keep (OWASP ASVS 5.0, section 6.5).
struct RecoveryCode {
    /// How many an account gets at once.
    static let count = 10
    private static let length = 15
    /// Of those that were given out before.
    private static let earlierLength = 10

    private let bytes: [UInt8]

    init() { bytes = SecureRandom.bytes(Self.length) }

    /// As its owner writes it down: six groups of four letters and digits.
    var text: String {
        let digits = Array(Base32.encode(bytes))
        return stride(from: 0, to: digits.count, by: 4).map { String(digits[$0..<$0 + 4]) }.joined(separator: "-")
    }

    /// What is kept of it.
    func hash(of user: UUID) -> [UInt8] { Self.hash(bytes, of: user) }

    /// What would be kept of a text, in capital or small letters, with or without what stands between the groups; nil if it
    /// is no such code.
    static func hash(_ text: String, of user: UUID) -> [UInt8]? {
        guard text.utf8.count <= 64, let bytes = Base32.decode(text.filter { $0 != "-" && $0 != " " }),
            [length, earlierLength].contains(bytes.count)
        else { return nil }
        return hash(bytes, of: user)
    }

    private static func hash(_ bytes: [UInt8], of user: UUID) -> [UInt8] { SHA256.digest(user.bytes + bytes) }
}
