import Contracts
import Kafka
import Postgres
import Runtime

/// A problem that a new lease would only run into again, after writing its lease records to every partition.
@Loop struct Obstacle {
    let trouble: RelayTrouble
    private let isThere: @Loop (PostgresConnection, KafkaSettings) async throws -> Bool

    /// Nil for a problem that a new lease may solve.
    init?(_ trouble: RelayTrouble, _ topic: Topic, _ kafka: KafkaSettings) async {
        self.trouble = trouble
        switch trouble {
        case .unreadableEvent(let position, _):
            // Until an instance of another build has published it.
            isThere = { connection, _ in
                let relay = try await connection.query("select cursor from relay")
                return relay.rows[0].int(0) < position
            }
        case .developmentBrokerFull(let partition):
            // Until it is a different broker.
            let partition = TopicPartition(topic: topic.name, partition: partition)
            guard let end = try? await Self.end(of: partition, kafka) else { return nil }
            isThere = { _, kafka in try await Self.end(of: partition, kafka) >= end }
        default: return nil
        }
    }

    func stands(_ connection: PostgresConnection, _ kafka: KafkaSettings) async throws -> Bool {
        try await isThere(connection, kafka)
    }

    private static func end(of partition: TopicPartition, _ kafka: KafkaSettings) async throws -> Int64 {
        let reader = try PartitionReader(settings: kafka)
        do {
            let end = try await reader.watermarks(partition).high
            await reader.close()
            return end
        } catch {
            await reader.close()
            throw error
        }
    }
}
