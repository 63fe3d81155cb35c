import Contracts
import EventStore
import Kafka
import Observability
import Postgres
import Primitives
import Runtime

/// Measures how far the service is behind the topics it reads: records that the broker holds beyond its watermarks.
@Loop final class LagWatch {
    private static let interval = Duration.seconds(15)

    private let store: EventStore
    private let kafka: KafkaSettings
    private let topics: [Topic]

    init(_ store: EventStore, _ kafka: KafkaSettings, _ topics: [Topic]) {
        self.store = store
        self.kafka = kafka
        self.topics = topics
    }

    /// Measures until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            do {
                let reader = try PartitionReader(settings: kafka)
                do {
                    while true {
                        try await measure(reader)
                        try await Loop.sleep(for: Self.interval)
                    }
                } catch {
                    await reader.close()
                    throw error
                }
            } catch {
                try? await Loop.sleep(for: Self.interval)
            }
        }
    }

    private func measure(_ reader: PartitionReader) async throws {
        let lag = Metrics.shared.gauge(
            "consumer_lag_records", help: "Records of a topic that the service has not consumed yet.",
            labels: ["topic"])
        let rows = try await store.pool.query("select topic, partition, next_offset from consumer_partitions").rows
        var offsets: [TopicPartition: Int64] = [:]
        for row in rows { offsets[TopicPartition(topic: row.text(0), partition: Int32(row.int(1)))] = row.int(2) }
        for topic in topics {
            var records: Int64 = 0
            for partition in 0..<topic.partitions {
                let place = TopicPartition(topic: topic.name, partition: partition)
                let marks = try await reader.watermarks(place, within: .seconds(5))
                records += max(0, marks.high - max(offsets[place] ?? 0, marks.low))
            }
            lag.set(Double(records), [topic.name])
        }
    }
}
