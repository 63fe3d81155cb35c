package import Contracts
package import EventSourcing
package import EventStore
package import Kafka
import Postgres
package import Primitives
package import Runtime

/// Continues after a service's database was restored to an earlier point in time: finds the last position at which topic
/// and log agree, and begins a new incarnation there.
@Loop package struct Recovery {
    /// What a confirmed restore did.
    package struct Outcome: Sendable, Equatable {
        /// The last position that topic and log share.
        package let fork: Int64
        /// The new identity of the store.
        package let incarnation: UUID
        /// How many messages the topic holds beyond the fork; consumers undo what followed from them.
        package let undone: Int
        /// Whether the topic is empty, so that nobody can know what came after the backup.
        package let topicIsEmpty: Bool
    }

    let store: EventStore
    let topic: Topic
    let kafka: KafkaSettings
    let publication: (RecordedEvent) throws(EventDecodingError) -> Outgoing?

    /// - Parameter publication: the same as the relay's.
    package init(
        store: EventStore, topic: Topic, kafka: KafkaSettings,
        publication: @escaping @Sendable (RecordedEvent) throws(EventDecodingError) -> Outgoing?
    ) {
        self.store = store
        self.topic = topic
        self.kafka = kafka
        self.publication = publication
    }

    /// Confirms the restore: from then on, appends are accepted and published again.
    ///
    /// - Throws: `KafkaError`, `PostgresError`, or `EventDecodingError` if this build cannot read the log; nothing has
    ///   changed then.
    package func confirm() async throws -> Outcome { try await begin(disowning: []) }

    /// Begins a new incarnation behind the last position at which topic and log agree.
    ///
    /// - Parameter disowned: records that the service never wrote; none behind a restore.
    func begin(disowning disowned: [DisownedRecord]) async throws -> Outcome {
        let history = try await TopicHistory.read(topic, kafka, known: try await lineage())
        let (fork, published) = try await agreement(history)
        let next = UUID.v7()
        _ = try await store.pool.query(
            "select begin_incarnation($1, $2, $3, $4, $5), disown_records($1, $6, $7)",
            [
                .uuid(next), .int(fork), .int(published), .int(history.topEpoch),
                .uuids(history.incarnations.map(Optional.some)), .ints(disowned.map(\.position)),
                .uuids(disowned.map(\.id)),
            ])
        let undone = history.messages.count { $0.position > fork }
        return Outcome(
            fork: fork, incarnation: next, undone: undone, topicIsEmpty: history.incarnations.isEmpty)
    }

    /// Passes on the topic's messages that are no longer history, partition by partition, in order. Some of them (erasures,
    /// deletions, key retirements) the service must decide again before others act on the restored state.
    ///
    /// Covers everything that any restore has cut off, so that an interrupted confirmation can be repeated.
    ///
    /// - Throws: `KafkaError`, `PostgresError`, or what `body` throws.
    package func undone(_ body: @Loop (KafkaRecord) async throws -> Void) async throws {
        let shared = try await lineage()
        let reader = try PartitionReader(settings: kafka)
        do {
            for partition in 0..<topic.partitions {
                _ = try await reader.readToEnd(TopicPartition(topic: topic.name, partition: partition)) { records in
                    for record in records {
                        guard let chain = ChainRecord(record), let position = chain.position,
                            let last = shared[chain.incarnation], position > last
                        else { continue }
                        try await body(record)
                    }
                }
            }
            await reader.close()
        } catch {
            await reader.close()
            throw error
        }
    }

    func lineage() async throws -> [UUID: Int64] {
        try await store.pool.withConnection { try await Lineage.read($0).shared }
    }

    /// The last position that log and topic share (after it, one holds a message that the other does not), and the last one
    /// up to which the topic holds everything that was published.
    ///
    /// A topic that merely ends early (it was recreated, or the relay had not published everything) contradicts nothing: the
    /// whole log is shared then.
    private func agreement(_ history: TopicHistory) async throws -> (fork: Int64, published: Int64) {
        var position: Int64 = 0
        var index = 0
        var complete: Int64?
        while true {
            let events = try await store.readLog(after: position, limit: 1000)
            if events.isEmpty { break }
            for event in events {
                var isPublished = false
                while index < history.messages.count, history.messages[index].position <= event.position {
                    guard history.messages[index].id == event.id else {
                        let fork = complete ?? event.position - 1
                        return (fork, fork)
                    }
                    isPublished = true
                    index += 1
                }
                if complete == nil, !isPublished, try publication(event) != nil { complete = event.position - 1 }
                position = event.position
            }
        }
        let published = complete ?? position
        return (index < history.messages.count ? published : position, published)
    }
}
