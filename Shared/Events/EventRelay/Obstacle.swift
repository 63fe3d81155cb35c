import Contracts
import Kafka
import Runtime

/// A problem that a new lease would only run into again, after writing its lease records to every partition.
@Loop struct Obstacle {
    let trouble: RelayTrouble
    private let isThere: @Loop (any LeaseConnection, any Broker) async throws -> Bool

    /// Nil for a problem that a new lease may solve.
    init?(_ trouble: RelayTrouble, _ topic: Topic, _ broker: any Broker) async {
        self.trouble = trouble
        switch trouble {
        case .unreadableEvent(let position, _):
            // Until an instance of another build has published it.
            isThere = { connection, _ in
                try await connection.cursor() < position
            }
        case .developmentBrokerFull(let partition):
            // Until it is a different broker.
            let partition = TopicPartition(topic: topic.name, partition: partition)
            guard let end = try? await Self.end(of: partition, broker) else { return nil }
            isThere = { _, broker in try await Self.end(of: partition, broker) >= end }
        default: return nil
        }
    }

    func stands(_ connection: any LeaseConnection, _ broker: any Broker) async throws -> Bool {
        try await isThere(connection, broker)
    }

    private static func end(of partition: TopicPartition, _ broker: any Broker) async throws -> Int64 {
        let reader = try broker.reader()
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
