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

            // The next owner of the partition finds it too.
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
    func `keeps a key's order when an older database takes the place of its own between two releases`(
        _ broker: Broker
    ) async throws {
        let tables = ["head", "events", "consumer_partitions", "parked_messages"]
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            pipeline.hearer.faults = [2]
            _ = pipeline.relay()
            _ = pipeline.consumer()
            try await pipeline.say(owner, 1...4)
            try await pipeline.until("three are parked") { try await self.parked(pipeline).count == 3 }
            try await pipeline.script(
                tables.map { "create table public.early_\($0) as table receiver.\($0);" }.joined())
            pipeline.hearer.faults = []
            // The second one is gone from the table, and the third one is being handled.
            var (hasBegun, isSetBack) = (false, false)
            pipeline.hearer.before = { number in
                if number != 3 || hasBegun { return }
                hasBegun = true
                try await pipeline.script(
                    "set session_replication_role = replica; begin;"
                        + tables.map {
                            "delete from receiver.\($0);"
                                + "insert into receiver.\($0) overriding system value select * from public.early_\($0);"
                        }.joined() + "commit;")
                // Only now: a release that comes before it would be set back, too.
                isSetBack = true
            }
            let release = "update receiver.parked_messages set release = true where reason = 'bad-number'"
            try await pipeline.sql(release)
            try await pipeline.until("it is set back") { isSetBack }
            try await pipeline.sql(release)
            try await pipeline.hear(owner, 1...4)
            #expect(try await parked(pipeline).isEmpty)
            try await pipeline.say(owner, 5...5)
            try await pipeline.hear(owner, 1...5)
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
            // The successor that cannot be handled either stays parked, with what follows it.
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
    func `takes a record whose key has no room in an index, under a hash of it`(_ broker: Broker) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            _ = pipeline.relay()
            _ = pipeline.consumer()
            try await pipeline.say(owner, 1...1)
            try await pipeline.hear(owner, 1...1)
            // Letters that do not compress, as a server that has no room for them would do first.
            let long = (0..<3_800).map { _ in UInt8.random(in: 33...126) }
            try await pipeline.kafka.write(
                [long, long, long + [33]].enumerated().map { number, key in
                    OutgoingRecord(
                        topic: pipeline.kafka.topic.name, partition: 0, key: key, value: [UInt8(number)], headers: [])
                })
            try await pipeline.say(owner, 2...2)
            try await pipeline.hear(owner, 1...2)
            #expect(try await parked(pipeline).count == 3)
            let keys = try await pipeline.sql("select distinct key from receiver.parked_messages").map { $0.text(0) }
            #expect(keys.count == 2 && keys.allSatisfy { $0.hasPrefix("long/380") && $0.utf8.count < 40 })

            // Dropped by an operator, they are gone, each in its turn.
            try await pipeline.sql("update receiver.parked_messages set dropped = true")
            try await pipeline.until("none is left") { try await self.parked(pipeline).isEmpty }
        }
    }

    @Test func `has room for any key, also one that an older program hands over as it is`() async throws {
        try await Pipeline.run(.development) { pipeline in
            try await pipeline.script(
                """
                set search_path = receiver;
                insert into consumer_partitions (topic, partition, epoch) values ('t', 0, 1);
                create table public.long as select string_agg(md5(i::text), '') as key from generate_series(1, 200) i;
                select row_park(json_build_object('topic', 't', 'partition', 0, 'offset', i, 'key', key,
                        'identity', i::text, 'type', '', 'reason', 'foreign-record', 'headers', '[]'::json, 'value', ''))
                    from public.long, generate_series(1, 2) i;
                select row_unpark('{"topic": "t", "partition": 0, "identity": "1", "epoch": 1}');
                """)
            let left = try await pipeline.sql("select identity, release from receiver.parked_messages")
            #expect(left.map { $0.text(0) } == ["2"])
            #expect(left[0].bool(1), "the release goes on to the key's next message")
        }
    }

    @Test(.stress, arguments: Broker.all)
    func `meets a message that killed its process three times`(_ broker: Broker) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            _ = pipeline.relay()
            try await pipeline.publish(owner, 1...3)
            try await endUncleanly(pipeline)
            // What crashes leave: a second and a third one during the message, after the first, which was not counted.
            for _ in 2...3 {
                try await meet(pipeline, 1)
                try await endUncleanly(pipeline, during: true)
            }
            _ = pipeline.consumer()
            try await pipeline.until("all three are parked") { try await self.parked(pipeline).count == 3 }
            #expect(try await parked(pipeline) == ["killed-the-process", "successor", "successor"])
            #expect(try await pipeline.heard(of: owner).isEmpty)
        }
    }

    @Test(.stress, arguments: Broker.all)
    func `does not come of deaths that other messages saw, even of such as need nothing done`(_ broker: Broker)
        async throws
    {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            _ = pipeline.relay()
            pipeline.hearer.ignored = [1, 2, 3, 4, 5]
            for number in 1...5 as ClosedRange<Int64> {
                try await endUncleanly(pipeline)
                let consumer = pipeline.consumer()
                try await pipeline.say(owner, [number])
                try await pipeline.until("it was met and passed") {
                    try await pipeline.sql(
                        "select from receiver.consumer_partitions where partition = 0 and seen = \(number)"
                    ).count == 1
                }
                await consumer.stop()
            }
            _ = pipeline.consumer()
            try await pipeline.say(owner, [6])
            try await pipeline.hear(owner, [6])
            #expect(try await parked(pipeline).isEmpty)
        }
    }

    @Test(.stress, arguments: Broker.all)
    func `is not caused by clean ends, but crashes are counted before the message is handled`(_ broker: Broker)
        async throws
    {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            _ = pipeline.relay()
            try await pipeline.publish(owner, 1...2)
            for _ in 1...3 {
                try await endUncleanly(pipeline)
                #expect(try await meet(pipeline, 1) == 1)
            }
            _ = pipeline.consumer()
            try await pipeline.hear(owner, 1...2)
            #expect(try await parked(pipeline).isEmpty)
        }
    }

    /// Leaves the first partition as a process does that crashes.
    ///
    /// - Parameter during: whether a counted attempt was under way, which a clean end takes off the count.
    private func endUncleanly(_ pipeline: Pipeline, during attempt: Bool = false) async throws {
        try await pipeline.sql(
            """
            insert into receiver.consumer_partitions (topic, partition, epoch, clean)
            values ('\(pipeline.kafka.topic.name)', 0, 3, false)
            on conflict (topic, partition) do update
            set clean = false, attempts = consumer_partitions.attempts + \(attempt ? 1 : 0)
            """)
    }

    /// Runs a consumer up to the moment at which it handles a number, and ends it there cleanly.
    ///
    /// - Returns: the count of attempts that was stored at that moment.
    @discardableResult
    private func meet(_ pipeline: Pipeline, _ wanted: Int64) async throws -> Int64 {
        var counted: Int64?
        pipeline.hearer.before = { number in
            guard number == wanted else { return }
            counted = try await pipeline.sql(
                "select attempts from receiver.consumer_partitions where partition = 0")[0].int(0)
            try await Loop.sleep(for: .seconds(600))
        }
        let consumer = pipeline.consumer()
        try await pipeline.until("the message is being handled") { counted != nil }
        await consumer.stop()
        pipeline.hearer.before = { _ in }
        return counted ?? 0
    }

    @Test(arguments: Broker.all)
    func `keeps suspecting what an earlier owner died with, also after an orderly end in between`(_ broker: Broker)
        async throws
    {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            var tries = 0
            pipeline.hearer.before = { _ in
                tries += 1
                throw RetriableFailure("provider-down", "Wait for it.")
            }
            _ = pipeline.relay()
            let first = pipeline.consumer()
            try await pipeline.say(owner, 1...1)
            try await pipeline.until("it is begun") { tries > 0 }
            await first.stop()
            // As a process leaves it that was killed.
            try await pipeline.sql("update receiver.consumer_partitions set clean = false where partition = 0")
            let second = pipeline.consumer()
            let seen = tries
            try await pipeline.until("it is begun again") { tries > seen }
            await second.stop()
            #expect(
                try await pipeline.sql("select partition from receiver.consumer_partitions where not clean").map {
                    $0.int(0)
                } == [0])
            pipeline.hearer.before = { _ in }
            let third = pipeline.consumer()
            try await pipeline.hear(owner, 1...1)
            await third.stop()
            #expect(try await pipeline.sql("select from receiver.consumer_partitions where not clean").isEmpty)
        }
    }
}
