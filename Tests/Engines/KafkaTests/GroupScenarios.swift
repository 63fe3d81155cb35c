import Kafka
import Primitives
import Runtime
import Testing

extension Scenario {
    static let groups = [
        Scenario("two members share the partitions, and one takes over when the other leaves") { cluster in
            let topic = try await cluster.topic(partitions: 4)
            let group = "group-\(UUID.v4())"
            let offsets = GroupMember.Offsets()
            let first = try GroupMember(cluster.settings, group: group, topics: [topic], offsets: offsets)
            try await first.until { $0.assigned.count == 4 }
            for partition in Int32(0)..<4 {
                try await cluster.write(["1-\(partition)"], to: topic, partition: partition)
            }
            try await first.until { $0.values.count == 4 }

            let second = try GroupMember(cluster.settings, group: group, topics: [topic], offsets: offsets)
            try await second.until { $0.assigned.count == 2 }
            try await first.until { $0.assigned.count == 2 }
            #expect(first.assigned.isDisjoint(with: second.assigned))
            for partition in Int32(0)..<4 {
                try await cluster.write(["2-\(partition)"], to: topic, partition: partition)
            }
            try await first.until { $0.values.count == 6 }
            try await second.until { $0.values.count == 2 }

            await first.close()
            try await second.until { $0.assigned.count == 4 }
            for partition in Int32(0)..<4 {
                try await cluster.write(["3-\(partition)"], to: topic, partition: partition)
            }
            try await second.until { $0.values.count == 6 }
            await second.close()
            let all = (first.values + second.values).sorted()
            #expect(all == (1...3).flatMap { round in (0..<4).map { "\(round)-\($0)" } })
        },
        Scenario("an offset out of range is reported, and seeking fixes it") { cluster in
            let topic = try await cluster.topic(partitions: 1)
            let place = TopicPartition(topic: topic, partition: 0)
            try await cluster.write(["a", "b"], to: topic)
            let offsets = GroupMember.Offsets()
            offsets.next[place] = 77
            let member = try GroupMember(
                cluster.settings, group: "group-\(UUID.v4())", topics: [topic], offsets: offsets)
            try await member.until { !$0.outOfRange.isEmpty }
            #expect(member.outOfRange == [place])
            #expect(member.values.isEmpty)
            try member.consumer.seek(place, to: KafkaOffset.beginning)
            try await member.until { $0.values.count == 2 }
            #expect(member.values == ["a", "b"])
            #expect(member.consumer.knownEnd(of: place) == 2)
            await member.close()
        },
        Scenario("a paused partition returns nothing, and continues without a gap when resumed") { cluster in
            let topic = try await cluster.topic(partitions: 2)
            let (held, free) = (TopicPartition(topic: topic, partition: 0), TopicPartition(topic: topic, partition: 1))
            try await cluster.write((0..<300).map { "held-\($0)" }, to: topic, partition: 0)
            let consumer = try KafkaConsumer(
                settings: cluster.settings, group: "group-\(UUID.v4())", topics: [topic])
            guard case .assigned(let partitions) = try await consumer.next() else {
                Issue.record("The first event must be the assignment.")
                return
            }
            try consumer.assign(partitions.map { ($0, 0) })
            // A small limit, so that the rest has been read ahead when the partition is paused.
            var seen = try await consumer.values(limit: 7)
            try consumer.pause([held])
            try await cluster.write(["free"], to: topic, partition: 1)
            let whilePaused = try await consumer.values(limit: 500)
            #expect(whilePaused == ["free"])
            try consumer.resume([held])
            while seen.count < 300 { seen += try await consumer.values(limit: 50) }
            #expect(seen == (0..<300).map { "held-\($0)" })
            #expect(consumer.knownEnd(of: free) == 1)
            await consumer.close()
            let closed = await #expect(throws: KafkaError.self) { try await consumer.next() }
            #expect(closed?.code == .closed)
        },
        Scenario("a cancelled wait loses nothing") { cluster in
            let topic = try await cluster.topic(partitions: 1)
            let consumer = try KafkaConsumer(
                settings: cluster.settings, group: "group-\(UUID.v4())", topics: [topic])
            guard case .assigned(let partitions) = try await consumer.next() else {
                Issue.record("The first event must be the assignment.")
                return
            }
            try consumer.assign(partitions.map { ($0, 0) })
            let waiting = Loop.task { try await consumer.next() }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
            try await cluster.write(["a"], to: topic)
            #expect(try await consumer.values(limit: 10) == ["a"])
            await consumer.close()
        },
    ]
}

extension KafkaConsumer {
    /// The values of the next records.
    fileprivate func values(limit: Int) async throws -> [String] {
        while true {
            if case .records(let records) = try await next(limit: limit) { return records.map(\.text) }
        }
    }
}
