import Contracts
import CoreSimulation
import EventRelay
import EventStore
import Kafka
import Primitives
import Runtime

/// What breaks in a run, besides what breaks at single steps by chance.
extension Simulation {
    func breakThings() {
        for fault in Plan.Fault.allCases where plan.faults.contains(fault) {
            switch fault {
            case .deaths, .brokenConnections, .stalls, .poison, .killers: break
            case .ends: often(2_000) { await self.restart(self.surroundings.pick(["relay", "consumer"])!) }
            case .outages: often(3_000) { await self.takeAway() }
            case .resets: often(4_000) { await self.resetTopic() }
            case .truncations: often(2_000) { self.truncate() }
            case .restores: often(4_000) { await self.restoreSender() }
            case .receiverRestores: often(4_000) { self.restoreReceiver() }
            case .rebalances: often(1_500) { self.broker.rebalance(Self.group) }
            case .erasures: often(3_000) { await self.eraseSomebody() }
            case .rewinds: often(3_000) { await self.rewind() }
            }
        }
        if plan.faults.contains(.poison) { often(3_000) { self.operate() } }
        if plan.faults.contains(.restores) || plan.faults.contains(.receiverRestores) {
            often(700) {
                self.senderDumps.append(self.sender.state)
                self.receiverDumps.append(self.receiver.state)
            }
        }
    }

    /// Does something again and again while things may break, at intervals around so many milliseconds.
    private func often(_ interval: UInt64, _ work: @escaping @Loop () async -> Void) {
        Loop.task {
            while true {
                await LoopWait.pause(.milliseconds(Int64(1 + self.surroundings.below(interval * 2))))
                if self.isCalm { return }
                await work()
            }
        }
    }

    private func takeAway() async {
        let pause = Duration.milliseconds(Int64(surroundings.pick([200, 2_000, 8_000])!))
        switch surroundings.below(3) {
        case 0:
            surroundings.note("the broker is away for \(pause)")
            broker.isUp = false
            await LoopWait.pause(pause)
            broker.isUp = true
        case 1: await takeAway(sender, pause)
        default: await takeAway(receiver, pause)
        }
    }

    private func takeAway(_ database: SimulatedDatabase, _ pause: Duration) async {
        surroundings.note("the \(database.name)'s database is away for \(pause)")
        database.breakConnections()
        database.isUp = false
        await LoopWait.pause(pause)
        database.isUp = true
    }

    private func resetTopic() async {
        surroundings.reached("a topic was reset")
        let isOutgrowing = surroundings.happens(400)
        if isOutgrowing { await prepareOutgrowing() }
        if isCalm { return }
        broker.delete(topic)
        await LoopWait.pause(.milliseconds(Int64(surroundings.pick([0, 50, 1_000])!)))
        if broker.isMissing(topic) { broker.make(topic) }
        if isOutgrowing { await outgrow() }
    }

    /// Leaves the marks of some leases, and a consumer that stands still: the topic that comes next may outgrow its offset, and
    /// other records stand before it there.
    private func prepareOutgrowing() async {
        for _ in 0...surroundings.below(3) {
            await restart("relay")
            await LoopWait.pause(.milliseconds(500))
        }
        if isCalm { return }
        process("consumer")?.stall(for: .milliseconds(Int64(2_000 + surroundings.below(4_000))))
    }

    /// Says more than the marks that the topic lost.
    private func outgrow() async {
        let store = SimulatedStore(clients, sender)
        let owner = witness(of: Int32(surroundings.below(UInt64(topic.partitions))), from: 5_000)
        for _ in 0...(3 + surroundings.below(8)) where !isCalm {
            await say(.said(owner: owner, number: nextNumber()), store)
        }
    }

    private func truncate() {
        let partition = TopicPartition(
            topic: topic.name, partition: Int32(surroundings.below(UInt64(topic.partitions))))
        surroundings.reached("a partition lost its end")
        broker.truncate(partition, by: 1 + Int(surroundings.below(12)))
    }

    private func restoreSender() async {
        guard let dump = surroundings.pick(senderDumps) else { return }
        let breaking = surroundings.happens(700)
        surroundings.note("the sender goes back from \(sender.state.end) to \(dump.end), breaking \(breaking)")
        surroundings.reached("the sender's database was set back")
        senderDumps.removeAll { $0.end > dump.end }
        sender.restore(dump, breaking: breaking)
        // The operator says so at once, or waits until the relay has noticed.
        if surroundings.happens(300) {
            await LoopWait.pause(.milliseconds(Int64(surroundings.below(3_000))))
            await confirmRestore()
        }
    }

    private func restoreReceiver() {
        guard let dump = surroundings.pick(receiverDumps) else { return }
        surroundings.note("the receiver goes back from \(receiver.state.end) to \(dump.end)")
        surroundings.reached("the receiver's database was set back")
        receiverDumps.removeAll { $0.end > dump.end }
        receiver.restore(dump, breaking: surroundings.happens(700))
    }

    private func eraseSomebody() async {
        guard let owner = surroundings.pick(owners.filter { !gone.contains($0) }) else { return }
        gone.insert(owner)
        silent.insert(owner)
        surroundings.reached("an owner was erased")
        await say(.gone(owner: owner, number: nextNumber()), SimulatedStore(clients, sender))
    }

    private func rewind() async {
        let store = SimulatedStore(clients, sender)
        surroundings.reached("an operator rewound the relay")
        try? await Relay.rewind(store, to: Int64(surroundings.below(UInt64(sender.state.end + 1))))
    }

    private func operate() {
        if surroundings.happens(300) { poison.faults = [] }
        release(receiver, dropping: true)
    }
}
