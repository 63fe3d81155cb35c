import EventStore
import Kafka
import Runtime

/// The records of one partition that may have ended the process before: those under way when its last owner ended uncleanly.
///
/// They are handled one at a time in the whole process, each with an attempt counted durably before, so that a death is
/// that one record's.
@Loop final class Suspects {
    /// With so many counted attempts a record is parked; the first death could not be counted, because nobody suspected
    /// the record then.
    private static let attemptLimit: Int64 = 3

    // One record at a time, so that the one that kills the process is known.
    private let mutex: AsyncMutex
    private var left: Int
    /// Where the partition ended when this owner began: what came since has not met the one before.
    private var end: Int64
    /// What names the record whose counted attempt has not ended.
    private(set) var underWay: String?

    /// - Parameter end: the partition's end when an unclean end was found; nil where the last owner ended cleanly.
    init(_ mutex: AsyncMutex, before end: Int64?) {
        self.mutex = mutex
        left = end == nil ? 0 : Lane.limit
        self.end = end ?? 0
    }

    /// Whether the record may have been under way when the last owner ended.
    func contains(_ record: KafkaRecord) -> Bool {
        if record.offset >= end { left = 0 }
        return left > 0
    }

    /// Whether a watermark covers all of them.
    func arePast(_ watermark: Watermark) -> Bool { left <= 0 || watermark.nextOffset >= end }

    /// Handles one record when no other suspect is being handled in the process.
    ///
    /// - Parameters:
    ///   - identity: what names the record.
    ///   - count: counts an attempt durably and gives how many there have been; nil when another owner took over.
    ///   - work: handles the record, or sets it aside when it is told that it has ended the process too often.
    /// - Throws: ``LostPartition``, and what `count` and `work` throw.
    func handle(
        _ identity: String, counting count: @Loop () async throws -> Int64?,
        _ work: @Loop (_ endsTheProcess: Bool) async throws -> Void
    ) async throws {
        try await mutex.withLock {
            // Before it is counted: an end may cut short the counting, too, when the database has done it already.
            self.underWay = identity
            guard let attempts = try await count() else {
                self.underWay = nil
                throw LostPartition()
            }
            try await work(attempts >= Self.attemptLimit)
            self.underWay = nil
        }
        left -= 1
    }
}
