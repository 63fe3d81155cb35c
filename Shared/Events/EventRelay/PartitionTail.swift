import Primitives

/// The end of the chain in a partition.
package struct PartitionTail: Sendable {
    package var partition: Int32
    /// The offset of the last message; -1 when there is none.
    package var offset: Int64
    /// The last message's position in the log, which the next one names as its predecessor.
    package var position: Int64
    /// That message's event id, where it is known.
    var id: UUID?
    /// The lease under which the last message was written.
    package var epoch: Int64
    /// The next acknowledged offset must be above this one.
    var floor: Int64 = -1
    /// Bytes read or written in the partition; counted for the development broker, which drops the oldest records.
    var bytes = 0

    package init(partition: Int32, offset: Int64 = -1, position: Int64 = 0, epoch: Int64 = 0) {
        self.partition = partition
        self.offset = offset
        self.position = position
        self.epoch = epoch
    }
}
