import Contracts
import Kafka
import Postgres
import Runtime

/// Trouble that a new lease would only meet again, after writing its marks into every partition.
@Loop struct Obstacle {
    let trouble: RelayTrouble
    private let isThere: @Loop (PostgresConnection, KafkaSettings) async throws -> Bool

    /// Nothing for trouble that a new lease may end.
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
            // Until the broker is another one.
            let place = TopicPartition(topic: topic.name, partition: partition)
            guard let end = try? await Self.end(of: place, kafka) else { return nil }
            isThere = { _, kafka in try await Self.end(of: place, kafka) >= end }
        default: return nil
        }
    }

    func stands(_ connection: PostgresConnection, _ kafka: KafkaSettings) async throws -> Bool {
        try await isThere(connection, kafka)
    }

    private static func end(of place: TopicPartition, _ kafka: KafkaSettings) async throws -> Int64 {
        let reader = try PartitionReader(settings: kafka)
        do {
            let end = try await reader.watermarks(place).high
            await reader.close()
            return end
        } catch {
            await reader.close()
            throw error
        }
    }
}
