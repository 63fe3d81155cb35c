import Kafka
import Primitives
import Runtime
import Testing

extension Scenario {
    static let writing = [
        Scenario("a batch answers with the offsets of its records, in the order given") { cluster in
            let topic = try await cluster.topic(partitions: 3)
            let producer = try KafkaProducer(settings: cluster.settings)
            let records = (0..<30).map { index in
                OutgoingRecord(topic: topic, partition: Int32(index % 3), value: Array("\(index)".utf8))
            }
            let first = try await producer.send(records)
            #expect(first == (0..<30).map { Int64($0 / 3) })
            let second = try await producer.send(Array(records.prefix(3)))
            #expect(second == [10, 10, 10])
            #expect(try await producer.send([]) == [])
            await producer.close()
            let expected = stride(from: 1, to: 30, by: 3).map { "\($0)" } + ["1"]
            #expect(try await cluster.values(of: topic, partition: 1) == expected)
        },
        Scenario("keys, values, headers and time come back as they were, null apart from empty") { cluster in
            let topic = try await cluster.topic(partitions: 1)
            let before = Timestamp.now().milliseconds
            let producer = try KafkaProducer(settings: cluster.settings)
            let headers: [(String, [UInt8])] = [
                ("ce_id", Array("one".utf8)), ("ce_id", Array("two".utf8)), ("empty", []), ("raw", [0, 255, 10]),
            ]
            _ = try await producer.send([
                OutgoingRecord(topic: topic, partition: 0, key: [1, 0, 2], value: [0, 200], headers: headers),
                OutgoingRecord(topic: topic, partition: 0, key: nil, value: nil),
                OutgoingRecord(topic: topic, partition: 0, key: [], value: []),
            ])
            await producer.close()
            let reader = try PartitionReader(settings: cluster.settings)
            var records: [KafkaRecord] = []
            let end = try await reader.readToEnd(TopicPartition(topic: topic, partition: 0)) { records += $0 }
            await reader.close()
            try #require(records.count == 3 && end == 3)
            #expect(records.map(\.key) == [[1, 0, 2], nil, []])
            #expect(records.map(\.value) == [[0, 200], nil, []])
            #expect(records[0].headers.map(\.0) == headers.map(\.0))
            #expect(records[0].headers.map(\.1) == headers.map(\.1))
            #expect(records[0].header("ce_id") == "two")
            #expect(records[0].header("absent") == nil)
            #expect(records[1].headers.isEmpty)
            let after = Timestamp.now().milliseconds
            #expect(records.allSatisfy { (before...after).contains($0.timestampMs) })
        },
        Scenario("in-flight batches keep the order of their calls") { cluster in
            let topic = try await cluster.topic(partitions: 1)
            let producer = try KafkaProducer(settings: cluster.settings)
            let batches = (0..<40).map { batch in
                Loop.task {
                    try await producer.send(
                        (0..<25).map { index in
                            OutgoingRecord(topic: topic, partition: 0, value: Array("\(batch * 25 + index)".utf8))
                        })
                }
            }
            var offsets: [Int64] = []
            for batch in batches { offsets += try await batch.value }
            await producer.close()
            #expect(offsets == (0..<1000).map { Int64($0) })
            #expect(try await cluster.values(of: topic) == (0..<1000).map { "\($0)" })
        },
        Scenario("a full queue of the library holds a batch back, and loses nothing") { cluster in
            let topic = try await cluster.topic(partitions: 1)
            var settings = cluster.settings
            settings.options = [("queue.buffering.max.messages", "10")]
            let producer = try KafkaProducer(settings: settings)
            let values = (0..<500).map { "\($0)" }
            async let first = producer.send(
                values.map { OutgoingRecord(topic: topic, partition: 0, value: Array($0.utf8)) })
            async let second = producer.send([OutgoingRecord(topic: topic, partition: 0, value: Array("last".utf8))])
            #expect(try await first.count == 500)
            #expect(try await second.count == 1)
            await producer.close()
            #expect(try await Set(cluster.values(of: topic)) == Set(values + ["last"]))
        },
        Scenario("a closed producer says so") { cluster in
            let topic = try await cluster.topic(partitions: 1)
            let producer = try KafkaProducer(settings: cluster.settings)
            await producer.close()
            await producer.close()
            let error = await #expect(throws: KafkaError.self) {
                try await producer.send([OutgoingRecord(topic: topic, partition: 0, value: [])])
            }
            #expect(error?.code == .closed)
        },
    ]
}
