/// An event of a consumer group member; events arrive in order.
package enum ConsumerEvent: Sendable {
    /// At least one record of assigned partitions; in order within each partition.
    case records([KafkaRecord])
    /// The group assigned these partitions. Answer with ``KafkaConsumer/assign(_:)``; nothing is fetched before that.
    case assigned([TopicPartition])
    /// The group revokes these partitions. Finish or drop the work on them, then answer with
    /// ``KafkaConsumer/unassign()``; the group waits for it. If `lost`, other members may have them already.
    case revoked([TopicPartition], lost: Bool)
    /// The partition does not hold the requested offset. Nothing is fetched from it until ``KafkaConsumer/seek(_:to:)``.
    case offsetOutOfRange(TopicPartition)
    /// ``KafkaConsumer/wake()`` was called.
    case woken
    /// An error; unless it is fatal, librdkafka keeps retrying.
    case failure(KafkaError)
}
