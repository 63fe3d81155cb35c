import EventStore
import HTTPServer
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit

/// How many sessions of one owner quota may refuse in a day: each is an event when it is created and one when it is refused,
/// and costs its owner nothing. Counted for all instances together in the table `refused_creations`: taken by the append that
/// creates a session, given back by the one that admits it, so that many at once are not more than one after another. With the
/// hour or day for which quota said no ends the count too.
@Loop struct RefusalLimit {
    private static let day = Duration.seconds(86_400)

    private let pool: PostgresPool
    private let count: Int64

    init(_ pool: PostgresPool, _ settings: SessionsSettings) {
        self.pool = pool
        count = Int64(settings.refusedCreations)
    }

    /// After how many microseconds one is there again.
    private var pace: Int64 { Self.day.microseconds / count }

    /// Looks whether one is left, and takes none.
    ///
    /// - Throws: a problem 429 with the time to wait when none is left, or `PostgresError`.
    func check(_ owner: UUID) async throws {
        let row = try await pool.query(
            """
            select extract(epoch from
                least(full_at - $3 * interval '1 microsecond' * ($2 - 1), coalesce(opens_at, 'infinity'))
                - clock_timestamp())::float8
            from refused_creations where owner_id = $1
            """, [.uuid(owner), .int(count), .int(pace)]
        ).first
        guard let wait = row?.double(0), wait > 0 else { return }
        throw Problem.limited(.tooManyRefusals, wait: wait)
    }

    /// Takes one with the append that creates a session, or refuses that.
    func taking(_ owner: UUID) -> RowCall { SessionRows.takeCreation(owner, count, pace) }

    /// Forgets owners whose allowance is full again.
    ///
    /// - Throws: `PostgresError`.
    func sweep() async throws { try await TokenBuckets("refused_creations", by: "owner_id", pool).sweep() }
}
