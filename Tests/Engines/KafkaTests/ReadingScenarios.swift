import Kafka
import Primitives
import Runtime
import Testing

extension Scenario {
    static let reading = [
        Scenario("a reader reads from an offset to the end, one client for many partitions") { cluster in
            let topic = try await cluster.topic(partitions: 4)
            let reader = try PartitionReader(settings: cluster.settings)
            for partition in Int32(0)..<4 {
                let values = (0..<(10 * partition)).map { "\(partition)-\($0)" }
                if !values.isEmpty { try await cluster.write(values, to: topic, partition: partition) }
            }
            for partition in Int32(0)..<4 {
                let place = TopicPartition(topic: topic, partition: partition)
                let count = Int64(10 * partition)
                let watermarks = try await reader.watermarks(place)
                #expect(watermarks.low == 0 && watermarks.high == count)
                var values: [String] = []
                let end = try await reader.readToEnd(place, from: count / 2) { values += $0.map(\.text) }
                #expect(end == count)
                #expect(values == (count / 2..<count).map { "\(partition)-\($0)" })
            }
            await reader.close()
        },
        Scenario("a reader finds the record at an offset, and nothing where there is none") { cluster in
            let topic = try await cluster.topic(partitions: 1)
            let place = TopicPartition(topic: topic, partition: 0)
            try await cluster.write(["a", "b", "c"], to: topic)
            let reader = try PartitionReader(settings: cluster.settings)
            #expect(try await reader.record(at: 1, of: place)?.text == "b")
            #expect(try await reader.record(at: 0, of: place)?.text == "a")
            #expect(try await reader.record(at: 2, of: place)?.text == "c")
            #expect(try await reader.record(at: 3, of: place) == nil)
            #expect(try await reader.record(at: 400, of: place) == nil)
            #expect(try await reader.record(at: -1, of: place) == nil)
            await reader.close()
        },
        Scenario("a reader that has reached the end continues when records arrive") { cluster in
            let topic = try await cluster.topic(partitions: 1)
            try await cluster.write(["a"], to: topic)
            let reader = try PartitionReader(settings: cluster.settings)
            try await reader.assign(TopicPartition(topic: topic, partition: 0), from: 0)
            var steps: [String] = []
            for _ in 0..<2 { steps.append(try await reader.next().summary) }
            #expect(steps == ["a", "end 1"])
            try await cluster.write(["b", "c"], to: topic)
            steps = []
            while steps.last != "end 3" {
                let step = try await reader.next().summary
                // The end is reported again whenever a fetch returns empty.
                if step != "end 1" { steps.append(step) }
            }
            #expect(steps.joined(separator: ",") == "b,c,end 3")
            await reader.close()
        },
        Scenario("an offset that the partition does not hold is an error for a reader") { cluster in
            let topic = try await cluster.topic(partitions: 1)
            try await cluster.write(["a"], to: topic)
            let reader = try PartitionReader(settings: cluster.settings)
            try await reader.assign(TopicPartition(topic: topic, partition: 0), from: 99)
            let error = await #expect(throws: KafkaError.self) { try await reader.next() }
            #expect(error?.code == .offsetOutOfRange)
            await reader.close()
            let closed = await #expect(throws: KafkaError.self) { try await reader.next() }
            #expect(closed?.code == .closed)
        },
    ]

    static let apacheOnly = [
        Scenario("topics are made once; another number of partitions is refused") { cluster in
            let topic = try await cluster.topic(partitions: 3)
            let admin = try KafkaAdmin(settings: cluster.settings)
            try await admin.createTopics([TopicDefinition(name: topic, partitions: 3)])
            #expect(try await admin.partitionCount(of: topic) == 3)
            #expect(try await admin.partitionCount(of: topic + "-absent") == nil)
            #expect(try await !admin.cluster().brokers.isEmpty)
            let error = await #expect(throws: KafkaError.self) {
                try await admin.createTopics([TopicDefinition(name: topic, partitions: 4)])
            }
            #expect(error?.code == .wrongPartitionCount)
            await admin.close()
        },
        Scenario("a topic that wants more brokers than there are is tried until it is there, or ends with the cause") {
            cluster in
            let admin = try KafkaAdmin(settings: cluster.settings)
            let wide = TopicDefinition(name: "test-\(UUID.v4())", partitions: 1, replication: 30)
            let error = await #expect(throws: KafkaError.self) {
                try await admin.createTopics([wide], within: .seconds(2))
            }
            #expect(error?.isRetriable == true && error?.code != .timedOut)
            let waiting = Loop.task { try await admin.createTopics([wide]) }
            let others = try KafkaAdmin(settings: cluster.settings)
            try await others.createTopics([TopicDefinition(name: wide.name, partitions: 1)])
            try await waiting.value
            await others.close()
            await admin.close()
        },
        Scenario("an unknown topic is an error that names its cause") { cluster in
            let reader = try PartitionReader(settings: cluster.settings)
            let error = await #expect(throws: KafkaError.self) {
                try await reader.watermarks(TopicPartition(topic: "test-absent", partition: 0), within: .seconds(5))
            }
            #expect(error?.code == .unknownTopic)
            await reader.close()
        },
    ]
}

extension PartitionReader.Step {
    fileprivate var summary: String {
        switch self {
        case .records(let records): records.map(\.text).joined(separator: ",")
        case .end(let offset): "end \(offset)"
        }
    }
}
