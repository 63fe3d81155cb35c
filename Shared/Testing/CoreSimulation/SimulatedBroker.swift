package import Contracts
package import Kafka
package import Runtime

/// A broker with topics that can lose their end or be made anew, and groups that share partitions out.
@Loop package final class SimulatedBroker {
    /// One partition of a topic.
    struct Partition {
        var records: [KafkaRecord] = []
        var end: Int64 { Int64(records.count) }
    }

    let surroundings: Surroundings
    /// Whether it answers.
    package var isUp = true {
        didSet { changed.raise() }
    }
    /// Whether a producer whose partition lost records is told so by a fatal error, instead of writing on.
    package var remembersProducers = false
    /// Raised when there are records, topics or members anew.
    let changed = Signal()
    private var topics: [String: [Partition]] = [:]
    private var groups: [String: SimulatedGroup] = [:]

    package init(_ surroundings: Surroundings) { self.surroundings = surroundings }

    // MARK: Topics

    /// Makes a topic, or a deleted one anew.
    package func make(_ topic: Topic) {
        topics[topic.name] = Array(repeating: Partition(), count: Int(topic.partitions))
        surroundings.note("topic made")
        for group in groups.values where group.missesTopic { group.rebalance() }
        changed.raise()
    }

    /// Deletes a topic with all its records.
    package func delete(_ topic: Topic) {
        topics[topic.name] = nil
        surroundings.note("topic deleted")
        changed.raise()
    }

    /// Whether a topic was deleted and not made anew.
    package func isMissing(_ topic: Topic) -> Bool { topics[topic.name] == nil }

    /// Loses the last records of a partition, as an election of a replica that lags behind does.
    package func truncate(_ partition: TopicPartition, by count: Int) {
        guard var lost = topics[partition.topic]?[Int(partition.partition)] else { return }
        lost.records.removeLast(min(count, lost.records.count))
        topics[partition.topic]![Int(partition.partition)] = lost
        surroundings.note("partition \(partition.partition) cut to \(lost.end)")
        changed.raise()
    }

    /// All records of a partition.
    package func records(_ partition: TopicPartition) -> [KafkaRecord] { self[partition]?.records ?? [] }

    subscript(partition: TopicPartition) -> Partition? {
        guard let partitions = topics[partition.topic], Int(partition.partition) < partitions.count else { return nil }
        return partitions[Int(partition.partition)]
    }

    /// The number of a topic's partitions; 0 when there is no such topic.
    func count(_ topic: String) -> Int32 { Int32(topics[topic]?.count ?? 0) }

    /// Writes records at a partition's end; their offsets.
    func write(_ records: [OutgoingRecord], to partition: TopicPartition) -> [Int64] {
        var written = topics[partition.topic]![Int(partition.partition)]
        let first = written.end
        for record in records {
            written.records.append(
                KafkaRecord(
                    topic: partition.topic, partition: partition.partition, offset: written.end,
                    timestampMs: surroundings.time / 1_000, key: record.key, value: record.value,
                    headers: record.headers.all))
        }
        topics[partition.topic]![Int(partition.partition)] = written
        changed.raise()
        return Array(first..<written.end)
    }

    // MARK: Groups

    /// A group by its name.
    func group(_ name: String) -> SimulatedGroup {
        if let group = groups[name] { return group }
        let group = SimulatedGroup(self)
        groups[name] = group
        return group
    }

    /// Has a group share its partitions out anew, as after a member's short silence.
    package func rebalance(_ group: String) { groups[group]?.rebalance() }
}

/// A broker as one process reaches it.
package struct SimulatedAccess: Broker {
    package let process: SimulatedProcess
    package let broker: SimulatedBroker

    package init(_ process: SimulatedProcess, _ broker: SimulatedBroker) {
        self.process = process
        self.broker = broker
    }

    package nonisolated var kind: KafkaSettings.Kind { .apache }

    package func producer() throws(KafkaError) -> any RecordProducer { SimulatedProducer(process, broker) }

    package func reader() throws(KafkaError) -> any RecordReader { SimulatedReader(process, broker) }

    package func join(group: String, topics: [String]) throws(KafkaError) -> any GroupMember {
        SimulatedMember(process, broker, broker.group(group), topics)
    }
}
