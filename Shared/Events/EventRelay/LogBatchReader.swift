import Contracts
import EventSourcing
import EventStore
import Runtime

/// Reads the log in batches, a few of them ahead of what is being sent, so that the database and other threads work in
/// parallel.
@Loop final class LogBatchReader {
    private static let batchSize = 1_000
    private static let depth = 3

    private struct Reading {
        /// The position after which it begins.
        let start: Int64
        let batch: Task<LogBatch, any Error>
    }

    private let log: any RelayLog
    private let records: RelayRecords
    private let publication: @Sendable (RecordedEvent) throws(EventDecodingError) -> Outgoing?
    private var ahead: [Reading] = []

    init(
        _ log: any RelayLog, _ records: RelayRecords,
        _ publication: @escaping @Sendable (RecordedEvent) throws(EventDecodingError) -> Outgoing?
    ) {
        self.log = log
        self.records = records
        self.publication = publication
    }

    /// The next batch after a position; empty at the end of the log.
    func next(after position: Int64) async throws -> LogBatch {
        if ahead.first?.start != position { ahead = [] }
        let isAhead = !ahead.isEmpty
        var batch = try await (isAhead ? ahead.removeFirst() : read(after: position)).batch.value
        // A read ahead may have reached what was the end of the log at that time.
        if isAhead, batch.isEmpty {
            ahead = []
            batch = try await read(after: position).batch.value
        }
        if let last = batch.last, batch.isFull(Self.batchSize) {
            // The log has no gaps, so where a full batch ends is known before it is read.
            while ahead.count < Self.depth {
                ahead.append(read(after: ahead.last.map { $0.start + Int64(Self.batchSize) } ?? last))
            }
        }
        return batch
    }

    /// Cancels the reads in progress.
    func stop() { for reading in ahead { reading.batch.cancel() } }

    private func read(after position: Int64) -> Reading {
        Reading(
            start: position,
            batch: Loop.task { [log, records, publication] in
                try await log.readLog(after: position, limit: Self.batchSize) { LogBatch($0, records, publication) }
            })
    }
}
