import Contracts
import Kafka
import Primitives
import Runtime

/// How a topic and a log agree, found out in one pass over the topic that keeps a bit of each position and no more.
struct TopicSurvey: Sendable {
    /// Every incarnation found.
    private(set) var incarnations: Set<UUID> = []
    /// The highest epoch found.
    private(set) var topEpoch: Int64 = 0
    /// The lowest position at which the log holds another event; nil when there is none.
    private(set) var disagreement: Int64?
    /// Whether the topic holds messages beyond the log's end.
    private(set) var goesBeyondLog = false
    // One bit for each position whose message the topic holds as the log does.
    private var held: [UInt64] = []

    /// Whether the topic holds the message of a position as the log does.
    func holds(_ position: Int64) -> Bool {
        let word = Int(position >> 6)
        return word < held.count && held[word] & 1 << UInt64(position & 63) != 0
    }

    private mutating func note(_ position: Int64) {
        let word = Int(position >> 6)
        if word >= held.count { held += Array(repeating: 0, count: max(word + 1 - held.count, held.count)) }
        held[word] |= 1 << UInt64(position & 63)
    }

    /// Reads the whole topic. Messages that an earlier restore has cut off are left out.
    ///
    /// - Throws: `KafkaError` or `PostgresError`.
    @Loop static func read(_ topic: Topic, _ broker: any Broker, _ log: any RelayLog) async throws -> TopicSurvey {
        var survey = TopicSurvey()
        let lineage = try await log.lineage()
        try await read(topic, broker, lineage) { records, messages in
            for record in records {
                survey.topEpoch = max(survey.topEpoch, record.epoch)
                survey.incarnations.insert(record.incarnation)
            }
            let ids = try await log.eventIDs(at: messages.map(\.position))
            for (position, id) in messages {
                if ids[position] == id {
                    survey.note(position)
                } else if ids[position] == nil {
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
        try await read(topic, broker, lineage) { _, messages in
            count += messages.count { $0.position > position }
        }
        return count
    }

    @Loop private static func read(
        _ topic: Topic, _ broker: any Broker, _ lineage: Lineage,
        _ body: @Loop ([ChainRecord], [(position: Int64, id: UUID)]) async throws -> Void
    ) async throws {
        let reader = try broker.reader()
        let owner = TopicOwner(topic)
        do {
            for partition in 0..<topic.partitions {
                var filter = ChainFilter()
                _ = try await reader.readToEnd(TopicPartition(topic: topic.name, partition: partition)) { records in
                    let records = records.compactMap { record in
                        ChainRecord(record).flatMap { owner.foreignness(of: record, $0) == nil ? $0 : nil }
                    }
                    var messages: [(position: Int64, id: UUID)] = []
                    for record in records {
                        guard filter.accepts(record), let position = record.position,
                            position <= lineage.shared[record.incarnation] ?? .max
                        else { continue }
                        messages.append((position, record.id))
                    }
                    try await body(records, messages)
                }
            }
            await reader.close()
        } catch {
            await reader.close()
            throw error
        }
    }
}
