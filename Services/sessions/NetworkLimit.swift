import Crypto
import EventStore
import HTTPServer
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import Uploads

/// How many analyses one client network may begin in a day, whoever asks: accounts and anonymous devices cost nothing, so
/// their own quotas do not stop somebody who makes many. Counted for all instances together in the table
/// `network_analyses`, by keyed hashes; no event has them.
@Loop struct NetworkLimit {
    private nonisolated static let takeAnalysis = RowFunction(
        "take_analysis", .string("network"), .int("allowance"), .int("paceMicroseconds"), refusals: [.networkUsedUp])

    nonisolated static let rows = [takeAnalysis.declaration]

    private static let day = Duration.seconds(86_400)

    private let buckets: TokenBuckets
    private let key: [UInt8]
    private let count: Int

    init(_ pool: PostgresPool, _ settings: SessionsSettings) {
        buckets = TokenBuckets("network_analyses", by: "network", pool)
        key = HMACSHA256.authenticate(Array("mirrormate/networks".utf8), key: settings.uploads.key)
        count = settings.networkAnalyses
    }

    /// Looks whether one analysis is left, and takes none.
    ///
    /// - Throws: a problem 429 with the time to wait when none is left in one of the networks, or `PostgresError`.
    func check(_ networks: [ClientNetwork]) async throws {
        for network in networks {
            if let wait = try await buckets.wait(for: .bytes(hash(network)), of: bucket(network)) {
                throw Problem.limited(.tooManyAnalyses, wait: wait)
            }
        }
    }

    /// Takes one analysis in each network with the append that begins it, or refuses that.
    func taking(_ networks: [ClientNetwork]) -> [RowCall] {
        networks.map { Self.takeAnalysis(Hex.encode(hash($0)), allowance($0), pace($0)) }
    }

    /// Gives back what came to nothing.
    ///
    /// - Throws: `PostgresError`.
    func giveBack(_ networks: [ClientNetwork]) async throws {
        // One at a time, so that nobody waits for one row who has locked another.
        for network in networks {
            try await buckets.giveBack(to: .bytes(hash(network)), of: bucket(network))
        }
    }

    /// Forgets networks whose allowance is full again.
    ///
    /// - Throws: `PostgresError`.
    func sweep() async throws { try await buckets.sweep() }

    private func allowance(_ network: ClientNetwork) -> Int64 { Int64(count * network.weight) }

    /// After how many microseconds one analysis is there again.
    private func pace(_ network: ClientNetwork) -> Int64 { Self.day.microseconds / allowance(network) }

    private func bucket(_ network: ClientNetwork) -> TokenBuckets.Size {
        TokenBuckets.Size(tokens: allowance(network), pace: Double(pace(network)))
    }

    private func hash(_ network: ClientNetwork) -> [UInt8] {
        HMACSHA256.authenticate(Array(network.name.utf8), key: key)
    }
}

extension RowRefusal {
    /// The client's network has begun as many analyses as it may.
    static let networkUsedUp = RowRefusal("network-used-up")
}
