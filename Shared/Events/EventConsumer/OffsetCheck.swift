import EventRelay
import JSON
import Kafka
import Observability
import Runtime

/// Tells where to begin in a partition: a stored offset is a hint, believed only when the record before it is the one that
/// was remembered.
@Loop struct OffsetCheck {
    private let reader: any RecordReader
    private let log: Logger

    init(_ broker: any Broker, _ log: Logger) throws {
        reader = try broker.reader()
        self.log = log
    }

    /// The offset to begin at: the stored one, or the partition's start when the topic was made anew or the offset moved.
    ///
    /// - Throws: `KafkaError` when the broker cannot tell.
    func start(_ partition: TopicPartition, _ watermark: Watermark) async throws -> Int64 {
        guard let remembered = watermark.lastIdentity else { return KafkaOffset.beginning }
        let record = try await reader.record(at: watermark.nextOffset - 1, of: partition)
        if let record, ChainRecord(record)?.identity ?? "foreign" == remembered { return watermark.nextOffset }
        log.warning(
            "partition is scanned from its start",
            [
                "partition": .string("\(partition)"),
                "reason": .string(record == nil ? "record-before-offset-missing" : "record-before-offset-differs"),
            ])
        return KafkaOffset.beginning
    }

    /// The offset behind the partition's last record.
    ///
    /// - Throws: `KafkaError` when the broker cannot tell.
    func end(_ partition: TopicPartition) async throws -> Int64 { try await reader.watermarks(partition).high }

    func close() async { await reader.close() }
}
