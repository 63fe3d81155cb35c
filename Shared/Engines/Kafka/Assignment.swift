/// What a member of a group has taken on, and how far it is in each partition.
struct Assignment {
    /// The offset of the next record to be given, for each partition.
    private(set) var positions: [TopicPartition: Int64]
    /// What stands still by the caller's wish.
    var paused: Set<TopicPartition> = []
    /// What stands still because its offset does not exist.
    var stranded: Set<TopicPartition> = []

    /// - Parameter starts: where each partition begins.
    init(_ starts: [(TopicPartition, Int64)] = []) { positions = Dictionary(starts, uniquingKeysWith: { $1 }) }

    /// Where each partition begins that can be read.
    var starts: [(TopicPartition, Int64)] {
        positions.filter { !stranded.contains($0.key) }.map { ($0.key, $0.value) }
    }

    /// The same, but for one partition that goes on elsewhere and is not stranded any more.
    func moving(_ partition: TopicPartition, to offset: Int64) -> Assignment {
        var moved = self
        moved.positions[partition] = offset
        moved.stranded.remove(partition)
        return moved
    }

    /// Notes that records were given.
    mutating func advance(past records: [KafkaRecord]) {
        for (index, record) in records.enumerated() {
            // Records come in runs of one partition; the last of a run is enough.
            let next = index + 1
            if next < records.count, records[next].partition == record.partition, records[next].topic == record.topic {
                continue
            }
            positions[record.topicPartition] = record.offset + 1
        }
    }
}
