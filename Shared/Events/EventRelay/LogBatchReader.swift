import Contracts
import EventSourcing
import EventStore
import Primitives
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
    private let lease: RelayLease
    private let records: RelayRecords
    private let publication: @Sendable (RecordedEvent) throws(EventDecodingError) -> Outgoing?
    private var ahead: [Reading] = []

    init(
        _ log: any RelayLog, _ lease: RelayLease, _ records: RelayRecords,
        _ publication: @escaping @Sendable (RecordedEvent) throws(EventDecodingError) -> Outgoing?
    ) {
        self.log = log
        self.lease = lease
        self.records = records
        self.publication = publication
    }

    /// The next batch after a position; empty at the end of the log.
    ///
    /// - Parameter id: of the event at that position, as it was read before; nil when it was not.
    /// - Throws: ``RelayTrouble/logReplaced(position:)`` when the log holds another event there by now, or none;
    ///   ``RelayTrouble/leaseLost``; or `PostgresError`.
    func next(after position: Int64, _ id: UUID?) async throws -> LogBatch {
        let batch = try await next(after: position)
        // The database may be an older one than that of the batch before, under the same lease.
        if let id, batch.anchor != id { throw RelayTrouble.logReplaced(position: position) }
        return batch
    }

    private func next(after position: Int64) async throws -> LogBatch {
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
            batch: Loop.task { [log, lease, records, publication] in
                // The event before the first one comes along, to be compared.
                try await log.readLog(
                    after: max(0, position - 1), limit: Self.batchSize + (position > 0 ? 1 : 0), under: lease
                ) {
                    LogBatch($0, after: position, records, publication)
                }
            })
    }
}
