package import Postgres
package import Runtime

/// Token buckets, counted for all instances together in a table of the service: it has a row for each bucket that is not full,
/// with its key and `full_at`, the time at which it is full again. So a bucket needs no clock that fills it.
///
/// How one takes a token is the service's own SQL, because that is one statement with what else must hold.
@Loop package struct TokenBuckets {
    /// How many tokens a bucket holds, and after how many microseconds one is there again.
    package struct Size: Sendable {
        package let tokens: Int64
        package let pace: Double

        package init(tokens: Int64, pace: Double) {
            self.tokens = tokens
            self.pace = pace
        }
    }

    private let pool: PostgresPool
    private let table: String
    private let key: String

    /// - Parameter key: the column that names a bucket.
    package init(_ table: String, by key: String, _ pool: PostgresPool) {
        self.pool = pool
        self.table = table
        self.key = key
    }

    /// After how many seconds a bucket has a token; nil when it has one now. Takes none.
    ///
    /// - Throws: `PostgresError`.
    package func wait(for bucket: PostgresValue, of size: Size) async throws -> Double? {
        let row = try await pool.query(
            """
            select extract(epoch from full_at - clock_timestamp() - $3 * interval '1 microsecond' * ($2 - 1))::float8
            from \(table) where \(key) = $1
            """, [bucket, .int(size.tokens), .double(size.pace)]
        ).first
        return row.flatMap { $0.double(0) > 0 ? $0.double(0) : nil }
    }

    /// Gives one token back, for which nothing was done.
    ///
    /// - Throws: `PostgresError`.
    package func giveBack(to bucket: PostgresValue, of size: Size) async throws {
        _ = try await pool.query(
            "update \(table) set full_at = full_at - $2 * interval '1 microsecond' where \(key) = $1",
            [bucket, .double(size.pace)])
    }

    /// Gives all tokens back.
    ///
    /// - Throws: `PostgresError`.
    package func fill(_ bucket: PostgresValue) async throws {
        _ = try await pool.query("delete from \(table) where \(key) = $1", [bucket])
    }

    /// Forgets the buckets that are full again.
    ///
    /// - Throws: `PostgresError`.
    package func sweep() async throws {
        // What an append holds waits for the next time: the other way round an append would wait for this, and this for it.
        _ = try await pool.query(
            """
            delete from \(table) where \(key) in (
                select \(key) from \(table) where full_at < now() for update skip locked)
            """)
    }
}
