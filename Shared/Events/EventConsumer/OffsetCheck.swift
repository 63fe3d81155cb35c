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

    /// The offset after the partition's last record.
    ///
    /// - Throws: `KafkaError` when the broker cannot tell.
    func end(_ partition: TopicPartition) async throws -> Int64 { try await reader.watermarks(partition).high }

    func close() async { await reader.close() }
}

/// Tells whether partitions still hold records where they were read. A topic that was made anew may have outgrown the offset, and
/// what its reader has missed may stand before it.
///
/// One client at a time, however many partitions ask.
@Loop final class AnchorCheck {
    private let broker: any Broker
    private let mutex = AsyncMutex()
    private var reader: (any RecordReader)?
    private var asking = 0

    init(_ broker: any Broker) { self.broker = broker }

    /// Whether a partition still holds a record at its offset.
    ///
    /// - Throws: `KafkaError` when the broker cannot tell.
    func stands(_ anchor: Anchor, _ partition: TopicPartition) async throws -> Bool {
        asking += 1
        defer { asking -= 1 }
        var found: KafkaRecord?
        try await mutex.withLock {
            do {
                let reader = try self.reader ?? self.broker.reader()
                self.reader = reader
                found = try await reader.record(at: anchor.offset, of: partition)
            } catch {
                await self.close()
                throw error
            }
            if self.asking == 1 { await self.close() }
        }
        return found.map(Anchor.init) == anchor
    }

    /// Keeps the client for all questions of `work`.
    func together(_ work: @Loop () async -> Void) async {
        asking += 1
        await work()
        asking -= 1
        if asking == 0 { await close() }
    }

    private func close() async {
        let closing = reader
        reader = nil
        await closing?.close()
    }
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
