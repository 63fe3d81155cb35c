import Runtime

/// A batch of records that was sent and is not yet acknowledged, and what holds once it is.
@Loop final class InFlightBatch {
    /// The partitions of its records.
    let partitions: [Int32]
    /// The positions of the tails, by partition.
    let positions: [Int64]
    /// The log is published up to here once the batch is acknowledged.
    let end: Int64
    /// The offsets of its records, once they are acknowledged.
    var offsets: [Int64]?
    var delivery: Task<Void, any Error>?

    init(_ partitions: [Int32], _ positions: [Int64], end: Int64) {
        self.partitions = partitions
        self.positions = positions
        self.end = end
    }
}
