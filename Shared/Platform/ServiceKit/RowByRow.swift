import EventSourcing
package import EventStore
import JSON
package import Observability
import Postgres
import Primitives
package import Runtime

/// Work in the background on one row after the other, in which a row that fails holds up no other.
///
/// Such a row is logged once, with a code, and stands in `stuck_rows` until it is done: whatever dies meanwhile, it is not forgotten, and
/// `doctor` and the metric `background_stuck_rows` tell of it.
@Loop package struct RowByRow {
    /// How long a row that failed rests: ``due()`` and the statements that find rows leave it alone meanwhile.
    private static let pause = Duration.seconds(30)
    /// How many rows that failed are tried again in one round.
    private static let most: Int64 = 100

    private let work: String
    private let store: EventStore
    private let log: Logger

    /// - Parameter work: what its rows are noted under; never rename it.
    package init(_ work: String, _ store: EventStore, _ log: Logger) {
        self.work = work
        self.store = store
        self.log = log
    }

    /// Does the work of each row; those that fail are noted, durably, when this returns.
    ///
    /// - Parameters:
    ///   - key: a row's name, an id and no content; the same in every round.
    ///   - work: is told whether the row has failed before: then all of it is to be done, or what failed would be forgotten.
    /// - Throws: what meets every row alike, such as a database that is away: then nothing is said of the row or of those behind it.
    package func run<Row>(
        _ rows: [Row], key: (Row) -> String, _ work: @Loop (_ row: Row, _ isAgain: Bool) async throws -> Void
    ) async throws {
        guard !rows.isEmpty else { return }
        let noted = try await notes(of: rows.map(key))
        for row in rows {
            let key = key(row)
            do {
                try await work(row, noted[key] != nil)
            } catch {
                if Task.isCancelled { throw CancellationError() }
                guard let code = Self.code(error) else { throw error }
                try await note(key, code)
                if noted[key] != code {
                    log.error(
                        "a row cannot be worked on; the others go on",
                        [
                            "code": .string(code), "work": .string(self.work), "key": .string(key),
                            "reason": .string("\(error)"),
                        ])
                }
                continue
            }
            if noted[key] != nil { try await forget(key) }
        }
    }

    /// The rows that failed and have waited for another try, for work that does not find them again by itself.
    ///
    /// - Throws: `PostgresError`.
    package func due() async throws -> [String] {
        try await store.pool.query(
            """
            select key from stuck_rows
            where work = $1 and tried_at < clock_timestamp() - $2 * interval '1 microsecond' order by tried_at limit $3
            """, [.text(work), .double(Double(Self.pause.microseconds)), .int(Self.most)]
        ).rows.map { $0.text(0) }
    }

    /// Forgets rows that failed and are not found any more, though they have waited long enough to be.
    ///
    /// - Returns: whether any are left.
    /// - Throws: `PostgresError`.
    package func forget(allBut keys: [String]) async throws -> Bool {
        _ = try await store.pool.query(
            """
            delete from stuck_rows
            where work = $1 and key <> all($2) and tried_at < clock_timestamp() - $3 * interval '1 microsecond'
            """, [.text(work), .texts(keys), .double(Double((Self.pause * 2).microseconds))])
        return try await store.pool.query(
            "select exists (select from stuck_rows where work = $1)", [.text(work)]
        ).rows[0].bool(0)
    }

    /// Why a row failed; nil for what is no row's fault.
    ///
    /// A statement that takes too long counts as the row's: so may the history of a single one be.
    private nonisolated static func code(_ error: any Error) -> String? {
        switch error {
        case is CancellationError, AppendError.unavailable, AppendError.storeRefused: nil
        case is EventDecodingError, is JSONError: "row-unreadable"
        case let error as PostgresError:
            error.isDataError || [.queryCanceled, .wrongAnswer].contains(error.code) ? "row-failed" : nil
        default: "row-failed"
        }
    }

    private func notes(of keys: [String]) async throws -> [String: String] {
        let rows = try await store.pool.query(
            "select key, code from stuck_rows where work = $1 and key = any($2)", [.text(work), .texts(keys)]
        ).rows
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.text(0), $0.text(1)) })
    }

    private func note(_ key: String, _ code: String) async throws {
        _ = try await store.pool.query(
            """
            insert into stuck_rows (work, key, code) values ($1, $2, $3)
            on conflict (work, key) do update set code = excluded.code, tried_at = clock_timestamp()
            """, [.text(work), .text(key), .text(code)])
    }

    private func forget(_ key: String) async throws {
        _ = try await store.pool.query(
            "delete from stuck_rows where work = $1 and key = $2", [.text(work), .text(key)])
    }
}
