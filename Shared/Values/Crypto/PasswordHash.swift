import CArgon2
import Glibc
import Primitives

/// The Argon2id hash of a password (RFC 9106), with the parameters and the salt it was made with.
///
/// Making or checking one takes tens of milliseconds of processor time and 19 MiB: do it off the event loop, and limit how
/// many run at once. Passwords are hashed as their complete UTF-8 bytes, without normalization.
package struct PasswordHash: Sendable, Equatable {
    /// What a hash costs.
    package struct Parameters: Sendable, Equatable {
        /// Memory in KiB.
        package let memory: UInt32
        /// Passes over the memory.
        package let passes: UInt32
        /// Lanes.
        package let lanes: UInt32

        /// Parameters of one hash.
        package init(memory: UInt32, passes: UInt32, lanes: UInt32) {
            self.memory = memory
            self.passes = passes
            self.lanes = lanes
        }

        /// The parameters of new hashes: 19 MiB, two passes, one lane, as the OWASP Password Storage Cheat Sheet recommends.
        package static let current = Parameters(memory: 19 * 1_024, passes: 2, lanes: 1)

        /// Whether a stored hash may use them; anything larger could only come from a tampered record.
        fileprivate var areAcceptable: Bool {
            (1...8).contains(lanes) && (8 * lanes...262_144).contains(memory) && (1...16).contains(passes)
        }
    }

    private static let saltLength = 16
    private static let digestLength = 32

    /// What this hash cost.
    package let parameters: Parameters
    let salt: [UInt8]
    let digest: [UInt8]

    init(parameters: Parameters, salt: [UInt8], digest: [UInt8]) {
        self.parameters = parameters
        self.salt = salt
        self.digest = digest
    }

    /// Hashes a password with a new random salt.
    ///
    /// - Throws: ``CryptoError/libraryFailure`` if libargon2 fails, as it does without enough memory or with parameters
    ///   that it does not accept.
    package static func make(
        password: String, parameters: Parameters = .current
    ) throws(CryptoError) -> PasswordHash {
        let salt = SecureRandom.bytes(saltLength)
        let digest = try derive(password, parameters: parameters, salt: salt, length: digestLength)
        return PasswordHash(parameters: parameters, salt: salt, digest: digest)
    }

    /// A hash that no password matches. Checking a password against it when there is no such account takes as long as
    /// checking a real one, so the time does not reveal which accounts exist.
    package static let decoy = PasswordHash(
        parameters: .current, salt: [UInt8](repeating: 0, count: saltLength),
        digest: [UInt8](repeating: 0, count: digestLength))

    /// Whether this is the hash of a password, compared in constant time.
    ///
    /// - Throws: ``CryptoError/libraryFailure`` if libargon2 fails, as it does without enough memory.
    package func matches(password: String) throws(CryptoError) -> Bool {
        let derived = try Self.derive(password, parameters: parameters, salt: salt, length: digest.count)
        return ConstantTime.equal(derived, digest)
    }

    /// Whether the hash should be replaced at the next successful login, because new hashes use other parameters.
    package var needsRehash: Bool {
        parameters != .current || salt.count != Self.saltLength || digest.count != Self.digestLength
    }

    private static func derive(
        _ password: String, parameters: Parameters, salt: [UInt8], length: Int
    ) throws(CryptoError) -> [UInt8] {
        var password = Array(password.utf8)
        var salt = salt
        var outcome: Int32 = 0
        let digest = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            password.withUnsafeMutableBufferPointer { password in
                salt.withUnsafeMutableBufferPointer { salt in
                    var context = argon2_context()
                    context.version = ARGON2_VERSION_13.rawValue
                    (context.out, context.outlen) = (buffer.baseAddress, UInt32(length))
                    (context.pwd, context.pwdlen) = (password.baseAddress, UInt32(password.count))
                    (context.salt, context.saltlen) = (salt.baseAddress, UInt32(salt.count))
                    (context.m_cost, context.t_cost) = (parameters.memory, parameters.passes)
                    (context.lanes, context.threads) = (parameters.lanes, parameters.lanes)
                    context.allocate_cbk = mapMemory
                    context.free_cbk = unmapMemory
                    outcome = argon2id_ctx(&context)
                }
            }
            count = outcome == ARGON2_OK.rawValue ? length : 0
        }
        guard outcome == ARGON2_OK.rawValue else { throw .libraryFailure }
        return digest
    }
}

extension PasswordHash {
    /// Makes the allocator return the memory of each hash to the system at once instead of keeping it.
    ///
    /// Call it once, at the start of a process that hashes passwords.
    package static func returnMemoryPromptly() { mallopt(M_MMAP_THRESHOLD, 1 << 20) }
}

/// Maps the memory of one hash directly: the heap would keep 19 MiB for each thread that ever hashed.
private func mapMemory(_ memory: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, _ count: Int) -> Int32 {
    let mapped = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let mapped, mapped != MAP_FAILED else {
        memory?.pointee = nil
        return ARGON2_MEMORY_ALLOCATION_ERROR.rawValue
    }
    memory?.pointee = mapped.assumingMemoryBound(to: UInt8.self)
    return ARGON2_OK.rawValue
}

private func unmapMemory(_ memory: UnsafeMutablePointer<UInt8>?, _ count: Int) {
    munmap(memory, count)
}

/// The PHC string format, `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`, base 64 without padding.
extension PasswordHash {
    /// The string to store.
    package var encoded: String {
        let cost = "m=\(parameters.memory),t=\(parameters.passes),p=\(parameters.lanes)"
        return "$argon2id$v=19$\(cost)$\(Self.unpadded(salt))$\(Self.unpadded(digest))"
    }

    /// A hash from its stored string.
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
