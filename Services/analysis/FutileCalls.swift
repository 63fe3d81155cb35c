import EventStore
import Postgres
import Primitives
import Runtime

/// Calls that were paid for, of jobs that came to nothing.
///
/// A file whose sound is good and whose pictures are broken costs nobody a unit of an allowance, and its words are paid for before that is
/// known. So whoever sends such files one after another is asked about no more for a while: the helper finds the words, which is free.
enum FutileCalls {
    /// From so many within a day on they are too many.
    private static let most: Int64 = 3

    /// Whether an owner has had too many.
    ///
    /// - Throws: `PostgresError`.
    @Loop static func areMany(of owner: UUID, _ store: EventStore) async throws -> Bool {
        let found = try await store.pool.query(
            """
            select count(*) from (
                select from stream_owners o join events f on f.stream = o.stream
                where o.owner = $1 and f.type = 'JobFailed' and f.recorded_at > clock_timestamp() - interval '1 day'
                    and exists (select from events c where c.stream = f.stream and c.type = 'ProviderCalled'
                        and c.data ->> 'purpose' = 'transcription' and (c.data ->> 'costMicros')::bigint > 0)
                limit $2) as futile
            """, [.uuid(owner), .int(most)]
        ).rows[0].int(0)
        return found >= most
    }
}
