import Contracts
import EventStore
import Kafka
import Observability
import Postgres
import Primitives
import Runtime

/// Looks every two seconds whether the broker answers, and measures now and then how far the service is behind the topics it reads:
/// records that the broker holds beyond its watermarks.
@Loop final class LagWatch {
    private static let interval = Duration.seconds(2)
    /// How many looks lie between two measurements.
    private static let measuring = 8

    private let store: EventStore
    private let kafka: KafkaSettings
    private let own: Topic
    private let topics: [Topic]
    private let returned: @Loop (_ awaySince: Timestamp, _ until: Timestamp) async throws -> Void
    private var presence = BrokerPresence(since: .now())
    /// What could not be told yet.
    private var untold: [(awaySince: Timestamp, until: Timestamp)] = []

    /// - Parameters:
    ///   - own: the service's own topic, of which the broker is asked.
    ///   - topics: those that the service reads.
    ///   - returned: tells that the broker answers again.
    init(
        _ store: EventStore, _ kafka: KafkaSettings, own: Topic, reading topics: [Topic],
        returned: @escaping @Loop (_ awaySince: Timestamp, _ until: Timestamp) async throws -> Void
    ) {
        self.store = store
        self.kafka = kafka
        self.own = own
        self.topics = topics
        self.returned = returned
    }

    /// Looks until the task is cancelled. While the broker cannot be reached, `consumer_broker_up` is 0.
    func run() async {
        let up = Metrics.shared.gauge("consumer_broker_up", help: "1 when the last look at the broker succeeded.")
        while !Task.isCancelled {
            do {
                let reader = try PartitionReader(settings: kafka)
                do {
                    var looks = 0
                    while true {
                        _ = try await reader.watermarks(
                            TopicPartition(topic: own.name, partition: 0), within: Self.interval)
                        up.set(1)
                        await answered()
                        if looks % Self.measuring == 0 { try await measure(reader) }
                        looks += 1
                        try await Loop.sleep(for: Self.interval)
                    }
                } catch {
                    await reader.close()
                    throw error
                }
            } catch {
                up.set(0)
                try? await Loop.sleep(for: Self.interval)
            }
        }
    }

    /// Notes an answer of the broker, and tells of the time before in which there was none.
    private func answered() async {
        let now = Timestamp.now()
        if let away = presence.answered(at: now) { untold.append((away, now)) }
        while let next = untold.first {
            // Without the database, or while the store refuses appends, it is told later.
            do { try await returned(next.awaySince, next.until) } catch { return }
            untold.removeFirst()
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
