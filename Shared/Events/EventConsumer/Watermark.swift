package import EventStore
package import Kafka
package import Primitives

/// How far one partition has been consumed, as its present owner holds it; every move names what it moves from.
package struct Watermark: Sendable {
    package let topic: String
    package let partition: Int32
    /// The owner's epoch.
    package var epoch: Int64
    /// The offset of the next record.
    package var nextOffset: Int64
    /// What names the record before that offset.
    package var lastIdentity: String?
    /// The publisher's history.
    package var incarnation: UUID?
    /// The last position seen of the publisher.
    package var seen: Int64
    /// The highest epoch of the publisher's relay.
    package var sourceEpoch: Int64
    /// Where the publisher's history was cut below what had been seen.
    package var fork: Int64?
    /// Whether the owner before ended cleanly.
    package var wasClean: Bool

    package init(
        _ partition: TopicPartition, epoch: Int64, nextOffset: Int64 = 0, lastIdentity: String? = nil,
        incarnation: UUID? = nil, seen: Int64 = 0, sourceEpoch: Int64 = 0, fork: Int64? = nil, wasClean: Bool = true
    ) {
        topic = partition.topic
        self.partition = partition.partition
        self.epoch = epoch
        self.nextOffset = nextOffset
        self.lastIdentity = lastIdentity
        self.incarnation = incarnation
        self.seen = seen
        self.sourceEpoch = sourceEpoch
        self.fork = fork
        self.wasClean = wasClean
    }

    /// The call that moves from here to there under the head lock.
    package func move(to next: Watermark) -> RowCall {
        ConsumerRows.moveWatermark(
            topic, Int64(partition), epoch, nextOffset, seen, next.nextOffset, next.lastIdentity, next.incarnation,
            next.seen, next.sourceEpoch, next.fork)
    }
}
