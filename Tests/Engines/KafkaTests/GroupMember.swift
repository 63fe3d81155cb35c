import Kafka
import Runtime

/// A consumer that answers rebalances with its own offsets, as a service does, and records what it sees.
@Loop final class GroupMember {
    /// Offsets shared by the members of one group, as in their database.
    @Loop final class Offsets {
        var next: [TopicPartition: Int64] = [:]
    }

    let consumer: KafkaConsumer
    private let offsets: Offsets
    private(set) var assigned: Set<TopicPartition> = []
    private(set) var revocations = 0
    private(set) var values: [String] = []
    private(set) var outOfRange: [TopicPartition] = []
    private(set) var failures: [KafkaError] = []
    private let changed = Signal()
    private var task: Task<Void, any Error>?

    init(
        _ settings: KafkaSettings, group: String, topics: [String], times: GroupTimes = GroupTimes(),
        offsets: Offsets = Offsets()
    ) throws {
        consumer = try KafkaConsumer(settings: settings, group: group, topics: topics, times: times)
        self.offsets = offsets
        task = Loop.task { try await self.run() }
    }

    /// Waits until a condition holds; limited by the test's time limit.
    func until(_ condition: @Loop (GroupMember) -> Bool) async throws {
        while !condition(self) { try await changed.wait(atMost: .seconds(1)) }
    }

    /// Leaves the group.
    func close() async {
        task?.cancel()
        _ = await task?.result
        await consumer.close()
    }

    private func run() async throws {
        while true {
            switch try await consumer.next() {
            case .records(let records):
                values += records.map(\.text)
                for record in records { offsets.next[record.topicPartition] = record.offset + 1 }
            case .assigned(let partitions):
                assigned = Set(partitions)
                try consumer.assign(partitions.map { ($0, offsets.next[$0] ?? KafkaOffset.beginning) })
            case .revoked:
                assigned = []
                revocations += 1
                try consumer.unassign()
            case .offsetOutOfRange(let partition): outOfRange.append(partition)
            case .woken: break
            case .failure(let error): failures.append(error)
            }
            changed.raise()
        }
    }
}
