import CKafka

/// Builds librdkafka's list of partitions for one call and frees it afterwards.
func withPartitionList<T>(
    _ partitions: [(TopicPartition, Int64)],
    _ body: (UnsafeMutablePointer<rd_kafka_topic_partition_list_t>) -> T
) -> T {
    let list = rd_kafka_topic_partition_list_new(Int32(partitions.count))!
    defer { rd_kafka_topic_partition_list_destroy(list) }
    for (partition, offset) in partitions {
        let entry = rd_kafka_topic_partition_list_add(list, partition.topic, partition.partition)!
        entry.pointee.offset = offset
    }
    return body(list)
}

/// The partitions of a rebalance event.
func partitions(of event: OpaquePointer) -> [TopicPartition] {
    guard let list = rd_kafka_event_topic_partition_list(event) else { return [] }
    return (0..<Int(list.pointee.cnt)).map { TopicPartition(list.pointee.elems[$0]) }
}

extension TopicPartition {
    init(_ entry: rd_kafka_topic_partition_t) {
        self.init(topic: String(cString: entry.topic), partition: entry.partition)
    }
}

/// The partition and offset that an error event refers to, if any.
func location(of event: OpaquePointer) -> (partition: TopicPartition, offset: Int64)? {
    guard let entry = rd_kafka_event_topic_partition(event) else { return nil }
    defer { rd_kafka_topic_partition_destroy(entry) }
    return (TopicPartition(entry.pointee), entry.pointee.offset)
}
