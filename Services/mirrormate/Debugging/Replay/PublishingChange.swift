package import Contracts
import Postgres
package import Primitives
import Runtime

/// That another instance published a service's log from then on, or that its topic lacked what had been published.
package struct PublishingChange: Sendable, Equatable, CustomStringConvertible {
    /// What it was; the raw value is the stable name.
    package enum Kind: String, Sendable {
        case taken = "lease-taken"
        case lost = "lease-lost"
        case reset = "topic-reset"
    }

    package let service: ServiceName
    package let kind: Kind
    package let at: Timestamp
    /// What happened, without service and time.
    package let words: String

    package init(service: ServiceName, kind: Kind, at: Timestamp, words: String) {
        self.service = service
        self.kind = kind
        self.at = at
        self.words = words
    }

    package var description: String { "\(service.rawValue) at \(at): \(words)" }
}

extension HistoryStore {
    /// Who came to publish the service's log since a moment, and what its topic lacked; the first first.
    ///
    /// - Throws: `PostgresError`.
    package func publishingChanges(since moment: Timestamp) async throws -> [PublishingChange] {
        try await pool.query(
            """
            select type, recorded_at, (data ->> 'instance')::uuid, (data ->> 'epoch')::bigint,
                (data ->> 'partitions')::bigint, (data ->> 'from')::bigint from events
            where stream like 'life-%' and type in ('LeaseTaken', 'LeaseLost', 'TopicReset') and recorded_at >= $1
            order by position
            """, [.time(moment)]
        ).rows.map { row in
            let who = "instance \(row.uuid(2).description.suffix(6))"
            let (kind, words): (PublishingChange.Kind, String) =
                switch row.text(0) {
                case "LeaseTaken": (.taken, "\(who) publishes from then on, by lease \(row.int(3))")
                case "LeaseLost": (.lost, "\(who) publishes no longer; it had lease \(row.int(3))")
                default:
                    (
                        .reset,
                        "the topic lacked what had been published, in \(row.int(4)) partitions; all behind position \(row.int(5)) "
                            + "was published again"
                    )
                }
            return PublishingChange(service: service, kind: kind, at: row.time(1), words: words)
        }
    }
}
