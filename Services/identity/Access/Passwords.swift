import Crypto
package import HTTPServer
package import Runtime
import ServiceKit

/// Hashes passwords (Argon2id) off the event loop, and only so many at once: of one client network no more than a part of what the
/// others leave, so that a few who guess as fast as they can keep nobody else waiting for long, or away.
@Loop package final class Passwords {
    /// One network has at most one of so many parts of what the others leave.
    private static let share = 4

    private let pool: Offload
    private var waiting: NetworkShares
    /// How often Argon2id was run, or is about to be.
    package private(set) var runs = 0

    /// - Parameters:
    ///   - limit: hashes under way and waiting; requests beyond that are refused and may be repeated later.
    ///   - pool: where they are made.
    package init(limit: Int, in pool: Offload = .shared) {
        self.pool = pool
        waiting = NetworkShares(all: limit, most: limit, share: Self.share)
        PasswordHash.returnMemoryPromptly()
    }

    /// A new hash, as text.
    ///
    /// - Parameter networks: where the client is who wants it.
    /// - Throws: a problem 503 when too many are waiting, or too many of one of these networks.
    package func hash(_ password: String, from networks: [ClientNetwork]) async throws -> String {
        try await run(from: networks) { try PasswordHash.make(password: password).encoded }
    }

    /// Whether a password is the right one, and the text of a new hash when the stored one is out of date.
    ///
    /// - Parameters:
    ///   - stored: nil for an unknown account; then the answer is no, after the same work.
    ///   - networks: where the client is who sent it.
    /// - Throws: the problem `busy` while too many passwords wait, or too many of one of these networks; `CryptoError` for a stored
    ///   hash that is none.
    package func check(
        _ password: String, against stored: String?, from networks: [ClientNetwork]
    ) async throws -> (matches: Bool, renewed: String?) {
        let known = try stored.map(PasswordHash.init(encoded:))
        let hash = known ?? .decoy
        guard try await run(from: networks, { try hash.matches(password: password) }), known != nil else {
            return (false, nil)
        }
        return (true, hash.needsRehash ? try await self.hash(password, from: networks) : nil)
    }

    /// One run of Argon2id.
    private func run<T: Sendable>(
        from networks: [ClientNetwork], _ work: @escaping @Sendable () throws -> T
    ) async throws -> T {
        guard !waiting.isFull, waiting.mayTake(networks) else { throw Problem.passwordsBusy }
        runs += 1
        waiting.take(networks)
        defer { waiting.leave(networks) }
        return try await pool.run(work)
    }
}

/// What a password must be (OWASP ASVS 5.0, section 6.2).
package enum PasswordRules {
    /// The fewest characters, but where an operator allows fewer.
    package static let shortest = 8
    private static let longestBytes = 1_024

    /// The commonest passwords of at least eight characters, in lower case.
    private static let common = Set(
        String(decoding: PackageResources.common_passwords_txt, as: UTF8.self).split(separator: "\n").map(String.init))

    /// - Parameter shortest: the fewest characters.
    /// - Throws: a problem 422 that says what is wrong.
    package static func check(_ password: String, email: String, shortest: Int = shortest) throws(Problem) {
        if password.count < shortest {
            throw Problem(.passwordTooShort, detail: "Choose a password of at least \(shortest) characters.")
        }
        if password.utf8.count > longestBytes {
            throw Problem(.passwordTooLong, detail: "Choose a password of at most \(longestBytes) bytes.")
        }
        let lowered = password.lowercased()
        if common.contains(lowered) || lowered == email.lowercased() || Set(lowered).count == 1 {
            throw Problem(.passwordTooCommon)
        }
    }
}
