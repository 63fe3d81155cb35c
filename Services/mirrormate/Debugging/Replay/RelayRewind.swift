package import Postgres
package import Runtime

/// Has a service's relay publish again what lies behind a position of its log.
@Loop package struct RelayRewind {
    /// What of the log will be published again.
    package struct Range: Sendable, Equatable {
        /// The position before the first of it; an earlier request that is not carried out yet may lie further back.
        package let after: Int64
        /// The last position that had been published.
        package let upTo: Int64
    }

    /// A position that the relay has not reached, so there is nothing behind it to publish again.
    package struct NotPublished: Error {
        /// The last position that has been published.
        package let cursor: Int64
    }

    private let writer: PostgresSettings

    /// - Parameter writer: the service's login role.
    package init(writer: PostgresSettings) { self.writer = writer }

    /// Writes down the request, which the relay carries out as soon as it runs; it stays until then, whoever dies meanwhile.
    ///
    /// - Throws: ``NotPublished`` or `PostgresError`.
    package func request(after position: Int64) async throws -> Range {
        let connection = try await PostgresConnection.open(writer)
        defer { connection.close() }
        let row = try await connection.query(
            """
            update relay set rewind_to = least(rewind_to, $1) where cursor > $1 returning rewind_to, cursor
            """, [.int(position)]
        ).first
        if let row { return Range(after: row.int(0), upTo: row.int(1)) }
        throw NotPublished(cursor: try await connection.query("select cursor from relay").first?.int(0) ?? 0)
    }
}
