/// The end of the chain in a partition.
struct PartitionTail: Sendable {
    var partition: Int32
    /// The offset of the last message; -1 when there is none.
    var offset: Int64 = -1
    /// The last message's position in the log, which the next one names as its predecessor.
    var position: Int64 = 0
    /// The lease under which the last message was written.
    var epoch: Int64 = 0
    /// The next acknowledged offset must be above this one.
    var floor: Int64 = -1
    /// Bytes read or written in the partition; counted for the development broker, which drops the oldest records.
    var bytes = 0
}
