/// The partitions assigned to a group member, and its position in each.
struct Assignment {
    /// The offset of the next record to return, by partition.
    private(set) var positions: [TopicPartition: Int64]
    /// Partitions paused by the caller.
    var paused: Set<TopicPartition> = []
    /// Partitions that are not read because their offset does not exist.
    var stranded: Set<TopicPartition> = []

    /// - Parameter starts: the offset at which to start in each partition.
    init(_ starts: [(TopicPartition, Int64)] = []) { positions = Dictionary(starts, uniquingKeysWith: { $1 }) }

    /// The start offset of each partition that can be read.
    var starts: [(TopicPartition, Int64)] {
        positions.filter { !stranded.contains($0.key) }.map { ($0.key, $0.value) }
    }

    /// The same assignment with one partition moved to another offset and no longer stranded.
    func moving(_ partition: TopicPartition, to offset: Int64) -> Assignment {
        var moved = self
        moved.positions[partition] = offset
        moved.stranded.remove(partition)
        return moved
    }

    /// Moves the positions past records that were returned.
    mutating func advance(past records: [KafkaRecord]) {
        for (index, record) in records.enumerated() {
            // Records come in runs of one partition; only the last of a run matters.
            let next = index + 1
            if next < records.count, records[next].partition == record.partition, records[next].topic == record.topic {
                continue
            }
            positions[record.topicPartition] = record.offset + 1
        }
    }
}
