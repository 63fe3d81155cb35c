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

@Suite(.timeLimit(.minutes(10))) @Loop struct `Parking` {
    private func parked(_ pipeline: Pipeline) async throws -> [String] {
        try await pipeline.sql("select reason from receiver.parked_messages order by id").map { $0.text(0) }
    }

    @Test(arguments: Broker.all)
    func `sets a message and its key's successors aside, not other keys and no erasure, until released`(
        _ broker: Broker
    ) async throws {
        try await Pipeline.run(broker) { pipeline in
            let (owner, other) = (pipeline.owner(), pipeline.owner())
            pipeline.hearer.faults = [2]
            _ = pipeline.relay()
            let consumer = pipeline.consumer()
            try await pipeline.say(owner, 1...4)
            try await pipeline.say(other, 11...13)
            try await pipeline.append([.gone(owner: owner, number: 5)])
            try await pipeline.hear(other, 11...13)
            try await pipeline.hear(owner, [1, 5])
            #expect(try await parked(pipeline) == ["bad-number", "successor", "successor"])

            // The next owner of the partition knows of it too.
            await consumer.stop()
            _ = pipeline.consumer(nil, pipeline.hearer)
            try await pipeline.say(owner, 6...6)
            try await pipeline.until("the successor is parked") { try await self.parked(pipeline).count == 4 }

            // A release that fails again keeps the message at the head.
            try await pipeline.sql("update receiver.parked_messages set release = true where reason = 'bad-number'")
            try await pipeline.until("it is kept") {
                try await pipeline.sql("select from receiver.parked_messages where release").isEmpty
            }
            #expect(try await parked(pipeline) == ["bad-number", "successor", "successor", "successor"])
            #expect(try await pipeline.heard(of: owner) == [1, 5])

            pipeline.hearer.faults = []
            try await pipeline.sql("update receiver.parked_messages set release = true where reason = 'bad-number'")
            try await pipeline.hear(owner, [1, 5, 2, 3, 4, 6])
            #expect(try await parked(pipeline).isEmpty)
            try await pipeline.say(owner, 7...8)
            try await pipeline.hear(owner, [1, 5, 2, 3, 4, 6, 7, 8])
        }
    }

    @Test(arguments: Broker.all)
    func `lets a dropped message go and its successors come`(_ broker: Broker) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            pipeline.hearer.faults = [2, 4]
            _ = pipeline.relay()
            _ = pipeline.consumer()
            try await pipeline.say(owner, 1...5)
            try await pipeline.until("four are parked") { try await self.parked(pipeline).count == 4 }
            try await pipeline.sql("update receiver.parked_messages set dropped = true where reason = 'bad-number'")
            try await pipeline.hear(owner, [1, 3])
            // The successor that is itself unfit stays, with what is behind it.
            try await pipeline.until("it is kept") {
                try await pipeline.sql("select from receiver.parked_messages where release").isEmpty
            }
            #expect(try await parked(pipeline).count == 2)
            try await pipeline.sql(
                """
                update receiver.parked_messages set dropped = true
                where id = (select min(id) from receiver.parked_messages)
                """)
            try await pipeline.hear(owner, [1, 3, 5])
            #expect(try await parked(pipeline).isEmpty)
        }
    }

    @Test(arguments: Broker.all)
    func `takes a record that is no relay's, and what cannot be read`(_ broker: Broker) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            _ = pipeline.relay()
            _ = pipeline.consumer()
            try await pipeline.say(owner, 1...1)
            try await pipeline.hear(owner, 1...1)
            try await pipeline.kafka.write([
                OutgoingRecord(
                    topic: pipeline.kafka.topic.name, partition: 0, key: [0, 255], value: [1, 0, 2],
                    headers: [("a", [0]), ("ce_type", [0, 65])])
            ])
            try await pipeline.say(owner, 2...2)
            try await pipeline.hear(owner, 1...2)
            #expect(try await parked(pipeline) == ["foreign-record"])
        }
    }

    @Test(arguments: Broker.all)
    func `meets a message that killed its process three times`(_ broker: Broker) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            _ = pipeline.relay()
            try await pipeline.say(owner, 1...3)
            // The first death was not counted, two were.
            try await pipeline.sql(
                """
                insert into receiver.consumer_partitions (topic, partition, epoch, clean, attempts)
                values ('\(pipeline.kafka.topic.name)', 0, 3, false, 2)
                """)
            _ = pipeline.consumer()
            try await pipeline.until("all three are parked") { try await self.parked(pipeline).count == 3 }
            #expect(try await parked(pipeline) == ["killed-the-process", "successor", "successor"])
            #expect(try await pipeline.heard(of: owner).isEmpty)
        }
    }

    @Test(arguments: Broker.all)
    func `does not come of orderly ends, but deaths are counted before the message is handled`(_ broker: Broker)
        async throws
    {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            _ = pipeline.relay()
            try await pipeline.say(owner, 1...2)
            try await pipeline.sql(
                """
                insert into receiver.consumer_partitions (topic, partition, epoch, clean)
                values ('\(pipeline.kafka.topic.name)', 0, 3, false)
                """)
            var counted: [Int64] = []
            pipeline.hearer.before = { number in
                guard number == 1 else { return }
                counted.append(
                    try await pipeline.sql("select attempts from receiver.consumer_partitions where partition = 0")[0]
                        .int(
                            0))
                try await Loop.sleep(for: .seconds(600))
            }
            for round in 1...3 {
                let consumer = pipeline.consumer()
                try await pipeline.until("the message is being handled") { counted.count == round }
                await consumer.stop()
                // As an unclean end leaves it, but for the attempt, which was ended in order.
                try await pipeline.sql("update receiver.consumer_partitions set clean = false where partition = 0")
            }
            #expect(counted == [1, 1, 1])
            pipeline.hearer.before = { _ in }
            _ = pipeline.consumer()
            try await pipeline.hear(owner, 1...2)
            #expect(try await parked(pipeline).isEmpty)
            #expect(
                try await pipeline.sql("select from receiver.consumer_partitions where partition = 0 and attempts = 0")
                    .count == 1)
        }
    }
}
