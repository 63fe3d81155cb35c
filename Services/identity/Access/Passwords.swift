import Crypto
package import HTTPServer
package import Runtime
import ServiceKit

/// Hashes passwords (Argon2id) off the event loop, and only so many at once: of one client network no more than a part of what the
/// others leave, and the networks take turns, so that a few who guess as fast as they can keep nobody else waiting for long, or away.
@Loop package final class Passwords {
    /// One network has at most one of so many parts of what the others leave.
    private static let share = 4

    /// How many are made at the same time: one for each thread of the process's pool, so that other work of it waits for no more.
    private static let atOnce = 2

    private let pool: Offload
    private var waiting: NetworkShares
    private var underWay = 0
    /// The networks of which somebody waits, in the order of their turns, and who it is.
    private var turns: [String] = []
    private var queues: [String: [UnsafeContinuation<Void, Never>]] = [:]
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
        await turn(of: networks.last?.name ?? "")
        defer { passOn() }
        return try await pool.run(work)
    }

    /// Waits for a network's turn: one of each that waits, then the next of each.
    private func turn(of network: String) async {
        guard underWay == Self.atOnce else {
            underWay += 1
            return
        }
        await withUnsafeContinuation { continuation in
            if queues[network] == nil { turns.append(network) }
            queues[network, default: []].append(continuation)
        }
    }

    /// Hands a place on to whoever's turn it is.
    private func passOn() {
        guard !turns.isEmpty else {
            underWay -= 1
            return
        }
        let network = turns.removeFirst()
        guard var queue = queues[network] else { return }
        let continuation = queue.removeFirst()
        queues[network] = queue.isEmpty ? nil : queue
        if !queue.isEmpty { turns.append(network) }
        continuation.resume()
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

    /// The commonest of six and seven characters, which count where an operator allows so few.
    private static let commonShort = Set(
        """
        123456 1234567 111111 123123 654321 666666 121212 112233 123321 159753 555555 696969 777777 222222 131313 232323 \
        101010 102030 147258 159357 987654 7777777 1111111 7654321 1212123 123456a a123456 1q2w3e 1q2w3e4 zaq12w \
        abc123 abc1234 abcd12 abcdef abcdefg aa1234 qwerty qwerty1 qwertz azerty asdfgh asdfghj zxcvbn zxcvbnm qazwsx qweasd \
        qwe123 asd123 monkey dragon shadow master soccer hockey ranger daniel thomas robert andrew joshua jordan george \
        michael jessica ashley nicole hunter tigger pepper ginger summer winter orange purple yellow flower cookie banana \
        lovely loveme iloveu love123 secret freedom welcome letmein access pass123 passwd test123 testing admin1 \
        admin12 login1 hello1 hello12 killer hannah buster maggie samsung matrix batman pokemon charlie
        """.split(separator: " ").map(String.init))

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
        if common.contains(lowered) || commonShort.contains(lowered) || lowered == email.lowercased()
            || Set(lowered).count == 1
        {
            throw Problem(.passwordTooCommon)
        }
    }
}
