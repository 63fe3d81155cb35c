import Crypto
import EventStore
import HTTPServer
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit

/// Shows cards to whoever has their links, and counts how often.
@Loop struct SharedCards {
    /// How long a share that is over stays in its owner's list, in days.
    private nonisolated static let shownOver = 7
    private nonisolated static let hour = Duration.seconds(3_600)

    private let pool: PostgresPool
    private let hashes: RequestHashes
    private let buckets: TokenBuckets
    private let count: Int

    init(_ context: ServiceContext, _ settings: ReportingSettings) {
        pool = context.store.pool
        hashes = context.hashes
        buckets = TokenBuckets("shared_lookups", by: "network", pool)
        count = settings.sharedLookups
    }

    /// The hash by which a token is found. Whoever reads the table has no link by it, and how long a search takes says nothing of a token.
    nonisolated static func hash(_ token: String) -> [UInt8] { SHA256.digest(token.utf8) }

    /// A card with the time at which its link is over; nil where the link shows nothing, whatever the reason: one statement finds the card
    /// and counts the view, so of any number of requests for the last view one gets it.
    ///
    /// - Throws: `PostgresError`, `JSONError` for a row that cannot be read.
    func card(_ token: String) async throws -> JSONObject? {
        // The condition is looked at again under the row's lock.
        try await pool.query(
            """
            update report_shares set views = views + 1
            where token_hash = $1 and views < max_views and expires_at > clock_timestamp()
                and not exists (select from erased_subjects where subject = owner_id)
            returning card, expires_at
            """, [.bytes(Self.hash(token))]
        ).first.map { try JSONObject.parse($0.bytes(0)).adding(["expiresAt": .time($0.time(1))]) }
    }

    /// Takes one lookup of each network of a client.
    ///
    /// - Throws: a problem 429 with the time to wait when none is left in one of them, or `PostgresError`.
    func take(_ networks: [ClientNetwork]) async throws {
        for network in networks {
            let bucket = hashes.hash(Array("shared cards \(network.name)".utf8))
            let size = TokenBuckets.Size(
                tokens: Int64(count * network.weight),
                pace: Double(Self.hour.microseconds) / Double(count * network.weight))
            let taken = try await pool.query(
                """
                insert into shared_lookups as l (network, full_at)
                values ($1, clock_timestamp() + $3 * interval '1 microsecond')
                on conflict (network) do update
                set full_at = greatest(l.full_at, clock_timestamp()) + $3 * interval '1 microsecond'
                where l.full_at + $3 * interval '1 microsecond'
                    <= clock_timestamp() + $2 * $3 * interval '1 microsecond'
                returning true
                """, [.bytes(bucket), .int(size.tokens), .double(size.pace)]
            ).first
            if taken == nil {
                let wait = try await buckets.wait(for: .bytes(bucket), of: size)
                throw Problem.limited(.tooManyShared, wait: wait ?? 1)
            }
        }
    }

    /// Removes what is over, and forgets networks whose allowance is full again.
    ///
    /// - Throws: `PostgresError`.
    func sweep() async throws {
        _ = try await pool.query(
            "delete from report_shares where expires_at < now() - interval '\(Self.shownOver) days'")
        try await buckets.sweep()
    }
}
