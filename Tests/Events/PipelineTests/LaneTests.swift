import EventConsumer
import EventRelay
import EventSourcing
import EventStore
import Kafka
import Postgres
import Primitives
import Runtime
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `Messages of one partition` {
    @Test(arguments: Broker.all)
    func `are handled side by side, one after another of each key, and committed in their order`(_ broker: Broker)
        async throws
    {
        try await Pipeline.run(broker) { pipeline in
            let (owner, other) = (pipeline.owner(), pipeline.owner())
            var begun: [Int64] = []
            let news = Signal()
            // The first one ends only after the other key's have begun.
            pipeline.hearer.before = { number in
                begun.append(number)
                news.raise()
                while number == 1, !begun.contains(12) { try await news.wait(atMost: .seconds(1)) }
            }
            _ = pipeline.relay()
            try await pipeline.append([
                .said(owner: owner, number: 1), .said(owner: owner, number: 2), .said(owner: other, number: 11),
                .said(owner: pipeline.owner(), number: 12), .said(owner: other, number: 13),
            ])
            _ = pipeline.consumer()
            try await pipeline.until("all are heard") { try await pipeline.heard().count == 5 }
            #expect(try await pipeline.heard().map(\.number) == [1, 2, 11, 12, 13])
            let order = { (number: Int64) in begun.firstIndex(of: number)! }
            #expect(order(1) < order(2) && order(12) < order(2) && order(11) < order(13))
            let row = try await pipeline.sql("select seen from receiver.consumer_partitions where partition = 0")[0]
            #expect(row.int(0) == 5)
        }
    }

    @Test(arguments: Broker.all)
    func `wait in their places while one of them is held by trouble outside`(_ broker: Broker) async throws {
        try await Pipeline.run(broker) { pipeline in
            let (owner, other) = (pipeline.owner(), pipeline.owner())
            var failures = 0
            var hasBegun = false
            pipeline.hearer.before = { number in
                if number == 11 { hasBegun = true }
                // Held until the one after it has been handled as well, and once more.
                if number == 2, !hasBegun || failures < 2 {
                    failures += 1
                    throw RetriableFailure("provider-down", "Wait for it.")
                }
            }
            _ = pipeline.relay()
            try await pipeline.append([
                .said(owner: owner, number: 1), .said(owner: owner, number: 2), .said(owner: other, number: 11),
            ])
            let consumer = pipeline.consumer()
            try await pipeline.until("all are heard") { try await pipeline.heard().count == 3 }
            #expect(try await pipeline.heard().map(\.number) == [1, 2, 11])
            #expect(failures >= 2)
            #expect(try await pipeline.sql("select from receiver.parked_messages").isEmpty)
            await consumer.stop()
            #expect(try await pipeline.sql("select from receiver.consumer_partitions where not clean").isEmpty)
        }
    }

    /// A worker is given more than it keeps in memory, while its first message is held.
    @Test(arguments: Broker.all)
    func `that are many more than are read ahead wait in the topic, and all come in the end`(_ broker: Broker)
        async throws
    {
        try await Pipeline.run(broker) { pipeline in
            let owner = pipeline.owner()
            let others = (0..<40).map { _ in pipeline.owner() }
            let words = (0..<2_400).map { Word.said(owner: others[$0 % 40], number: Int64($0 / 40 + 1)) }
            try await pipeline.appendAtOnce([.said(owner: owner, number: 0)] + words)
            let relay = pipeline.relay()
            try await pipeline.until("all are published") { relay.part.cursor == 2_401 }
            let (held, news) = (LoopWait(), Signal())
            var hasBegun = false
            pipeline.hearer.before = { number in
                guard number == 0 else { return }
                hasBegun = true
                news.raise()
                try await held.wait()
            }
            let consumer = pipeline.consumer()
            while !hasBegun { try await news.wait(atMost: .seconds(20)) }
            try await pipeline.until("no more are read") { consumer.part.isHeldBack }
            held.resume()
            for other in others { try await pipeline.hear(other, 1...60) }
            try await pipeline.until("reading goes on") { !consumer.part.isHeldBack }
            #expect(try await pipeline.sql("select from receiver.parked_messages").isEmpty)
        }
    }

    @Test(arguments: Broker.all)
    func `in great number move the watermark in groups and are each handled once`(_ broker: Broker) async throws {
        try await Pipeline.run(broker) { pipeline in
            let owners = (0..<40).map { _ in pipeline.owner() }
            pipeline.hearer.faults = [7]
            try await pipeline.append(
                (0..<400).map { .said(owner: owners[$0 % 40], number: $0 == 200 ? 7 : Int64($0 / 40 * 10 + 1)) })
            _ = pipeline.relay()
            _ = pipeline.consumer()
            // The fifth of one key cannot be handled: it is set aside with the rest of its key.
            try await pipeline.until("all are heard or parked") {
                let parked = try await pipeline.sql("select from receiver.parked_messages").count
                return try await pipeline.heard().count + parked == 400
            }
            let numbers = (0..<10).map { Int64($0 * 10 + 1) }
            #expect(try await pipeline.heard(of: owners[0]) == Array(numbers[..<5]))
            for owner in owners.dropFirst() { #expect(try await pipeline.heard(of: owner) == numbers) }
            let batches = try await pipeline.sql("select count(distinct recorded_at) from receiver.events")[0].int(0)
            #expect(batches < 395)
        }
    }
}
