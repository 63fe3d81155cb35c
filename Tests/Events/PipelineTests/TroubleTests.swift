import EventConsumer
import EventRelay
import EventSourcing
import EventStore
import Kafka
import Postgres
import Primitives
import Runtime
import Testing
import TestingSupport
import TestingTools

@Suite(.timeLimit(.minutes(10))) @Loop struct `Trouble` {
    @Test(.stress) func `of a development broker that is nearly full is reported before it drops anything`()
        async throws
    {
        try await Pipeline.run(.development) { pipeline in
            let owner = pipeline.owner()
            let relay = pipeline.relay()
            for number in Int64(1)...24 {
                try await pipeline.append([.said(owner: owner, number: number, padding: 200_000)])
            }
            try await pipeline.until("the relay says so") { relay.part.state == .troubled("development-broker-full") }
            let chain = try await pipeline.chain(0)
            let messages = chain.compactMap(\.position)
            #expect(messages == Array(1...Int64(messages.count)) && messages.count > 15)
            // What fits is heard, and asking again writes nothing more.
            _ = pipeline.consumer()
            try await pipeline.hear(owner, messages)
            #expect(try await pipeline.chain(0).count == chain.count)
            #expect(relay.part.state == .troubled("development-broker-full"))
        }
    }

    @Test func `of a broker that is down lets an instance end cleanly, and otherwise keep its lease`() async throws {
        try await Pipeline.run(.development) { pipeline in
            let owner = pipeline.owner()
            var relay = pipeline.relay()
            _ = pipeline.consumer()
            try await pipeline.say(owner, 1...3)
            try await pipeline.hear(owner, 1...3)
            pipeline.kafka.mock?.setUp(false)
            try await pipeline.say(owner, 4...6)
            // A relay that waits for an acknowledgement must still end when it is cancelled.
            try await Loop.sleep(for: .milliseconds(300))
            await relay.stop()
            let epoch = try await pipeline.identity().epoch
            relay = pipeline.relay()
            // Longer than the lease lasts: it is renewed while the marks wait for the broker.
            try await Loop.sleep(for: .seconds(8))
            pipeline.kafka.mock?.setUp(true)
            try await pipeline.hear(owner, 1...6)
            #expect(try await pipeline.identity().epoch == epoch + 1)
        }
    }

    @Test(.stress, arguments: Broker.all)
    func `of all kinds at once loses nothing and doubles nothing`(_ broker: Broker) async throws {
        let seed = UInt64.random(in: 1...UInt64(Int64.max))
        print("seed of the broken connections: \(seed)")
        var random = SeededRandom(seed: seed)
        try await Pipeline.run(broker, partitions: 4) { pipeline in
            let owners = (0..<6).map { _ in UUID.v4() }
            _ = pipeline.relay()
            _ = pipeline.relay(ofItsOwn: true)
            _ = pipeline.consumer()
            _ = pipeline.consumer(nil, pipeline.secondHearer())
            try await pipeline.say(owners[0], 1...1)
            try await pipeline.hear(owners[0], 1...1)
            // 2,000 events, several at a time, while connections break.
            let saying = owners.enumerated().map { index, owner in
                Loop.task {
                    for number in Int64(index == 0 ? 2 : 1)...334 {
                        let id = UUID.v7()
                        let append = Append(
                            id: id, requestHash: [], metadata: .init(owner: nil, correlation: id, actor: "test"),
                            writes: [
                                StreamWrite(
                                    StreamName("word", id), expectedVersion: 0,
                                    events: [NewEvent(Word.said(owner: owner, number: number))])
                            ])
                        while true {
                            do {
                                try await pipeline.sender.append(append)
                                break
                            } catch AppendError.unavailable {}
                        }
                    }
                }
            }
            for _ in 1...12 {
                try await Loop.sleep(for: .milliseconds(Int64(random.next() % 400)))
                switch random.next() % 3 {
                case 0: pipeline.kafka.mock?.setUp(false)
                case 1: try await kill("sender", pipeline)
                default: try await kill("receiver", pipeline)
                }
                try await Loop.sleep(for: .milliseconds(Int64(random.next() % 400)))
                pipeline.kafka.mock?.setUp(true)
            }
            for task in saying { try await task.value }
            for owner in owners { try await pipeline.hear(owner, 1...334) }
            for partition in Int32(0)..<4 {
                // The valid records of the partition are one chain; a lease that broke off may have left more.
                var (last, epoch): (Int64, Int64) = (0, 0)
                for chain in try await pipeline.chain(partition) where chain.epoch >= epoch {
                    epoch = chain.epoch
                    guard case .message(let position, let previous) = chain.kind else { continue }
                    #expect(previous == last)
                    last = position
                }
            }
            #expect(try await pipeline.sql("select from receiver.parked_messages").isEmpty)
        }
    }

    private func kill(_ role: String, _ pipeline: Pipeline) async throws {
        try await pipeline.sql(
            """
            select pg_terminate_backend(pid) from pg_stat_activity
            where usename = '\(role)' and datname = current_database()
            """)
    }
}
