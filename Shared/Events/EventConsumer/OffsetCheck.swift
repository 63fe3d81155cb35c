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
        guard let anchor = Anchor(before: watermark) else { return KafkaOffset.beginning }
        let record = try await reader.record(at: anchor.offset, of: partition)
        if let record, Anchor(record) == anchor { return watermark.nextOffset }
        log.warning(
            "partition is scanned from its start",
            [
                "partition": .string("\(partition)"),
                "reason": .string(record == nil ? "record-before-offset-missing" : "record-before-offset-differs"),
            ])
        return KafkaOffset.beginning
    }

    /// Whether a partition still holds a record at its offset.
    ///
    /// - Throws: `KafkaError` when the broker cannot tell.
    static func stands(_ anchor: Anchor, _ partition: TopicPartition, _ broker: any Broker) async throws -> Bool {
        let reader = try broker.reader()
        let found: KafkaRecord?
        do { found = try await reader.record(at: anchor.offset, of: partition) } catch {
            await reader.close()
            throw error
        }
        await reader.close()
        return found.map(Anchor.init) == anchor
    }

    /// The offset after the partition's last record.
    ///
    /// - Throws: `KafkaError` when the broker cannot tell.
    func end(_ partition: TopicPartition) async throws -> Int64 { try await reader.watermarks(partition).high }

    func close() async { await reader.close() }
}

/// A record by its offset and what names it: while both belong together, the topic is the one that was read before.
struct Anchor: Equatable, Sendable {
    let offset: Int64
    let identity: String

    init(_ record: KafkaRecord) {
        offset = record.offset
        identity = ChainRecord(record)?.identity ?? "foreign"
    }

    /// The record before a watermark; nil when nothing was read yet.
    init?(before watermark: Watermark) {
        guard let identity = watermark.lastIdentity else { return nil }
        offset = watermark.nextOffset - 1
        self.identity = identity
    }
}
