import Crypto
package import HTTPServer
package import Runtime
import ServiceKit

/// Hashes passwords (Argon2id) off the event loop, and only so many at once.
@Loop package final class Passwords {
    private let limit: Int
    private var busy = 0
    /// How often Argon2id was run.
    package private(set) var runs = 0

    /// - Parameter limit: hashes under way and waiting; requests beyond that are refused and may be repeated later.
    package init(limit: Int) {
        self.limit = limit
        PasswordHash.returnMemoryPromptly()
    }

    /// A new hash, as text.
    ///
    /// - Throws: a problem 503 when too many are waiting.
    package func hash(_ password: String) async throws -> String {
        try await run { try PasswordHash.make(password: password).encoded }
    }

    /// Whether a password is the right one, and the text of a new hash when the stored one is out of date.
    ///
    /// - Parameter stored: nil for an unknown account; then the answer is no, after the same work.
    /// - Throws: the problem `busy` while too many passwords wait; `CryptoError` for a stored hash that is none.
    package func check(_ password: String, against stored: String?) async throws -> (matches: Bool, renewed: String?) {
        let known = try stored.map(PasswordHash.init(encoded:))
        let hash = known ?? .decoy
        guard try await run({ try hash.matches(password: password) }), known != nil else { return (false, nil) }
        return (true, hash.needsRehash ? try await self.hash(password) : nil)
    }

    /// One run of Argon2id.
    private func run<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
        guard busy < limit else { throw Problem.passwordsBusy }
        runs += 1
        busy += 1
        defer { busy -= 1 }
        return try await Offload.shared.run(work)
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
