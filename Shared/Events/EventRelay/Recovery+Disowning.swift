import Contracts
import EventSourcing
import EventStore
import Kafka
import Postgres
import Primitives
import Runtime

/// Leaves behind what somebody else wrote into the service's topic.
///
/// Such a record continues a chain like a true one, takes the place of the true next one, and consumers have acted on it. A new
/// incarnation begins after the last position at which topic and log agree; its lease records name the strangers, so
/// consumers take back what followed from these alone, and everything after the fork is published again: also what the
/// strangers displaced.
extension Recovery {
    /// A record that the log never published, as consumers took it.
    package struct Stranger: Sendable, Equatable {
        package let partition: Int32
        package let offset: Int64
        /// The position and the type that it claims.
        package let position: Int64
        package let type: String
        let id: UUID
    }

    /// How many strangers a lease record names; for more, all that lies beyond the fork is taken back.
    private static let nameable = 500

    /// The records of the topic that consumers took for messages of this service and that its log never published, compared
    /// by id, position by position.
    ///
    /// - Throws: `KafkaError`, `PostgresError`, or `EventDecodingError` if this build cannot read the log.
    package func strangers() async throws -> [Stranger] {
        let known = try await log.lineage().shared
        let owner = TopicOwner(topic)
        var candidates: [Int64: [Stranger]] = [:]
        let reader = try broker.reader()
        do {
            for partition in 0..<topic.partitions {
                var filter = ChainFilter()
                _ = try await reader.readToEnd(TopicPartition(topic: topic.name, partition: partition)) { records in
                    for record in records {
                        let chain = ChainRecord(record)
                        guard let chain, owner.foreignness(of: record, chain) == nil, filter.accepts(chain),
                            let position = chain.position, position <= known[chain.incarnation] ?? .max
                        else { continue }
                        candidates[position, default: []].append(
                            Stranger(
                                partition: partition, offset: record.offset, position: position,
                                type: record.header(MessageHeaders.type) ?? "", id: chain.id))
                    }
                }
            }
            await reader.close()
        } catch {
            await reader.close()
            throw error
        }
        var position: Int64 = 0
        while true {
            let events = try await log.readLog(after: position, limit: 1000)
            guard let last = events.last else { break }
            for event in events {
                guard let found = candidates[event.position] else { continue }
                let outgoing = try publication(event)
                let strange = found.filter { stranger in
                    guard let outgoing else { return true }
                    return stranger.id != event.id || stranger.partition != topic.partition(of: outgoing.key)
                }
                candidates[event.position] = strange.isEmpty ? nil : strange
            }
            position = last.position
        }
        return candidates.values.joined().sorted { ($0.position, $0.offset) < ($1.position, $1.offset) }
    }

    /// Disowns the strangers: begins a new incarnation after the last position at which topic and log agree.
    ///
    /// Only for a database that was not set back; after a restore it is ``confirm()`` that is right.
    ///
    /// - Throws: as ``strangers()``; nothing has changed then.
    package func disown() async throws -> (outcome: Outcome, strangers: [Stranger]) {
        let strangers = try await strangers()
        let named = strangers.count <= Self.nameable ? strangers : []
        let outcome = try await begin(disowning: named.map { DisownedRecord(position: $0.position, id: $0.id) })
        return (outcome, strangers)
    }
}
