package import Contracts
package import Postgres
package import Primitives
package import Runtime

/// A service's parked messages, and what an operator can do about them.
@Loop package struct ParkedList {
    private let store: HistoryStore

    package init(_ store: HistoryStore) { self.store = store }

    /// One parked message.
    package struct Item: Sendable {
        package let service: ServiceName
        package let id: Int64
        package let topic: String
        package let partition: Int32
        package let offset: Int64
        package let key: String
        package let identity: String
        package let type: String
        /// Why it was parked; `successor` if it only waits for an earlier message of its key.
        package let reason: String
        package let parkedAt: Timestamp
        package let isReleased: Bool
        package let isDropped: Bool
        package let attempts: Int64
    }

    /// All parked messages of the service, in the order of parking.
    ///
    /// - Throws: `PostgresError`.
    package func items() async throws -> [Item] {
        try await store.pool.query(
            """
            select id, topic, partition, record_offset, key, identity, type, reason, parked_at, release, dropped, attempts
            from parked_messages order by id
            """
        ).rows.map { row in
            Item(
                service: store.service, id: row.int(0), topic: row.text(1), partition: Int32(row.int(2)),
                offset: row.int(3), key: row.text(4), identity: row.text(5), type: row.text(6), reason: row.text(7),
                parkedAt: row.time(8), isReleased: row.bool(9), isDropped: row.bool(10), attempts: row.int(11))
        }
    }

    /// Releases a message: the service handles it and then those waiting for it; or drops only this one.
    ///
    /// The service acts on it asynchronously; only the first message of a key can be released.
    ///
    /// - Parameter writer: the service's login role.
    /// - Returns: false if it is gone or not the first of its key.
    /// - Throws: `PostgresError`.
    package func free(_ id: Int64, dropping: Bool, writer: PostgresSettings) async throws -> Bool {
        let connection = try await PostgresConnection.open(writer)
        defer { connection.close() }
        let result = try await connection.query(
            """
            update parked_messages p set release = release or not $2, dropped = dropped or $2
            where id = $1 and not exists (select from parked_messages e where e.topic = p.topic
                and e.partition = p.partition and e.key = p.key and e.id < p.id)
            """, [.int(id), .bool(dropping)])
        return result.affected == 1
    }
}
