import Contracts
import Kafka
import Primitives
import Runtime

/// What a topic holds of a service's history.
struct TopicHistory: Sendable {
    /// The position and event id of one message.
    struct Message: Sendable {
        let position: Int64
        let id: UUID
    }

    /// Sorted by position. A position may repeat: after a rewind, or with a different event where history was cut off.
    var messages: [Message] = []
    /// Every incarnation found.
    var incarnations: Set<UUID> = []
    /// The highest epoch found.
    var topEpoch: Int64 = 0

    /// Reads the whole topic.
    ///
    /// - Parameter known: incarnations whose messages beyond a position are known to be cut off; those are left out.
    @Loop static func read(
        _ topic: Topic, _ broker: any Broker, known: [UUID: Int64]
    ) async throws -> TopicHistory {
        let reader = try broker.reader()
        do {
            var history = TopicHistory()
            for partition in 0..<topic.partitions {
                var filter = ChainFilter()
                _ = try await reader.readToEnd(TopicPartition(topic: topic.name, partition: partition)) { records in
                    for chain in records.lazy.compactMap({ ChainRecord($0) }) {
                        history.topEpoch = max(history.topEpoch, chain.epoch)
                        history.incarnations.insert(chain.incarnation)
                        guard filter.accepts(chain), let position = chain.position,
                            position <= known[chain.incarnation] ?? .max
                        else { continue }
                        history.messages.append(Message(position: position, id: chain.id))
                    }
                }
            }
            await reader.close()
            history.messages.sort { $0.position < $1.position }
            return history
        } catch {
            await reader.close()
            throw error
        }
    }
}
