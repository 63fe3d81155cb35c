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

@Suite(.timeLimit(.minutes(10))) @Loop struct `The chain` {
    @Test(arguments: Broker.all)
    func `shows a hole with its numbers, lets only erasures through, and is healed by the next lease`(_ broker: Broker)
        async throws
    {
        try await Pipeline.run(broker) { pipeline in
            let (owner, gone) = (pipeline.owner(), pipeline.owner())
            let relay = pipeline.relay()
            let consumer = pipeline.consumer()
            try await pipeline.say(owner, 1...3)
            try await pipeline.hear(owner, 1...3)
            await relay.stop()
            // Position 4 never reaches the topic, 5 and 6 do.
            try await pipeline.append([
                .said(owner: owner, number: 4), .said(owner: owner, number: 5), .gone(owner: gone, number: 6),
            ])
            let (incarnation, epoch) = try await pipeline.identity()
            let log = try await pipeline.sender.readLog(after: 4, limit: 2)
            try await pipeline.kafka.write([
                pipeline.record(
                    .said(owner: owner, number: 5), position: 5, previous: 4, epoch: epoch, incarnation: incarnation,
                    id: log[0].id),
                pipeline.record(
                    .gone(owner: gone, number: 6), position: 6, previous: 5, epoch: epoch, incarnation: incarnation,
                    id: log[1].id),
            ])
            try await pipeline.hear(gone, [6])
            let alarm = try #require(consumer.part.progress.first { $0.partition.partition == 0 }?.alarm)
            #expect(alarm.contains("successor of position 3") && alarm.contains("that of 4"))
            let row = try await pipeline.sql(
                "select alarm, seen from receiver.consumer_partitions where partition = 0")[0]
            #expect(row.text(0) == alarm && row.int(1) == 3)
            #expect(try await pipeline.heard(of: owner) == [1, 2, 3])
            // A relay that merely restarts continues where the unbroken chain ends.
            let second = pipeline.relay()
            try await pipeline.until("the relay publishes") { second.part.state == .publishing }
            try await pipeline.say(owner, 7...7)
            try await pipeline.until("it is published") { second.part.cursor == 7 }
            try await pipeline.hear(owner, [1, 2, 3, 4, 5, 7])
            #expect(try await pipeline.heard(of: gone) == [6])
            try await pipeline.until("the alarm is gone") { consumer.part.progress.allSatisfy { $0.alarm == nil } }
            // A rewind writes it all again, and nothing is doubled.
            try await Relay.rewind(pipeline.sender, to: 2)
            try await pipeline.until("the rewind is done") {
                try await pipeline.sql("select from sender.relay where rewind_to is null").count == 1
            }
            try await pipeline.say(owner, 8...9)
            try await pipeline.hear(owner, [1, 2, 3, 4, 5, 7, 8, 9])
        }
    }

    @Test(arguments: Broker.all)
    func `is healed by a rewind, though last words beyond the hole end the process each time`(_ broker: Broker)
        async throws
    {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            let gone = [pipeline.owner(), pipeline.owner()]
            var relay = pipeline.relay()
            let first = pipeline.consumer()
            try await pipeline.say(owner, 1...3)
            try await pipeline.hear(owner, 1...3)
            await relay.stop()
            await first.stop()
            // Position 4 never reaches the topic, 5 to 7 do; 5 and 7 are last words that are met again after every start.
            try await pipeline.append([
                .said(owner: owner, number: 4), .gone(owner: gone[0], number: 5), .said(owner: owner, number: 6),
                .gone(owner: gone[1], number: 7),
            ])
            let (incarnation, epoch) = try await pipeline.identity()
            let log = try await pipeline.sender.readLog(after: 4, limit: 3)
            try await pipeline.kafka.write([
                pipeline.record(
                    .gone(owner: gone[0], number: 5), position: 5, previous: 4, epoch: epoch, incarnation: incarnation,
                    id: log[0].id),
                pipeline.record(
                    .said(owner: owner, number: 6), position: 6, previous: 5, epoch: epoch, incarnation: incarnation,
                    id: log[1].id),
                pipeline.record(
                    .gone(owner: gone[1], number: 7), position: 7, previous: 6, epoch: epoch, incarnation: incarnation,
                    id: log[2].id),
            ])
            for deaths in Int64(1)...2 { try await dieWith(7, attempts: deaths, pipeline) }
            #expect(try await pipeline.heard(of: gone[0]) == [5])

            // The third is counted and no attempt any more.
            pipeline.hearer.before = { number in if number == 7 { Issue.record("it would have killed again") } }
            let consumer = pipeline.consumer()
            try await pipeline.until("it is passed by") {
                try await pipeline.sql("select from receiver.last_words where attempts = 3").count == 1
            }
            try await Relay.rewind(pipeline.sender, to: 3)
            relay = pipeline.relay()
            try await pipeline.say(owner, 8...8)
            try await pipeline.hear(owner, [1, 2, 3, 4, 6, 8])
            #expect(
                try await pipeline.sql("select reason from receiver.parked_messages").map { $0.text(0) }
                    == ["killed-the-process"])
            #expect(consumer.part.progress.allSatisfy { $0.alarm == nil })

            // Mended and released, it is heard; the other one was heard once.
            pipeline.hearer.before = { _ in }
            try await pipeline.sql("update receiver.parked_messages set release = true")
            try await pipeline.hear(gone[1], [7])
            #expect(try await pipeline.heard(of: gone[0]) == [5])
        }
    }

    /// Runs a consumer up to a last word beyond a hole, and leaves what a process leaves that dies there.
    private func dieWith(_ number: Int64, attempts: Int64, _ pipeline: Pipeline) async throws {
        var isMet = false
        pipeline.hearer.before = { met in
            guard met == number else { return }
            isMet = true
            try await Loop.sleep(for: .seconds(600))
        }
        let consumer = pipeline.consumer()
        try await pipeline.until("it is being handled") { isMet }
        // What is done already is not counted any more.
        let counted = try await pipeline.sql("select identity, attempts from receiver.last_words")
        #expect(counted.map { $0.int(1) } == [attempts])
        let identity = try #require(counted.first).text(0)
        await consumer.stop()
        pipeline.hearer.before = { _ in }
        // An orderly end is no death.
        #expect(try await pipeline.sql("select from receiver.last_words").isEmpty)
        try await pipeline.sql(
            """
            insert into receiver.last_words (topic, partition, identity, attempts)
            values ('\(pipeline.kafka.topic.name)', 0, '\(identity)', \(attempts))
            """)
        try await pipeline.sql("update receiver.consumer_partitions set clean = false where partition = 0")
    }

    @Test(arguments: Broker.all)
    func `goes on beyond a hole after a last word that cannot be handled, and hears it later`(_ broker: Broker)
        async throws
    {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            let gone = [pipeline.owner(), pipeline.owner()]
            let relay = pipeline.relay()
            let consumer = pipeline.consumer()
            try await pipeline.say(owner, 1...3)
            try await pipeline.hear(owner, 1...3)
            await relay.stop()
            pipeline.hearer.faults = [5]
            try await pipeline.append([
                .said(owner: owner, number: 4), .gone(owner: gone[0], number: 5), .gone(owner: gone[1], number: 6),
            ])
            let (incarnation, epoch) = try await pipeline.identity()
            let log = try await pipeline.sender.readLog(after: 4, limit: 2)
            try await pipeline.kafka.write([
                pipeline.record(
                    .gone(owner: gone[0], number: 5), position: 5, previous: 4, epoch: epoch, incarnation: incarnation,
                    id: log[0].id),
                pipeline.record(
                    .gone(owner: gone[1], number: 6), position: 6, previous: 5, epoch: epoch, incarnation: incarnation,
                    id: log[1].id),
            ])
            try await pipeline.hear(gone[1], [6])
            #expect(try await pipeline.heard(of: gone[0]).isEmpty)
            // The consumer has not begun anew: nothing but the fault was tried, once.
            #expect(consumer.part.isAssigned)
            #expect(try await pipeline.sql("select from receiver.last_words").isEmpty)
            pipeline.hearer.faults = []
            _ = pipeline.relay()
            try await pipeline.hear(gone[0], [5])
            try await pipeline.until("the chain is whole") { consumer.part.progress.allSatisfy { $0.alarm == nil } }
            #expect(try await pipeline.heard(of: gone[1]) == [6])
        }
    }

    @Test(arguments: Broker.all)
    func `ignores duplicates and records of an old lease, in consumers and when reading back`(_ broker: Broker)
        async throws
    {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            var relay = pipeline.relay()
            _ = pipeline.consumer()
            try await pipeline.say(owner, 1...2)
            try await pipeline.hear(owner, 1...2)
            await relay.stop()
            relay = pipeline.relay()
            try await pipeline.say(owner, 3...3)
            try await pipeline.hear(owner, 1...3)
            await relay.stop()
            let (incarnation, epoch) = try await pipeline.identity()
            let zombie = { (number: Int64, position: Int64, previous: Int64, epoch: Int64) in
                pipeline.record(
                    .said(owner: owner, number: number), position: position, previous: previous, epoch: epoch,
                    incarnation: incarnation)
            }
            try await pipeline.kafka.write([
                // An old lease's message that would fit the chain, and one from far away.
                zombie(104, 4, 3, epoch - 1), zombie(190, 90, 80, epoch - 1),
                // Copies under the present lease.
                zombie(103, 3, 2, epoch), zombie(102, 2, 1, epoch),
            ])
            relay = pipeline.relay()
            try await pipeline.say(owner, 4...5)
            try await pipeline.hear(owner, 1...5)
            #expect(relay.part.state == .publishing)
            let messages = try await pipeline.chain(0).suffix(2).map(\.kind)
            #expect(messages == [.message(position: 4, previous: 3), .message(position: 5, previous: 4)])
        }
    }

    @Test(arguments: Broker.all)
    func `is published again after a topic reset, and consumers drop what they know`(_ broker: Broker) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owners = [pipeline.owner(in: 0), pipeline.owner(in: 1)]
            var relay = pipeline.relay()
            var consumer = pipeline.consumer()
            for owner in owners { try await pipeline.say(owner, 1...10) }
            for owner in owners { try await pipeline.hear(owner, 1...10) }
            await relay.stop()
            await consumer.stop()
            try await pipeline.kafka.reset()
            for owner in owners { try await pipeline.say(owner, 11...12) }
            relay = pipeline.relay()
            consumer = pipeline.consumer()
            for owner in owners { try await pipeline.say(owner, 13...15) }
            for owner in owners { try await pipeline.hear(owner, 1...15) }
            for partition in Int32(0)...1 {
                #expect(try await pipeline.chain(partition).count { $0.position != nil } == 15)
            }
        }
    }

    @Test(arguments: Broker.all)
    func `is published again from its start where a relay went on in a topic made anew`(_ broker: Broker) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            var relay = pipeline.relay()
            let consumer = pipeline.consumer()
            try await pipeline.say(owner, 1...10)
            try await pipeline.hear(owner, 1...10)
            await relay.stop()
            await consumer.stop()
            try await pipeline.kafka.reset()
            // The next message got in before the relay noticed: it follows nothing that is there.
            try await pipeline.say(owner, 11...11)
            let (incarnation, epoch) = try await pipeline.identity()
            let log = try await pipeline.sender.readLog(after: 10, limit: 1)
            try await pipeline.kafka.write([
                pipeline.record(
                    .said(owner: owner, number: 11), position: 11, previous: 10, epoch: epoch, incarnation: incarnation,
                    id: log[0].id)
            ])
            relay = pipeline.relay()
            try await pipeline.say(owner, 12...12)
            try await pipeline.until("all is published") { relay.part.cursor == 12 }
            let last = try await pipeline.chain(0).map(\.epoch).max()
            let written = try await pipeline.chain(0).filter { $0.epoch == last }.compactMap(\.position)
            #expect(written == Array(1...12))
            _ = pipeline.consumer()
            try await pipeline.hear(owner, 1...12)
        }
    }

    @Test(arguments: Broker.lasting)
    func `is whole again after the topic was made anew under relay and consumer`(_ broker: Broker) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            // Marks of many leases, so that offsets in the new topic stand for other messages.
            for _ in 1...6 {
                let relay = pipeline.relay()
                try await pipeline.until("the relay publishes") { relay.part.state == .publishing }
                await relay.stop()
            }
            _ = pipeline.relay()
            let consumer = pipeline.consumer()
            try await pipeline.say(owner, 1...5)
            try await pipeline.hear(owner, 1...5)
            try await pipeline.kafka.reset()
            try await pipeline.say(owner, 6...30)
            try await pipeline.hear(owner, 1...30)
            try await pipeline.until("no alarm is left") { consumer.part.progress.allSatisfy { $0.alarm == nil } }
            try await pipeline.until("the topic holds all") {
                let messages = try await pipeline.chain(0)
                let last = messages.map(\.epoch).max()
                return messages.filter { $0.epoch == last }.compactMap(\.position) == Array(1...30)
            }
        }
    }

    /// Waits for looks that relay and consumer take at a slow pace.
    @Test(.stress, arguments: Broker.lasting)
    func `is published again after the topic was made anew, though nothing more is said`(_ broker: Broker) async throws
    {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            _ = pipeline.relay()
            let consumer = pipeline.consumer()
            try await pipeline.say(owner, 1...5)
            try await pipeline.hear(owner, 1...5)
            try await pipeline.kafka.reset()
            try await pipeline.until("the topic holds all") {
                try await pipeline.chain(0).compactMap(\.position) == Array(1...5)
            }
            // One that has heard nothing yet hears it all, and the other one nothing twice.
            await consumer.stop()
            try await pipeline.sql("delete from receiver.consumer_partitions")
            _ = pipeline.consumer()
            try await pipeline.hear(owner, [1, 2, 3, 4, 5, 1, 2, 3, 4, 5])
        }
    }

    @Test(arguments: Broker.all)
    func `is published again from what a topic lost, though a rewind to a later position was interrupted there`(
        _ broker: Broker
    ) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            var relay = pipeline.relay()
            let consumer = pipeline.consumer()
            try await pipeline.say(owner, 1...10)
            try await pipeline.hear(owner, 1...10)
            await relay.stop()
            await consumer.stop()
            try await pipeline.kafka.reset()
            try await Relay.rewind(pipeline.sender, to: 8)
            // The relay comes as far as its first move of the cursor, and cannot read the log.
            try await pipeline.sql("alter table sender.events rename to events_away")
            relay = pipeline.relay()
            try await pipeline.until("the notes tell of the topic made anew") {
                try await pipeline.sql(
                    "select from sender.relay_partitions where partition = 0 and last_position = 0"
                ).count == 1
            }
            await relay.stop()
            try await pipeline.sql("alter table sender.events_away rename to events")
            _ = pipeline.relay()
            try await pipeline.until("the rewind is done") {
                try await pipeline.sql("select from sender.relay where rewind_to is null").count == 1
            }
            let last = try await pipeline.chain(0).map(\.epoch).max()
            let written = try await pipeline.chain(0).filter { $0.epoch == last }.compactMap(\.position)
            #expect(written == Array(1...10))
            try await pipeline.say(owner, 11...11)
            _ = pipeline.consumer()
            try await pipeline.hear(owner, 1...11)
        }
    }

    @Test(arguments: Broker.all)
    func `is written again when a database with an unfinished rewind took the place of the relay's`(
        _ broker: Broker
    ) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            let relay = pipeline.relay()
            _ = pipeline.consumer()
            try await pipeline.say(owner, 1...5)
            try await pipeline.hear(owner, 1...5)
            try await pipeline.until("the cursor is stored") {
                try await pipeline.sql("select from sender.relay where cursor = 5").count == 1
            }
            let epoch = try await pipeline.identity().epoch
            // All but the request stands as the relay knows it, and nothing new comes that would tell it.
            try await pipeline.sql("update sender.relay set rewind_to = 2")
            try await pipeline.until("the rewind is done") {
                try await pipeline.sql("select from sender.relay where rewind_to is null").count == 1
            }
            let written = try await pipeline.chain(0).filter { $0.epoch > epoch }.compactMap(\.position)
            #expect(written == [3, 4, 5])
            try await pipeline.until("the relay publishes") { relay.part.state == .publishing }
            try await pipeline.say(owner, 6...6)
            try await pipeline.hear(owner, 1...6)
        }
    }

    @Test(
        .stress, arguments: Broker.all,
        ["next_offset + 3", "next_offset - 4", "next_offset + 100000", "0", "next_offset + 6"])
    func `is followed on after the stored offset was moved`(_ broker: Broker, _ moved: String) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            _ = pipeline.relay()
            let consumer = pipeline.consumer()
            try await pipeline.say(owner, 1...5)
            try await pipeline.hear(owner, 1...5)
            await consumer.stop()
            try await pipeline.say(owner, 6...10)
            try await pipeline.until("all is published") {
                try await pipeline.chain(0).contains { $0.position == 10 }
            }
            try await pipeline.sql("update receiver.consumer_partitions set next_offset = \(moved) where partition = 0")
            _ = pipeline.consumer()
            try await pipeline.hear(owner, 1...10)
            try await pipeline.say(owner, 11...12)
            try await pipeline.hear(owner, 1...12)
        }
    }
}
