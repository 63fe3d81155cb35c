/// What happened to a member of a consumer group, in order.
package enum ConsumerEvent: Sendable {
    /// Records of assigned partitions, at least one; in order within each partition.
    case records([KafkaRecord])
    /// The group gave these partitions. Answer with ``KafkaConsumer/assign(_:)``; nothing is fetched before.
    case assigned([TopicPartition])
    /// The group takes these partitions back. Finish or drop the work on them, then answer with
    /// ``KafkaConsumer/unassign()``; the others wait for the answer. `lost` says that others may have them already.
    case revoked([TopicPartition], lost: Bool)
    /// The partition does not hold the offset that was asked for. Nothing is fetched from it until
    /// ``KafkaConsumer/seek(_:to:)``.
    case offsetOutOfRange(TopicPartition)
    /// Somebody called ``KafkaConsumer/wake()``.
    case woken
    /// Something is wrong; unless the error is fatal, librdkafka goes on trying.
    case failure(KafkaError)
}
