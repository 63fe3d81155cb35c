import Contracts
import EventConsumer
import EventRelay
import EventSourcing
import EventStore
import Kafka
import Postgres
import Primitives
import Runtime
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `A store restored to an earlier state` {
    private func isRefused(_ pipeline: Pipeline) async throws -> Bool {
        do {
            try await pipeline.append([.kept])
            return false
        } catch AppendError.storeRefused(let reason) {
            #expect(reason.contains("went back in time"))
            return true
        }
    }

    @Test(arguments: Broker.all)
    func `is reported, refuses appends, and continues after the fork once confirmed`(_ broker: Broker) async throws {
        try await Pipeline.run(broker) { pipeline in
            let (one, two) = (pipeline.owner(in: 0), pipeline.owner(in: 1))
            var relay = pipeline.relay()
            _ = pipeline.consumer()
            try await pipeline.say(one, 1...4)
            try await pipeline.say(two, 1...4)
            try await pipeline.hear(one, 1...4)
            try await pipeline.hear(two, 1...4)
            await relay.stop()
            try await pipeline.backUp(.sender, as: "early")
            // Only the first partition's owner has further events; they are undone.
            relay = pipeline.relay()
            try await pipeline.say(one, 5...7)
            try await pipeline.hear(one, 1...7)
            await relay.stop()
            try await pipeline.restore(.sender, from: "early")

            // Before the restore is noticed, the restored store accepts something.
            try await pipeline.say(two, 50...50)
            relay = pipeline.relay()
            try await pipeline.until("the relay names it") { relay.part.state == .troubled("store-set-back") }
            #expect(try await isRefused(pipeline))

            let outcome = try await pipeline.recovery.confirm()
            #expect(outcome.fork == 8)
            #expect(outcome.undone == 3)
            var undone: [Int64] = []
            try await pipeline.recovery.undone { records in
                undone.append(ChainRecord(records)?.position ?? 0)
            }
            #expect(undone == [9, 10, 11])
            try await pipeline.until("the relay publishes") { relay.part.state == .publishing }
            try await pipeline.say(one, 60...61)
            try await pipeline.hear(one, [1, 2, 3, 4, 5, 6, 7, 60, 61])
            try await pipeline.hear(two, [1, 2, 3, 4, 50])
            #expect(try await pipeline.heard("TakenBack").map(\.number) == [5, 6, 7])
            #expect(try await pipeline.heard("TakenBack").allSatisfy { $0.owner == one })

            // Everything continues from there, over new leases and new consumers too.
            await relay.stop()
            relay = pipeline.relay()
            try await pipeline.say(one, 62...63)
            try await pipeline.hear(one, [1, 2, 3, 4, 5, 6, 7, 60, 61, 62, 63])
            #expect(relay.part.state == .publishing)
        }
    }

    /// The verdict as a relay gives it that holds this lease, or has held it.
    private func verdict(_ epoch: Int64, _ incarnation: UUID) -> String {
        "select sender.refuse_appends('the store went back in time', \(epoch), '\(incarnation)')"
    }

    @Test func `is refused by the relay that leads, and by none that has led`() async throws {
        try await Pipeline.run(.development) { pipeline in
            try await pipeline.append([.kept])
            let old = try await pipeline.identity()
            try await pipeline.sql("update sender.relay set epoch = epoch + 1")
            try await pipeline.sql(verdict(old.epoch, old.incarnation))
            #expect(try await !isRefused(pipeline))
            try await pipeline.sql(verdict(old.epoch + 1, .v4()))
            #expect(try await !isRefused(pipeline))
            try await pipeline.sql(verdict(old.epoch + 1, old.incarnation))
            #expect(try await isRefused(pipeline))
        }
    }

    @Test func `is not refused again by a verdict that was on its way while the restore was confirmed`() async throws {
        try await Pipeline.run(.development) { pipeline in
            try await pipeline.append([.kept])
            let (incarnation, epoch) = try await pipeline.identity()
            let operatorsConnection = try await PostgresConnection.open(
                pipeline.administrator.with("search_path", "sender"))
            defer { operatorsConnection.close() }
            try await operatorsConnection.script("begin; select from head for update")
            let late = Loop.task { try await pipeline.sql(verdict(epoch, incarnation)) }
            try await pipeline.until("the verdict waits for the head") {
                try await pipeline.sql("select from pg_locks where not granted").count > 0
            }
            try await operatorsConnection.script("select begin_incarnation('\(UUID.v7())', 1, 1, 9, '{}'); commit")
            _ = try await late.value
            #expect(try await !isRefused(pipeline))
        }
    }

    @Test(arguments: Broker.all)
    func `a second time, to before the first restore, is found and confirmed too`(_ broker: Broker) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            var relay = pipeline.relay()
            _ = pipeline.consumer()
            try await pipeline.say(owner, 1...2)
            try await pipeline.hear(owner, 1...2)
            await relay.stop()
            try await pipeline.backUp(.sender, as: "first")
            relay = pipeline.relay()
            try await pipeline.say(owner, 3...4)
            try await pipeline.hear(owner, 1...4)
            await relay.stop()
            try await pipeline.backUp(.sender, as: "second")
            relay = pipeline.relay()
            try await pipeline.say(owner, 5...6)
            try await pipeline.hear(owner, 1...6)
            await relay.stop()

            try await pipeline.restore(.sender, from: "second")
            relay = pipeline.relay()
            try await pipeline.until("the relay names it") { relay.part.state == .troubled("store-set-back") }
            #expect(try await pipeline.recovery.confirm().fork == 4)
            try await pipeline.say(owner, 15...16)
            try await pipeline.hear(owner, [1, 2, 3, 4, 5, 6, 15, 16])
            await relay.stop()

            // The copy does not contain the incarnation that the first restore began. Its relay's next lease has a number that
            // the topic has seen: consumers must not take its marks for a new history.
            let top = try await pipeline.identity().epoch
            try await pipeline.restore(.sender, from: "first")
            try await pipeline.sql("update sender.relay set epoch = \(top - 1)")
            relay = pipeline.relay()
            try await pipeline.until("the relay names it again") { relay.part.state == .troubled("store-set-back") }
            #expect(try await pipeline.recovery.confirm().fork == 2)
            try await pipeline.say(owner, 23...24)
            try await pipeline.hear(owner, [1, 2, 3, 4, 5, 6, 15, 16, 23, 24])
            #expect(Set(try await pipeline.heard("TakenBack").map(\.number)) == [3, 4, 5, 6, 15, 16])
            await relay.stop()
            relay = pipeline.relay()
            try await pipeline.say(owner, 25...25)
            try await pipeline.hear(owner, [1, 2, 3, 4, 5, 6, 15, 16, 23, 24, 25])
            #expect(relay.part.state == .publishing)
        }
    }

    @Test(arguments: Broker.all)
    func `under an idle relay, with its lease and connections as they were, is named before anything is torn`(
        _ broker: Broker
    ) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            let relay = pipeline.relay()
            _ = pipeline.consumer()
            try await pipeline.say(owner, 1...4)
            try await pipeline.hear(owner, 1...4)
            try await pipeline.until("the cursor is stored") {
                try await pipeline.sql("select from sender.relay where cursor = 4").count == 1
            }
            try await pipeline.backUp(.sender, as: "early")
            try await pipeline.say(owner, 5...7)
            try await pipeline.hear(owner, 1...7)
            try await pipeline.restore(.sender, from: "early")
            // Grows beyond where the relay was before anybody notices.
            try await pipeline.appendAtOnce((50...53).map { .said(owner: owner, number: $0) })
            try await pipeline.until("the relay names it") { relay.part.state == .troubled("store-set-back") }
            #expect(try await pipeline.chain(0).compactMap(\.position).max() == 7)
            #expect(try await isRefused(pipeline))
            #expect(try await pipeline.recovery.confirm().fork == 4)
            try await pipeline.hear(owner, [1, 2, 3, 4, 5, 6, 7, 50, 51, 52, 53])
            #expect(try await pipeline.heard("TakenBack").map(\.number) == [5, 6, 7])
        }
    }

    @Test(arguments: Broker.all)
    func `takes parked messages back too`(_ broker: Broker) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            pipeline.hearer.faults = [2, 6]
            var relay = pipeline.relay()
            _ = pipeline.consumer()
            let other = pipeline.owner()
            try await pipeline.say(other, 2...3)
            try await pipeline.say(owner, 4...4)
            try await pipeline.hear(owner, 4...4)
            await relay.stop()
            try await pipeline.backUp(.sender, as: "early")
            relay = pipeline.relay()
            try await pipeline.say(owner, 5...7)
            try await pipeline.until("some are parked") {
                try await pipeline.sql("select from receiver.parked_messages").count == 4
            }
            await relay.stop()
            try await pipeline.restore(.sender, from: "early")
            relay = pipeline.relay()
            try await pipeline.until("the relay names it") { relay.part.state == .troubled("store-set-back") }
            #expect(try await pipeline.recovery.confirm().undone == 3)
            try await pipeline.say(owner, 60...61)
            // Not behind the parked one, which was never sent.
            try await pipeline.hear(owner, [4, 5, 60, 61])
            let parked = try await pipeline.sql("select identity from receiver.parked_messages order by id")
            #expect(parked.map { $0.text(0).split(separator: "/").last } == ["1", "2"])
            pipeline.hearer.faults = []
            try await pipeline.sql("update receiver.parked_messages set release = true")
            try await pipeline.hear(other, 2...3)
        }
    }

    @Test(arguments: Broker.all)
    func `takes nothing back in an older database that has taken the receiver's place meanwhile`(_ broker: Broker)
        async throws
    {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            var relay = pipeline.relay()
            _ = pipeline.consumer()
            try await pipeline.say(owner, 1...4)
            try await pipeline.hear(owner, 1...4)
            await relay.stop()
            try await pipeline.backUp(.sender, as: "early")
            try await pipeline.backUp(.receiver, as: "early")
            relay = pipeline.relay()
            try await pipeline.say(owner, 5...7)
            try await pipeline.hear(owner, 1...7)
            await relay.stop()
            try await pipeline.restore(.sender, from: "early")
            // Between reading what is to be taken back and appending that it is.
            var wasSetBack = false
            pipeline.hearer.beforeTakingBack = {
                if wasSetBack { return }
                wasSetBack = true
                try await pipeline.restore(.receiver, from: "early")
            }
            relay = pipeline.relay()
            try await pipeline.until("the relay names it") { relay.part.state == .troubled("store-set-back") }
            #expect(try await pipeline.recovery.confirm().fork == 4)
            try await pipeline.say(owner, 60...60)
            // What the older one lacks is heard again first.
            try await pipeline.hear(owner, [1, 2, 3, 4, 5, 6, 7, 60])
            #expect(wasSetBack)
            #expect(try await pipeline.heard("TakenBack").map(\.number) == [5, 6, 7])
            let stray = try await pipeline.sql(
                """
                select from receiver.events b where b.type = 'TakenBack'
                    and not exists (select from receiver.events e where b.stream = 'back-' || e.id)
                """)
            #expect(stray.isEmpty)
        }
    }

    @Test(arguments: Broker.all)
    func `to before a confirmed restore, since which nothing but marks was written, is named too`(_ broker: Broker)
        async throws
    {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            var relay = pipeline.relay()
            _ = pipeline.consumer()
            try await pipeline.say(owner, 1...3)
            try await pipeline.hear(owner, 1...3)
            await relay.stop()
            try await pipeline.backUp(.sender, as: "early")
            #expect(try await pipeline.recovery.confirm().fork == 3)
            let incarnation = try await pipeline.identity().incarnation
            relay = pipeline.relay()
            // Consumers follow the new history from its mark on.
            try await pipeline.until("the marks are read") {
                try await pipeline.sql(
                    "select from receiver.consumer_partitions where incarnation = '\(incarnation)'"
                ).count == 2
            }
            await relay.stop()
            try await pipeline.restore(.sender, from: "early")
            relay = pipeline.relay()
            try await pipeline.until("the relay names it") { relay.part.state == .troubled("store-set-back") }
            #expect(try await isRefused(pipeline))
            #expect(try await pipeline.recovery.confirm().fork == 3)
            try await pipeline.say(owner, 4...5)
            try await pipeline.hear(owner, 1...5)
            #expect(try await pipeline.heard("TakenBack").isEmpty)
        }
    }

    @Test(arguments: Broker.all)
    func `only in its lease numbers counts on above the topic's`(_ broker: Broker) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            var relay = pipeline.relay()
            _ = pipeline.consumer()
            try await pipeline.say(owner, 1...2)
            try await pipeline.hear(owner, 1...2)
            await relay.stop()
            try await pipeline.backUp(.sender, as: "early")
            for _ in 1...3 {
                relay = pipeline.relay()
                try await pipeline.until("the relay publishes") { relay.part.state == .publishing }
                await relay.stop()
            }
            let top = try await pipeline.identity().epoch
            try await pipeline.restore(.sender, from: "early")
            relay = pipeline.relay()
            try await pipeline.say(owner, 3...4)
            try await pipeline.hear(owner, 1...4)
            #expect(try await pipeline.identity().epoch > top)
        }
    }

    @Test(arguments: Broker.all)
    func `with a topic that was lost too has taken back what only consumers remember`(_ broker: Broker) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            var relay = pipeline.relay()
            let consumer = pipeline.consumer()
            try await pipeline.say(owner, 1...3)
            try await pipeline.hear(owner, 1...3)
            await relay.stop()
            try await pipeline.backUp(.sender, as: "early")
            relay = pipeline.relay()
            try await pipeline.say(owner, 4...6)
            try await pipeline.hear(owner, 1...6)
            await relay.stop()
            await consumer.stop()
            try await pipeline.restore(.sender, from: "early")
            try await pipeline.kafka.reset()
            let outcome = try await pipeline.recovery.confirm()
            #expect(outcome.topicIsEmpty && outcome.undone == 0 && outcome.fork == 3)
            relay = pipeline.relay()
            _ = pipeline.consumer()
            try await pipeline.say(owner, 7...7)
            try await pipeline.hear(owner, [1, 2, 3, 4, 5, 6, 7])
            #expect(try await pipeline.heard("TakenBack").map(\.number) == [4, 5, 6])
        }
    }

    @Test(arguments: Broker.all)
    func `with a topic that was lost too publishes all again, and takes nothing back`(
        _ broker: Broker
    ) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            var relay = pipeline.relay()
            let consumer = pipeline.consumer()
            try await pipeline.say(owner, 1...3)
            try await pipeline.hear(owner, 1...3)
            await relay.stop()
            await consumer.stop()
            try await pipeline.kafka.reset()
            let outcome = try await pipeline.recovery.confirm()
            #expect(outcome.topicIsEmpty)
            #expect(outcome.undone == 0)
            _ = pipeline.consumer()
            relay = pipeline.relay()
            try await pipeline.say(owner, 4...5)
            try await pipeline.hear(owner, 1...5)
            #expect(try await pipeline.heard("TakenBack").isEmpty)
        }
    }
}
