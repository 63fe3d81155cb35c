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
import TestingTools

@Suite(.timeLimit(.minutes(10))) @Loop struct `Delivery` {
    @Test(.stress, arguments: Broker.all)
    func `delivers everything once, in the order of each key, with two instances of everything`(_ broker: Broker)
        async throws
    {
        try await Pipeline.run(broker, partitions: 4) { pipeline in
            let owners = (0..<5).map { _ in UUID.v4() }
            for number in Int64(1)...20 {
                try await pipeline.append(owners.map { .said(owner: $0, number: number) } + [.kept])
            }
            let first = pipeline.relay()
            _ = pipeline.relay(ofItsOwn: true)
            _ = pipeline.consumer()
            _ = pipeline.consumer(nil, pipeline.secondHearer())
            for number in Int64(21)...60 {
                try await pipeline.append([.kept] + owners.map { .said(owner: $0, number: number) })
            }
            for owner in owners { try await pipeline.hear(owner, 1...60) }
            // The instance that ends cleanly hands over.
            await first.stop()
            for owner in owners { try await pipeline.say(owner, 61...80) }
            for owner in owners { try await pipeline.hear(owner, 1...80) }
            try await checkTopic(pipeline)
        }
    }

    @Test(arguments: Broker.all)
    func `of a long log leaves nothing out, though it is read ahead in pieces`(_ broker: Broker) async throws {
        try await Pipeline.run(broker, partitions: 4) { pipeline in
            let owners = (0..<7).map { _ in UUID.v4() }
            let words = (0..<5_300).map { Word.said(owner: owners[$0 % 7], number: Int64($0)) }
            // Several of the pieces that the relay reads are full, and one that is read ahead is empty.
            try await pipeline.appendAtOnce(Array(words[..<5_000]))
            let relay = pipeline.relay()
            try await pipeline.until("the log of the beginning is published") { relay.part.cursor == 5_000 }
            try await pipeline.appendAtOnce(Array(words[5_000...]))
            try await pipeline.until("what came later is published") { relay.part.cursor == 5_300 }
            try await checkTopic(pipeline)
        }
    }

    @Test(arguments: Broker.all)
    func `is behind until what was there at the start is settled, and not for what comes later`(_ broker: Broker)
        async throws
    {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            _ = pipeline.relay()
            try await pipeline.publish(owner, 1...20)
            let (early, late) = (LoopWait(), LoopWait())
            pipeline.hearer.before = { number in
                if number == 10 { try await early.wait() }
                if number == 25 { try await late.wait() }
            }
            let consumer = pipeline.consumer().part
            try await pipeline.hear(owner, 1...9)
            #expect(consumer.isAssigned && consumer.behindStart > 0)
            try await pipeline.publish(owner, 21...30)
            early.resume()
            try await pipeline.until("it has caught up") { consumer.behindStart == 0 }
            #expect(try await pipeline.heard(of: owner).count < 30)
            late.resume()
            try await pipeline.hear(owner, 1...30)
        }
    }

    @Test(arguments: Broker.all)
    func `is behind no longer where a topic that was made anew ends with the same record at the same offset`(
        _ broker: Broker
    ) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            let relay = pipeline.relay()
            try await pipeline.publish(owner, 1...10)
            let first = pipeline.consumer()
            try await pipeline.hear(owner, 1...10)
            await relay.stop()
            await first.stop()
            let records = try await pipeline.kafka.records(0).map { record in
                OutgoingRecord(
                    topic: record.topic, partition: 0, key: record.key, value: record.value, headers: record.headers)
            }
            let end = Int64(records.count)
            func reached(_ offset: Int64) async throws {
                try await pipeline.until("offset \(offset) is reached") {
                    try await pipeline.sql(
                        "select from receiver.consumer_partitions where partition = 0 and next_offset = \(offset)"
                    ).count == 1
                }
            }
            // The one that reads comes while the topic is filled again.
            try await pipeline.kafka.reset()
            try await pipeline.kafka.write(Array(records[..<5]))
            let second = pipeline.consumer().part
            try await reached(5)
            try await pipeline.kafka.write(Array(records[5...]))
            try await reached(end)
            #expect(second.behindStart == 0)
        }
    }

    @Test(arguments: Broker.all)
    func `is remembered by the record that stands before it, also where another topic has another one there`(
        _ broker: Broker
    ) async throws {
        try await Pipeline.run(broker) { pipeline in
            // A partition without messages has a mark of each lease alone.
            for _ in 1...2 {
                let (relay, consumer) = (pipeline.relay(), pipeline.consumer())
                try await pipeline.until("the mark is read, and stored by the name that it has") {
                    guard let mark = try await pipeline.chain(0).last else { return false }
                    return try await pipeline.sql(
                        """
                        select from receiver.consumer_partitions
                        where partition = 0 and next_offset = 1 and last_identity = '\(mark.identity)'
                        """
                    ).count == 1
                }
                await relay.stop()
                await consumer.stop()
                try await pipeline.kafka.reset()
            }
        }
    }

    @Test(arguments: Broker.all)
    func `is known to be caught up when all partitions are settled to where they ended, whoever has read them`(
        _ broker: Broker
    ) async throws {
        try await Pipeline.run(broker) { pipeline in
            let (one, two) = (pipeline.owner(in: 0), pipeline.owner(in: 1))
            _ = pipeline.relay()
            try await pipeline.publish(one, 1...3)
            try await pipeline.publish(two, 11...30)
            let catchUp = pipeline.catchUp()
            #expect(try await !isCaughtUp(catchUp), "Nobody has read anything.")
            let held = LoopWait()
            pipeline.hearer.before = { number in if number == 20 { try await held.wait() } }
            _ = pipeline.consumer()
            try await pipeline.hear(one, 1...3)
            try await pipeline.hear(two, 11...19)
            #expect(try await !isCaughtUp(catchUp), "One partition is not read to its end.")
            held.resume()
            try await pipeline.hear(two, 11...30)
            try await pipeline.until("it is caught up") { catchUp.isComplete }
            #expect(try await catchUp.wait { true })
            // Another process begins, which reads nothing itself.
            let later = pipeline.catchUp()
            try await pipeline.until("that is known elsewhere, too") { later.isComplete }
        }
    }

    @Test(arguments: Broker.all)
    func `is not caught up in an older database, nor by what was read of another topic`(_ broker: Broker) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            let relay = pipeline.relay()
            var consumer = pipeline.consumer()
            try await pipeline.publish(owner, 1...3)
            try await pipeline.hear(owner, 1...3)
            await consumer.stop()
            try await pipeline.backUp(.receiver, as: "early")
            consumer = pipeline.consumer()
            try await pipeline.publish(owner, 4...6)
            try await pipeline.hear(owner, 1...6)
            await consumer.stop()
            try await pipeline.restore(.receiver, from: "early")
            let restored = pipeline.catchUp()
            #expect(try await !isCaughtUp(restored), "What came after the backup is not read again yet.")
            consumer = pipeline.consumer()
            try await pipeline.hear(owner, 1...6)
            try await pipeline.until("it is read again") { restored.isComplete }
            await consumer.stop()
            await relay.stop()
            try await pipeline.kafka.reset()
            #expect(try await !isCaughtUp(pipeline.catchUp()), "What the new topic will hold nobody has read.")
        }
    }

    /// Whether it is, or becomes so within several looks.
    private func isCaughtUp(_ catchUp: TopicCatchUp) async throws -> Bool {
        var looks = 0
        return try await catchUp.wait {
            looks += 1
            return looks < 6
        }
    }

    /// Each partition's chain is complete, and each record has the headers that it must have.
    private func checkTopic(_ pipeline: Pipeline) async throws {
        let log = try await pipeline.sender.readLog(after: 0, limit: 10_000)
        var positions: [Int64] = []
        for partition in 0..<pipeline.kafka.topic.partitions {
            var last: Int64 = 0
            var epoch: Int64 = 0
            for record in try await pipeline.kafka.records(partition) {
                let chain = try #require(ChainRecord(record))
                #expect(chain.epoch >= epoch)
                epoch = chain.epoch
                guard case .message(let position, let previous) = chain.kind else { continue }
                #expect(previous == last)
                last = position
                let event = log[Int(position) - 1]
                #expect(chain.id == event.id && record.value == event.data)
                #expect(record.header(MessageHeaders.time) == event.recordedAt.rfc3339)
                #expect(record.header(MessageHeaders.type) == "mirrormate.sessions.Said.v1")
                #expect(record.header(MessageHeaders.source) == "/mirrormate/sessions")
                #expect(record.header(MessageHeaders.specVersion) == "1.0")
                #expect(record.header(MessageHeaders.contentType) == "application/json")
                #expect(record.header(MessageHeaders.correlationID) == event.metadata.correlation.description)
                let key = try #require(record.key.map { String(decoding: $0, as: UTF8.self) })
                #expect(
                    record.header(MessageHeaders.partitionKey) == key && record.header(MessageHeaders.subject) == key)
                #expect(pipeline.kafka.topic.partition(of: .owner(UUID(key)!)) == partition)
                positions.append(position)
            }
        }
        #expect(positions.sorted() == log.filter { $0.type.name == "Said" }.map(\.position))
    }

    @Test(.stress, arguments: Broker.all)
    func `continues when the holder of the lease has silently stopped`(_ broker: Broker) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            try await pipeline.say(owner, 1...3)
            // A holder that never renews its lease.
            try await pipeline.sql(
                """
                update sender.relay set epoch = 7, holder = gen_random_uuid(),
                    lease_until = clock_timestamp() + interval '6 s'
                """)
            let relay = pipeline.relay()
            try await pipeline.until("the relay stands by") { relay.part.state == .standby }
            #expect(try await pipeline.chain(0).isEmpty)
            _ = pipeline.consumer()
            try await pipeline.hear(owner, 1...3)
            #expect(try await pipeline.identity().epoch == 8)
        }
    }

    @Test(arguments: Broker.all)
    func `tells who publishes when it is another one than before, and what the topic had lost`(_ broker: Broker)
        async throws
    {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            let relay = pipeline.relay()
            try await pipeline.publish(owner, 1...3)
            #expect(pipeline.changes == [.taken(epoch: 1)])
            // Another instance takes it, and is gone soon.
            try await pipeline.sql(
                """
                update sender.relay set epoch = 2, holder = gen_random_uuid(),
                    lease_until = clock_timestamp() + interval '3 s'
                """)
            try await pipeline.until("it is told") { pipeline.changes.count == 3 }
            #expect(pipeline.changes == [.taken(epoch: 1), .lost(epoch: 1), .taken(epoch: 3)])
            await relay.stop()
            try await pipeline.kafka.reset()
            let second = pipeline.relay()
            try await pipeline.until("it publishes again") { second.part.cursor == 3 }
            guard pipeline.changes.count == 5, case .taken(let epoch) = pipeline.changes[3],
                case .reset(epoch, let partitions, from: 0) = pipeline.changes[4]
            else {
                Issue.record("\(pipeline.changes)")
                return
            }
            #expect(partitions >= 1)
        }
    }

    @Test(arguments: Broker.all)
    func `does not wait for a lease that the clock has put far ahead`(_ broker: Broker) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            try await pipeline.say(owner, 1...3)
            // Its holder is gone, and the database has moved to a server whose clock is behind.
            try await pipeline.sql(
                """
                update sender.relay set epoch = 7, holder = gen_random_uuid(),
                    lease_until = clock_timestamp() + interval '1 hour'
                """)
            _ = pipeline.relay()
            _ = pipeline.consumer()
            try await pipeline.hear(owner, 1...3)
            #expect(try await pipeline.identity().epoch == 8)
        }
    }

    /// Waits for looks that relay and consumer take at a slow pace.
    @Test(.stress, arguments: Broker.all)
    func `delivers again what an older database of the receiver lacks, though nothing more is said`(_ broker: Broker)
        async throws
    {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            _ = pipeline.relay()
            _ = pipeline.consumer()
            try await pipeline.say(owner, 1...2)
            try await pipeline.hear(owner, 1...2)
            try await pipeline.backUp(.receiver, as: "early")
            try await pipeline.say(owner, 3...4)
            try await pipeline.hear(owner, 1...4)
            try await pipeline.restore(.receiver, from: "early")
            try await pipeline.until("it is set back") { try await pipeline.heard().count < 4 }
            try await pipeline.hear(owner, 1...4)
        }
    }

    @Test(.stress, arguments: Broker.all)
    func `is taken over by the next consumer when one ends`(_ broker: Broker) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            _ = pipeline.relay()
            let first = pipeline.consumer()
            try await pipeline.say(owner, 1...5)
            try await pipeline.hear(owner, 1...5)
            await first.stop()
            // A clean end is recorded.
            #expect(try await pipeline.sql("select clean from receiver.consumer_partitions where not clean").isEmpty)
            try await pipeline.say(owner, 6...9)
            _ = pipeline.consumer(nil, pipeline.secondHearer())
            try await pipeline.hear(owner, 1...9)
        }
    }

    @Test(arguments: Broker.all)
    func `has no double effect when two consumers both believe they own a partition`(_ broker: Broker) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owners = [pipeline.owner(in: 0), pipeline.owner(in: 1)]
            _ = pipeline.relay()
            // Two groups: each is given every partition, and they take each other's claims.
            _ = pipeline.consumer("one-\(UUID.v4())")
            _ = pipeline.consumer("two-\(UUID.v4())", pipeline.secondHearer())
            for number in Int64(1)...100 {
                try await pipeline.append(owners.map { .said(owner: $0, number: number) })
            }
            for owner in owners { try await pipeline.hear(owner, 1...100) }
        }
    }

    /// Each lease writes a mark into every partition. A slow machine takes even fewer.
    @Test(.stress, arguments: Broker.all)
    func `takes leases ever more rarely while it can publish nothing under them`(_ broker: Broker) async throws {
        try await Pipeline.run(broker) { pipeline in
            try await pipeline.say(pipeline.owner(), 1...1)
            // It can be led, and no cursor can be moved.
            try await pipeline.sql("revoke insert, update, delete on sender.relay_partitions from sender")
            let relay = pipeline.relay()
            try await pipeline.until("the relay is in trouble") {
                if case .troubled = relay.part.state { true } else { false }
            }
            let before = try await pipeline.identity().epoch
            // Pauses of 0.1, 0.2, 0.4, … seconds.
            try await Loop.sleep(for: .seconds(10))
            let taken = try await pipeline.identity().epoch - before
            #expect((1...9).contains(taken), "\(taken) leases")
        }
    }

    @Test(arguments: Broker.all)
    func `stops before an event that this build does not know, and skips nothing`(_ broker: Broker) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            try await pipeline.say(owner, 1...3)
            try await pipeline.append([.unheardOf])
            try await pipeline.say(owner, 4...4)
            let relay = pipeline.relay()
            _ = pipeline.consumer()
            try await pipeline.hear(owner, 1...3)
            try await pipeline.until("the relay says why") { relay.part.state == .troubled("unreadable-event") }
            #expect(try await pipeline.sql("select cursor from sender.relay")[0].int(0) == 3)
            let records = try await pipeline.kafka.records(0).count
            // It keeps reporting that, and writes no marks meanwhile.
            try await Loop.sleep(for: .seconds(1))
            #expect(relay.part.state == .troubled("unreadable-event"))
            #expect(try await pipeline.kafka.records(0).count == records)
        }
    }
}
