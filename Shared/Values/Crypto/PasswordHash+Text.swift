import Primitives

/// The PHC string format, `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`, base 64 without padding.
extension PasswordHash {
    /// The text to store.
    package var encoded: String {
        let cost = "m=\(parameters.memory),t=\(parameters.passes),p=\(parameters.lanes)"
        return "$argon2id$v=19$\(cost)$\(Self.unpadded(salt))$\(Self.unpadded(digest))"
    }

    /// A hash from its stored text.
    /// - Throws: `malformedHash` for other algorithms or versions, and for parameters beyond 256 MiB, 16 passes or 8
    ///   lanes.
    package init(encoded text: String) throws(CryptoError) {
        let fields = text.split(separator: "$", omittingEmptySubsequences: false)
        guard fields.count == 6, fields[0].isEmpty, fields[1] == "argon2id", fields[2] == "v=19",
            let parameters = Self.parameters(fields[3]), parameters.areAcceptable,
            let salt = Self.bytes(fields[4]), (8...64).contains(salt.count),
            let digest = Self.bytes(fields[5]), (16...64).contains(digest.count)
        else { throw .malformedHash }
        self.init(parameters: parameters, salt: salt, digest: digest)
    }

    private static func parameters(_ field: Substring) -> Parameters? {
        let parts = field.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 3, let memory = number(parts[0], named: "m="), let passes = number(parts[1], named: "t="),
            let lanes = number(parts[2], named: "p=")
        else { return nil }
        return Parameters(memory: memory, passes: passes, lanes: lanes)
    }

    private static func number(_ part: Substring, named name: String) -> UInt32? {
        part.hasPrefix(name) ? UInt32(part.dropFirst(name.count)) : nil
    }

    private static func unpadded(_ bytes: [UInt8]) -> Substring {
        Base64.encode(bytes).prefix { $0 != "=" }
    }

    private static func bytes(_ field: Substring) -> [UInt8]? {
        field.contains("=") ? nil : Base64.decode(field + String(repeating: "=", count: (4 - field.count % 4) % 4))
    }
}
