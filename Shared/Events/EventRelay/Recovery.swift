package import Contracts
package import EventSourcing
import EventStore
package import Kafka
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

    let log: any RelayLog
    let topic: Topic
    let broker: any Broker
    let publication: (RecordedEvent) throws(EventDecodingError) -> Outgoing?

    /// - Parameter publication: the same as the relay's.
    package init(
        store: any RelayLog, topic: Topic, kafka: any Broker,
        publication: @escaping @Sendable (RecordedEvent) throws(EventDecodingError) -> Outgoing?
    ) {
        log = store
        self.topic = topic
        broker = kafka
        self.publication = publication
    }

    /// Confirms the restore: from then on, appends are accepted and published again.
    ///
    /// - Throws: `KafkaError`, `PostgresError`, or `EventDecodingError` if this build cannot read the log; nothing has
    ///   changed then.
    package func confirm() async throws -> Outcome { try await begin(disowning: []) }

    /// Begins a new incarnation after the last position at which topic and log agree.
    ///
    /// - Parameter disowned: records that the service never wrote; none after a restore.
    func begin(disowning disowned: [DisownedRecord]) async throws -> Outcome {
        let lineage = try await log.lineage()
        let survey = try await TopicSurvey.read(topic, broker, log)
        let (fork, published) = try await agreement(survey)
        let undone = try await TopicSurvey.count(beyond: fork, topic, broker, lineage)
        let next = UUID.v7()
        try await log.begin(
            next, fork: fork, published: published, topEpoch: survey.topEpoch, found: Array(survey.incarnations),
            disowning: disowned)
        return Outcome(
            fork: fork, incarnation: next, undone: undone, topicIsEmpty: survey.incarnations.isEmpty)
    }

    /// Passes on the topic's messages that are no longer history, partition by partition, in order. Some of them (erasures,
    /// deletions, retirements of keys, ended login sessions) the service must decide again before others act on the restored state.
    ///
    /// Covers everything that any restore has cut off, so that an interrupted confirmation can be repeated.
    ///
    /// - Throws: `KafkaError`, `PostgresError`, or what `body` throws.
    package func undone(_ body: @Loop (KafkaRecord) async throws -> Void) async throws {
        let shared = try await log.lineage().shared
        let reader = try broker.reader()
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

    /// The last position that log and topic share (after it, one holds a message that the other does not), and the last one
    /// up to which the topic holds everything that was published.
    ///
    /// A topic that merely ends early (it was recreated, or the relay had not published everything) contradicts nothing: the
    /// whole log is shared then.
    private func agreement(_ survey: TopicSurvey) async throws -> (fork: Int64, published: Int64) {
        let published = try await published(survey)
        if let disagreement = survey.disagreement {
            let fork = min(published, disagreement - 1)
            return (fork, fork)
        }
        if survey.goesBeyondLog { return (published, published) }
        return (try await log.withLeaseConnection { try await $0.end() }, published)
    }

    /// The last position up to which the topic holds everything that was published.
    private func published(_ survey: TopicSurvey) async throws -> Int64 {
        var position: Int64 = 0
        while true {
            let events = try await log.readLog(after: position, limit: 1000)
            if events.isEmpty { return position }
            for event in events {
                if !survey.holds(event.position), try publication(event) != nil { return event.position - 1 }
                position = event.position
            }
        }
    }
}
