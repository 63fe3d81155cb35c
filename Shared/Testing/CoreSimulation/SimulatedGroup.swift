import EventStore
import Kafka
import Runtime

/// A consumer group: who of its members reads which partition.
///
/// Sharing out anew takes two steps, as in Kafka: every member gives up what it has, then all are given something.
@Loop final class SimulatedGroup {
    /// How long a member may be silent.
    private static let sessionTimeout = Duration.seconds(6)

    private let broker: SimulatedBroker
    private var members: [SimulatedMember] = []
    private var round = 0
    /// Whether a topic was missing when partitions were shared out; its members hear of it when it comes.
    private(set) var missesTopic = false

    init(_ broker: SimulatedBroker) { self.broker = broker }

    func join(_ member: SimulatedMember) {
        members.append(member)
        rebalance()
    }

    /// A member leaves, or is found to be gone.
    func leave(_ member: SimulatedMember) {
        guard members.contains(where: { $0 === member }) else { return }
        members.removeAll { $0 === member }
        rebalance()
    }

    /// A process died: the group finds out when it was silent for too long.
    func miss(_ member: SimulatedMember) {
        Loop.task {
            await LoopWait.pause(Self.sessionTimeout)
            self.leave(member)
        }
    }

    func rebalance() {
        round += 1
        let present = round
        broker.surroundings.note("group of \(members.count) shares out anew")
        for member in members { member.giveUp() }
        Loop.task {
            await LoopWait.pause(Self.sessionTimeout)
            guard present == self.round else { return }
            // Whoever has not answered by now has lost its partitions without knowing.
            let silent = self.members.filter(\.isRevoking)
            if silent.isEmpty { return }
            self.broker.surroundings.reached("a member lost its partitions without answering")
            self.members.removeAll { member in silent.contains { $0 === member } }
            for member in silent { member.isLost = true }
            self.distribute()
        }
        distribute()
    }

    /// Shares the partitions out once nobody holds any.
    func distribute() {
        guard !members.isEmpty, !members.contains(where: \.holds) else { return }
        let surroundings = broker.surroundings
        var shares = members.map { _ in [TopicPartition]() }
        let first = Int(surroundings.below(UInt64(members.count)))
        var place = first
        missesTopic = false
        for topic in Set(members.flatMap(\.topics)).sorted() {
            if broker.count(topic) == 0 { missesTopic = true }
            for partition in 0..<broker.count(topic) {
                shares[place % members.count].append(TopicPartition(topic: topic, partition: partition))
                place += 1
            }
        }
        for (member, share) in zip(members, shares) { member.take(share) }
    }
}
