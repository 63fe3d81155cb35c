import Postgres
package import Primitives
import Runtime

extension HistoryStore {
    /// Who came to publish the service's log since a moment, and what its topic lacked; the first first.
    ///
    /// - Throws: `PostgresError`.
    package func publishingChanges(since moment: Timestamp) async throws -> [ServiceChange] {
        try await pool.query(
            """
            select type, recorded_at, (data ->> 'instance')::uuid, (data ->> 'epoch')::bigint,
                (data ->> 'partitions')::bigint, (data ->> 'from')::bigint from events
            where stream like 'life-%' and type in ('LeaseTaken', 'LeaseLost', 'TopicReset') and recorded_at >= $1
            order by position
            """, [.time(moment)]
        ).rows.map { row in
            let who = "instance \(row.uuid(2).description.suffix(6))"
            let (kind, words): (ServiceChange.Kind, String) =
                switch row.text(0) {
                case "LeaseTaken": (.leaseTaken, "\(who) publishes from then on, by lease \(row.int(3))")
                case "LeaseLost": (.leaseLost, "\(who) publishes no longer; it had lease \(row.int(3))")
                default:
                    (
                        .topicReset,
                        "the topic lacked what had been published, in \(row.int(4)) partitions; all behind position \(row.int(5)) "
                            + "was published again"
                    )
                }
            return ServiceChange(service: service, kind: kind, at: row.time(1), words: words)
        }
    }
}
