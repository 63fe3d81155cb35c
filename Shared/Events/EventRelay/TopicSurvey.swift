import Contracts
import Kafka
import Primitives
import Runtime

/// How a topic and a log agree, found out in one pass over the topic that keeps none of it.
struct TopicSurvey: Sendable {
    /// Every incarnation found.
    private(set) var incarnations: Set<UUID> = []
    /// The highest epoch found.
    private(set) var topEpoch: Int64 = 0
    /// The lowest position at which the log holds another event; nil when there is none.
    private(set) var disagreement: Int64?
    /// Whether the topic holds messages beyond the log's end.
    private(set) var goesBeyondLog = false
    /// Up to where each partition holds every message of its own.
    private(set) var reaches: [Int64] = []

    /// Reads the whole topic. Messages that an earlier restore has cut off are left out.
    ///
    /// - Throws: `KafkaError` or `PostgresError`.
    @Loop static func read(_ topic: Topic, _ broker: any Broker, _ log: any RelayLog) async throws -> TopicSurvey {
        var survey = TopicSurvey()
        let lineage = try await log.lineage()
        try await read(topic, broker, lineage) { partition, records, messages in
            if survey.reaches.count <= Int(partition) { survey.reaches.append(0) }
            for record in records {
                survey.topEpoch = max(survey.topEpoch, record.epoch)
                survey.incarnations.insert(record.incarnation)
            }
            survey.reaches[Int(partition)] = messages.reach
            let ids = try await log.eventIDs(at: messages.found.map(\.position))
            for (position, id) in messages.found where ids[position] != id {
                if ids[position] == nil {
                    survey.goesBeyondLog = true
                } else {
                    survey.disagreement = min(survey.disagreement ?? .max, position)
                }
            }
        }
        return survey
    }

    /// How many messages the topic holds beyond a position, without those that an earlier restore has cut off.
    ///
    /// - Parameter lineage: as it was before the position became a fork.
    /// - Throws: `KafkaError`.
    @Loop static func count(beyond position: Int64, _ topic: Topic, _ broker: any Broker, _ lineage: Lineage)
        async throws
        -> Int
    {
        var count = 0
        try await read(topic, broker, lineage) { _, _, messages in
            count += messages.found.count { $0.position > position }
        }
        return count
    }

    /// Messages of one batch that count.
    private struct Messages {
        var found: [(position: Int64, id: UUID)] = []
        /// Up to here the partition holds every message of its own.
        var reach: Int64 = 0
    }

    @Loop private static func read(
        _ topic: Topic, _ broker: any Broker, _ lineage: Lineage,
        _ body: @Loop (Int32, [ChainRecord], Messages) async throws -> Void
    ) async throws {
        let reader = try broker.reader()
        do {
            for partition in 0..<topic.partitions {
                var filter = ChainFilter()
                var chain = UnbrokenChain(after: nil, within: lineage)
                try await body(partition, [], Messages())
                _ = try await reader.readToEnd(TopicPartition(topic: topic.name, partition: partition)) { records in
                    let records = records.compactMap { ChainRecord($0) }
                    var messages = Messages()
                    for record in records {
                        _ = chain.take(record)
                        guard filter.accepts(record), let position = record.position,
                            position <= lineage.shared[record.incarnation] ?? .max
                        else { continue }
                        messages.found.append((position, record.id))
                    }
                    messages.reach = chain.reach
                    try await body(partition, records, messages)
                }
            }
            await reader.close()
        } catch {
            await reader.close()
            throw error
        }
    }
}
