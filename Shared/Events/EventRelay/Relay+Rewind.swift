package import EventStore
import Postgres
import Runtime

extension Relay {
    /// Asks whoever publishes the store's log to publish again all behind a position: heals a hole in a topic. Consumers
    /// drop what they have seen.
    ///
    /// The present lease is ended, so that the wish is seen at once; it stays until it is wholly fulfilled, also over crashes.
    ///
    /// - Parameter position: a position of the log, 0 for its beginning.
    /// - Throws: `PostgresError`.
    package static func rewind(_ store: EventStore, to position: Int64) async throws {
        _ = try await store.pool.query(
            """
            update relay set rewind_to = least(rewind_to, $1), epoch = epoch + 1, holder = null,
                lease_until = '-infinity'
            """, [.int(max(0, position))])
    }
}
