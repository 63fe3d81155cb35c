import Contracts
import Kafka
import Runtime
import producer

/// librdkafka's C producer, with exactly the records that the relay wrote.
@Loop final class ProducerPeer {
    private let records = Records(pointer: producer_records_new())
    private let kafka: KafkaSettings
    private var count = 0

    /// Reads the relay's records back into memory.
    init(_ kafka: KafkaSettings, reading topic: Topic) async throws {
        self.kafka = kafka
        let reader = try PartitionReader(settings: kafka)
        for partition in 0..<topic.partitions {
            let place = TopicPartition(topic: topic.name, partition: partition)
            try await reader.assign(place, from: KafkaOffset.beginning)
            while case .records(let found) = try await reader.next() {
                for record in found where record.header(MessageHeaders.position) != nil { add(record) }
            }
            await reader.stop()
        }
        await reader.close()
    }

    isolated deinit { producer_records_free(records.pointer) }

    private func add(_ record: KafkaRecord) {
        let key = record.key ?? []
        let value = record.value ?? []
        producer_records_add(records.pointer, record.partition, key, key.count, value, value.count)
        for (name, value) in record.headers { producer_records_header(records.pointer, name, value, value.count) }
        count += 1
    }

    /// Records per second until the last acknowledgement.
    func rate(to topic: String) async throws -> Double {
        let records = records
        let bootstrap = kafka.bootstrap
        let seconds = try await Offload.shared.run {
            var reason = [CChar](repeating: 0, count: 256)
            let seconds = producer_records_send(records.pointer, bootstrap, topic, &reason, reason.count)
            guard seconds > 0 else {
                let text = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                throw BenchError("The C producer failed: \(text)")
            }
            return seconds
        }
        return Double(count) / seconds
    }

    /// Sendable: only read while records are being sent.
    private struct Records: @unchecked Sendable {
        let pointer: OpaquePointer
    }
}
