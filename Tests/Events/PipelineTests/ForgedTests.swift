import Contracts
import EventConsumer
import EventRelay
import EventStore
import Kafka
import Postgres
import Primitives
import Runtime
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `A record that the publisher never wrote` {
    /// What does not belong together: what is changed of a record that would continue the chain.
    enum Mismatch: String, Sendable, CaseIterable {
        case type, source, noSource, noType, partition, leaseWithMessageType, messageWithLeaseType, leaseOfAnother
    }

    /// The record that continues the chain of the first partition behind position 1, with something changed.
    private func forged(_ mismatch: Mismatch, _ pipeline: Pipeline, _ owner: UUID) async throws -> OutgoingRecord {
        let (incarnation, epoch) = try await pipeline.identity()
        var changed: [String: String?] = [:]
        // Believed, it would make zombies of all that the relay writes.
        let lease: [String: String?] = [
            MessageHeaders.position: nil, MessageHeaders.previous: nil, MessageHeaders.fork: "0",
            MessageHeaders.epoch: "1000000",
        ]
        switch mismatch {
        case .type: changed[MessageHeaders.type] = "mirrormate.quota.Said.v1"
        case .noType: changed[MessageHeaders.type] = .some(nil)
        case .source: changed[MessageHeaders.source] = ServiceName.quota.source
        case .noSource: changed[MessageHeaders.source] = .some(nil)
        case .messageWithLeaseType: changed[MessageHeaders.type] = MessageType.lease(.sessions).description
        case .leaseWithMessageType: changed = lease
        case .leaseOfAnother:
            changed = lease
            changed[MessageHeaders.type] = MessageType.lease(.quota).description
            changed[MessageHeaders.source] = ServiceName.quota.source
        case .partition: break
        }
        let named = mismatch == .partition ? pipeline.owner(in: 1) : owner
        return pipeline.record(
            .said(owner: named, number: 99), position: 2, previous: 1, epoch: epoch, incarnation: incarnation,
            changed: changed)
    }

    @Test(arguments: Mismatch.allCases)
    func `is parked as foreign and moves nothing when its type, source, key and topic do not belong together`(
        mismatch: Mismatch
    ) async throws {
        for broker in Broker.all {
            try await Pipeline.run(broker) { pipeline in
                let owner = pipeline.owner()
                _ = pipeline.relay()
                let consumer = pipeline.consumer()
                try await pipeline.say(owner, 1...1)
                try await pipeline.hear(owner, 1...1)
                try await pipeline.kafka.write([forged(mismatch, pipeline, owner)])
                // Nobody waits behind it: not the chain, and not its key.
                try await pipeline.say(owner, 2...4)
                try await pipeline.hear(owner, 1...4)
                let parked = try await pipeline.sql("select reason from receiver.parked_messages").map { $0.text(0) }
                #expect(parked == ["foreign-record"])
                #expect(consumer.part.progress.allSatisfy { $0.alarm == nil })

                // An operator's release makes it no better; dropped, it is gone.
                try await pipeline.sql("update receiver.parked_messages set release = true")
                try await pipeline.until("it is parked again") {
                    try await pipeline.sql("select from receiver.parked_messages where release").isEmpty
                }
                #expect(try await pipeline.sql("select from receiver.parked_messages").count == 1)
                try await pipeline.sql("update receiver.parked_messages set dropped = true")
                try await pipeline.until("it is gone") {
                    try await pipeline.sql("select from receiver.parked_messages").isEmpty
                }
                try await pipeline.say(owner, 5...5)
                try await pipeline.hear(owner, 1...5)
            }
        }
    }

    @Test(arguments: Broker.all)
    func `but could have written is found, disowned and taken back, and what it displaced is told`(
        _ broker: Broker
    ) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            var relay = pipeline.relay()
            _ = pipeline.consumer()
            try await pipeline.say(owner, 1...2)
            try await pipeline.hear(owner, 1...2)
            #expect(try await pipeline.recovery.strangers().isEmpty)

            let (incarnation, epoch) = try await pipeline.identity()
            try await pipeline.kafka.write([
                pipeline.record(
                    .said(owner: owner, number: 99), position: 3, previous: 2, epoch: epoch, incarnation: incarnation)
            ])
            try await pipeline.hear(owner, [1, 2, 99])
            // The third word comes to the forged one's place and is taken for a repeat; the fourth is heard.
            try await pipeline.say(owner, 3...4)
            try await pipeline.hear(owner, [1, 2, 99, 4])
            let found = try await pipeline.recovery.strangers()
            #expect(found.map(\.position) == [3])
            #expect(found.map(\.partition) == [0])

            let (outcome, strangers) = try await pipeline.recovery.disown()
            #expect(outcome.fork == 2)
            #expect(strangers == found)
            try await pipeline.hear(owner, [1, 2, 99, 4, 3, 4])
            // The fourth was the publisher's own: it is told again, and not taken back.
            #expect(try await pipeline.heard("TakenBack").map(\.number) == [99])
            #expect(try await pipeline.recovery.strangers().isEmpty)

            // It goes on from there, over new leases too.
            await relay.stop()
            relay = pipeline.relay()
            try await pipeline.say(owner, 5...5)
            try await pipeline.hear(owner, [1, 2, 99, 4, 3, 4, 5])
            #expect(try await pipeline.heard("TakenBack").count == 1)
        }
    }

    @Test(arguments: Broker.all)
    func `at the end of a chain stops the relay's next lease until it is disowned`(_ broker: Broker) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            var relay = pipeline.relay()
            _ = pipeline.consumer()
            try await pipeline.say(owner, 1...2)
            try await pipeline.hear(owner, 1...2)
            let (incarnation, epoch) = try await pipeline.identity()
            try await pipeline.kafka.write([
                pipeline.record(
                    .said(owner: owner, number: 99), position: 3, previous: 2, epoch: epoch, incarnation: incarnation)
            ])
            try await pipeline.hear(owner, [1, 2, 99])
            await relay.stop()
            relay = pipeline.relay()
            try await pipeline.until("the relay names it") { relay.part.state == .troubled("store-set-back") }
            #expect(try await pipeline.recovery.disown().outcome.fork == 2)
            try await pipeline.until("the relay publishes") { relay.part.state == .publishing }
            try await pipeline.say(owner, 3...4)
            try await pipeline.hear(owner, [1, 2, 99, 3, 4])
            #expect(try await pipeline.heard("TakenBack").map(\.number) == [99])
        }
    }

    /// A mark as a relay would write it, of a history that the log never had.
    private func mark(
        _ pipeline: Pipeline, epoch: Int64, changed: [String: String?] = [:]
    ) -> OutgoingRecord {
        let lease: [String: String?] = [
            MessageHeaders.position: nil, MessageHeaders.previous: nil, MessageHeaders.fork: "0",
            MessageHeaders.type: MessageType.lease(.sessions).description,
        ]
        return pipeline.record(
            .kept, position: 1, previous: 0, epoch: epoch, incarnation: .v7(),
            changed: lease.merging(changed) { $1 })
    }

    @Test(arguments: Broker.all)
    func `and that only consumers would have to doubt does not stop a relay`(_ broker: Broker) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            var relay = pipeline.relay()
            _ = pipeline.consumer()
            try await pipeline.say(owner, 1...2)
            try await pipeline.hear(owner, 1...2)
            await relay.stop()
            let (incarnation, epoch) = try await pipeline.identity()
            try await pipeline.kafka.write([
                mark(
                    pipeline, epoch: 1_000_000,
                    changed: [
                        MessageHeaders.source: ServiceName.quota.source,
                        MessageHeaders.type: MessageType.lease(.quota).description,
                    ]),
                pipeline.record(
                    .said(owner: pipeline.owner(in: 1), number: 99), position: 3, previous: 2, epoch: epoch,
                    incarnation: incarnation),
            ])
            relay = pipeline.relay()
            try await pipeline.say(owner, 3...4)
            try await pipeline.hear(owner, 1...4)
            #expect(relay.part.state == .publishing)
            #expect(try await pipeline.identity().epoch == epoch + 1)
            #expect(try await pipeline.recovery.confirm().undone == 0)
            try await pipeline.say(owner, 5...5)
            try await pipeline.hear(owner, 1...5)
            #expect(try await pipeline.heard("TakenBack").isEmpty)
        }
    }

    @Test(arguments: Broker.all)
    func `but a mark of another history stops the next lease, until a restore is confirmed and all is told again`(
        _ broker: Broker
    ) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            var relay = pipeline.relay()
            let consumer = pipeline.consumer()
            try await pipeline.say(owner, 1...3)
            try await pipeline.hear(owner, 1...3)
            let epoch = try await pipeline.identity().epoch
            try await pipeline.kafka.write([mark(pipeline, epoch: epoch + 5)])
            // Consumers believe it: a history that shares nothing with the one they know.
            try await pipeline.until("all is taken back") { try await pipeline.heard("TakenBack").count == 3 }
            await relay.stop()
            relay = pipeline.relay()
            try await pipeline.until("the relay names it") { relay.part.state == .troubled("store-set-back") }
            // It stands at no position, so there is no message to disown.
            #expect(try await pipeline.recovery.strangers().isEmpty)
            let outcome = try await pipeline.recovery.confirm()
            #expect(outcome.fork == 3 && outcome.undone == 0)
            try await pipeline.until("the relay publishes") { relay.part.state == .publishing }
            try await Relay.rewind(pipeline.sender, to: 0)
            try await pipeline.say(owner, 4...5)
            try await pipeline.hear(owner, [1, 2, 3, 1, 2, 3, 4, 5])
            try await pipeline.until("no alarm is left") { consumer.part.progress.allSatisfy { $0.alarm == nil } }
        }
    }

    @Test(arguments: Broker.all)
    func `under a lease that never was, far ahead, is disowned too`(_ broker: Broker) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            _ = pipeline.relay()
            _ = pipeline.consumer()
            try await pipeline.say(owner, 1...2)
            try await pipeline.hear(owner, 1...2)
            let (incarnation, epoch) = try await pipeline.identity()
            try await pipeline.kafka.write([
                pipeline.record(
                    .said(owner: owner, number: 99), position: 1000, previous: 2, epoch: epoch + 5,
                    incarnation: incarnation)
            ])
            try await pipeline.hear(owner, [1, 2, 99])
            try await pipeline.say(owner, 3...5)
            try await pipeline.until("they are published") {
                try await pipeline.chain(0).contains { $0.position == 5 }
            }
            #expect(try await pipeline.heard(of: owner) == [1, 2, 99])
            #expect(try await pipeline.recovery.disown().strangers.map(\.position) == [1000])
            try await pipeline.hear(owner, [1, 2, 99, 3, 4, 5])
            #expect(try await pipeline.heard("TakenBack").map(\.number) == [99])
        }
    }
}
