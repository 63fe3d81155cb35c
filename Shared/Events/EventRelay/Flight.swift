import Runtime

/// A batch of records on its way to the topic, and what will be true once it is acknowledged.
@Loop final class Flight {
    /// Of its records.
    let partitions: [Int32]
    /// Positions of the tails, by partition.
    let positions: [Int64]
    /// All of the log up to here is published then.
    let end: Int64
    /// Of its records, once they are acknowledged.
    var offsets: [Int64]?
    var delivery: Task<Void, any Error>?

    init(_ partitions: [Int32], _ positions: [Int64], end: Int64) {
        self.partitions = partitions
        self.positions = positions
        self.end = end
    }
}
