import CArgon2
import Glibc

/// The Argon2id hash of a password (RFC 9106), with the parameters and the salt it was made with.
///
/// Making and checking one take tens of milliseconds of processor time and 19 MiB: call them off the event loop, and
/// bound how many run at once. Passwords are hashed as their UTF-8 bytes, whole, without normalisation.
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

        /// The parameters of new hashes: 19 MiB, two passes, one lane, as the OWASP password storage sheet asks.
        package static let current = Parameters(memory: 19 * 1_024, passes: 2, lanes: 1)

        /// Whether a stored hash may ask for them; more than this could only come from a tampered record.
        var areAcceptable: Bool {
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
    package static func make(
        password: String, parameters: Parameters = .current
    ) throws(CryptoError) -> PasswordHash {
        let salt = SecureRandom.bytes(saltLength)
        let digest = try derive(password, parameters: parameters, salt: salt, length: digestLength)
        return PasswordHash(parameters: parameters, salt: salt, digest: digest)
    }

    /// A hash no password matches. Checking a password against it when there is no such account takes as long as
    /// checking against a real one, so the time does not tell which accounts exist.
    package static let decoy = PasswordHash(
        parameters: .current, salt: [UInt8](repeating: 0, count: saltLength),
        digest: [UInt8](repeating: 0, count: digestLength))

    /// Whether this is the hash of a password, compared in constant time.
    package func matches(password: String) throws(CryptoError) -> Bool {
        let derived = try Self.derive(password, parameters: parameters, salt: salt, length: digest.count)
        return ConstantTime.equal(derived, digest)
    }

    /// Whether a new hash should be made at the next successful login, because new hashes are made otherwise.
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
    /// Lets the memory of each hash go back to the system at once; otherwise the allocator learns to keep it.
    ///
    /// Call it once, at the start of a process that hashes passwords.
    package static func returnMemoryPromptly() { mallopt(M_MMAP_THRESHOLD, 1 << 20) }
}

/// Memory of one hash, from the system itself: the heap would keep 19 MiB for each thread that ever hashed.
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
