import Postgres
import Primitives
import Runtime

/// The finalized sessions whose work has not begun, of all owners, and where in line one of them stands.
///
/// An estimate: it comes from the list of sessions, so it knows nothing of what analysis tries once more, nor how much is worked on at
/// once. It is read at most once a second for everybody who asks, and nothing about it is written down.
@Loop final class WaitingLine {
    /// So many are looked at; whoever stands behind them is told this number.
    nonisolated static let longest: Int64 = 1_000
    /// For how long what was read counts.
    nonisolated static let freshness = Duration.seconds(1)

    /// Who waits, as it was read.
    struct Waiting: Sendable {
        fileprivate var sessions: [(since: Timestamp, id: UUID)] = []

        /// Where a session stands, from 1 for the one that is next; nil for one that does not wait.
        func place(of row: SessionRow) -> Int64? {
            guard let since = row.waitingSince else { return nil }
            // Whether the list knows of it already makes no difference.
            let before = sessions.prefix { ($0.since, $0.id) < (since, row.id) }.count
            return min(Int64(before) + 1, WaitingLine.longest)
        }
    }

    private let pool: PostgresPool
    private var waiting = Waiting()
    private var readAt: Int64?
    private var reading: Task<Void, any Error>?

    init(_ pool: PostgresPool) { self.pool = pool }

    /// Where a session stands; see ``Waiting/place(of:)``.
    ///
    /// - Throws: `PostgresError`.
    func place(of row: SessionRow) async throws -> Int64? {
        row.waitingSince == nil ? nil : try await now().place(of: row)
    }

    /// Who waits.
    ///
    /// - Throws: `PostgresError`.
    func now() async throws -> Waiting {
        if let readAt, monotonicNanoseconds() - readAt < Self.freshness.nanosecondsClamped { return waiting }
        // Whoever comes while it is read waits for the same.
        let task = reading ?? Loop.task { try await self.read() }
        reading = task
        try await task.value
        return waiting
    }

    private func read() async throws {
        defer { reading = nil }
        let result = try await pool.query(
            """
            select waiting_since, key::uuid from session_list
            where waiting_since is not null and status = 'processing'
            order by waiting_since, key limit $1
            """, [.int(Self.longest)])
        waiting = Waiting(sessions: result.rows.map { ($0.time(0), $0.uuid(1)) })
        readAt = monotonicNanoseconds()
    }
}
