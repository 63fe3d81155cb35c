import Kafka
import Runtime

/// A member of a simulated group.
@Loop final class SimulatedMember: GroupMember {
    let topics: [String]
    /// Whether it has partitions, or is about to be given some.
    private(set) var holds = false
    /// Whether it was asked to give up what it has, and has not done so.
    private(set) var isRevoking = false
    /// Whether the group went on without it.
    var isLost = false

    private let process: SimulatedProcess
    private let broker: SimulatedBroker
    private let group: SimulatedGroup
    private let news = Signal()
    private var events: [ConsumerEvent] = []
    private var given: [TopicPartition] = []
    private var positions: [TopicPartition: Int64] = [:]
    private var paused: Set<TopicPartition> = []
    private var stranded: Set<TopicPartition> = []
    private var isWoken = false
    private var isClosed = false

    init(_ process: SimulatedProcess, _ broker: SimulatedBroker, _ group: SimulatedGroup, _ topics: [String]) {
        self.process = process
        self.broker = broker
        self.group = group
        self.topics = topics
        let onDeath = process.onDeath
        process.onDeath = { [weak self] in
            onDeath()
            if let self { group.miss(self) }
        }
        group.join(self)
    }

    // MARK: The group's side

    /// The group wants the partitions back.
    func giveUp() {
        guard holds, !isRevoking else { return }
        isRevoking = true
        // What was not taken yet is not given any more.
        events.removeAll { if case .assigned = $0 { true } else { false } }
        events.append(.revoked(given, lost: false))
        news.raise()
    }

    /// The group gives partitions.
    func take(_ share: [TopicPartition]) {
        holds = true
        given = share
        events.append(.assigned(share))
        news.raise()
    }

    // MARK: The consumer's side

    func next() async throws -> ConsumerEvent {
        while true {
            if isClosed { throw KafkaError(.closed) }
            try await process.pass("poll")
            try Task.checkCancellation()
            if isWoken {
                isWoken = false
                return .woken
            }
            if isLost, !isRevoking {
                isRevoking = true
                return .revoked(given, lost: true)
            }
            if !events.isEmpty { return events.removeFirst() }
            if let event = fetch() { return event }
            try await news.wait(atMost: .milliseconds(100), or: broker.changed)
        }
    }

    /// Records of one partition, or that its offset is not there.
    private func fetch() -> ConsumerEvent? {
        guard broker.isUp else { return nil }
        let readable = positions.filter { !paused.contains($0.key) && !stranded.contains($0.key) }
            .sorted { $0.key < $1.key }
        var ready: [(TopicPartition, Int64, SimulatedBroker.Partition)] = []
        for (partition, position) in readable {
            // A topic that is missing is asked for again.
            guard let found = broker[partition] else { continue }
            let start = position == KafkaOffset.beginning ? 0 : position
            if start > found.end {
                stranded.insert(partition)
                broker.surroundings.reached("a consumer's offset was not there any more")
                return .offsetOutOfRange(partition)
            }
            if start < found.end { ready.append((partition, start, found)) }
        }
        guard let (partition, start, found) = broker.surroundings.pick(ready) else { return nil }
        let count = min(1 + Int64(broker.surroundings.below(20)), found.end - start)
        positions[partition] = start + count
        return .records(Array(found.records[Int(start)..<Int(start + count)]))
    }

    func wake() {
        isWoken = true
        news.raise()
    }

    func assign(_ starts: [(TopicPartition, Int64)]) throws(KafkaError) {
        if isClosed { throw KafkaError(.closed) }
        // The group may have taken them back meanwhile; what is read until that is heard of, is read twice.
        positions = Dictionary(starts, uniquingKeysWith: { $1 })
        paused = []
        stranded = []
    }

    func unassign() throws(KafkaError) {
        if isClosed { throw KafkaError(.closed) }
        positions = [:]
        holds = false
        isRevoking = false
        if isLost {
            isLost = false
            group.join(self)
        } else {
            group.distribute()
        }
    }

    func pause(_ partitions: [TopicPartition]) throws(KafkaError) { paused.formUnion(partitions) }

    func resume(_ partitions: [TopicPartition]) throws(KafkaError) { paused.subtract(partitions) }

    func close() async {
        guard !isClosed else { return }
        isClosed = true
        holds = false
        if !process.isDead { group.leave(self) }
        news.raise()
    }
}
