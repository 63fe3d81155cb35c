package import Contracts
import EventStore
package import Kafka
import Observability
import Postgres
import Primitives
package import Runtime

/// Measures how far the service is behind the topics it reads: records that the broker holds beyond its watermarks.
@Loop package final class LagWatch {
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
        var reader: PartitionReader?
        while !Task.isCancelled {
            do {
                let open = try reader ?? PartitionReader(settings: kafka)
                reader = open
                let offsets = try await offsets()
                let behind = await Self.behind(topics, offsets) { try await open.watermarks($0, within: .seconds(5)) }
                show(behind)
                // What is wrong may be the connection.
                if behind.contains(where: { $0.records == nil }) {
                    await open.close()
                    reader = nil
                }
            } catch {
                // Without the database nothing can be said now.
            }
            try? await Loop.sleep(for: Self.interval)
        }
        await reader?.close()
    }

    private func show(_ behind: [(topic: Topic, records: Int64?)]) {
        let lag = Metrics.shared.gauge(
            "consumer_lag_records", help: "Records of a topic that the service has not consumed yet.",
            labels: ["topic"])
        for case (let topic, let records?) in behind { lag.set(Double(records), [topic.name]) }
    }

    /// Up to where the service has consumed.
    private func offsets() async throws -> [TopicPartition: Int64] {
        let rows = try await store.pool.query("select topic, partition, next_offset from consumer_partitions").rows
        return Dictionary(
            rows.map { (TopicPartition(topic: $0.text(0), partition: Int32($0.int(1))), $0.int(2)) },
            uniquingKeysWith: max)
    }

    /// How many records each topic holds behind the offsets; nil for a topic of which that cannot be found out, which keeps no other
    /// from being measured.
    package static func behind(
        _ topics: [Topic], _ offsets: [TopicPartition: Int64],
        watermarks: @Loop (TopicPartition) async throws -> PartitionReader.Watermarks
    ) async -> [(topic: Topic, records: Int64?)] {
        var behind: [(topic: Topic, records: Int64?)] = []
        for topic in topics {
            var records: Int64? = 0
            do {
                for partition in 0..<topic.partitions {
                    let place = TopicPartition(topic: topic.name, partition: partition)
                    let marks = try await watermarks(place)
                    records? += max(0, marks.high - max(offsets[place] ?? 0, marks.low))
                }
            } catch {
                records = nil
            }
            behind.append((topic, records))
        }
        return behind
    }
}
