import Glibc
import Kafka
import Primitives
import Runtime
import Testing

/// A broker for one scenario, with its own topics.
@Loop final class TestCluster {
    let settings: KafkaSettings
    /// Nil on Apache Kafka.
    let mock: MockBroker?

    /// A fresh development broker.
    static func development() throws -> TestCluster {
        let mock = try MockBroker()
        return TestCluster(mock.settings, mock)
    }

    /// The Apache Kafka named by the environment.
    static func apache() throws -> TestCluster {
        TestCluster(KafkaSettings(bootstrap: try #require(apacheBootstrap)), nil)
    }

    private init(_ settings: KafkaSettings, _ mock: MockBroker?) {
        self.settings = settings
        self.mock = mock
    }

    /// Creates a topic that no other scenario uses.
    func topic(partitions: Int32) async throws -> String {
        let name = "test-\(UUID.v4())"
        let definition = TopicDefinition(name: name, partitions: partitions)
        if let mock {
            try mock.createTopic(definition)
        } else {
            let admin = try KafkaAdmin(settings: settings)
            try await admin.createTopics([definition])
            await admin.close()
        }
        return name
    }

    /// Writes one record per value and returns the offsets.
    @discardableResult
    func write(_ values: [String], to topic: String, partition: Int32 = 0) async throws -> [Int64] {
        let producer = try KafkaProducer(settings: settings)
        let offsets = try await producer.send(
            values.map { OutgoingRecord(topic: topic, partition: partition, value: Array($0.utf8)) })
        await producer.close()
        return offsets
    }

    /// The values of a partition from its beginning to its end.
    func values(of topic: String, partition: Int32 = 0) async throws -> [String] {
        let reader = try PartitionReader(settings: settings)
        var values: [String] = []
        _ = try await reader.readToEnd(TopicPartition(topic: topic, partition: partition)) {
            values += $0.map(\.text)
        }
        await reader.close()
        return values
    }
}

/// The address of the Apache Kafka to test with; nil if there is none.
let apacheBootstrap = getenv("KAFKA_TEST_BOOTSTRAP").map { String(cString: $0) }

extension KafkaRecord {
    /// The value as a string.
    var text: String { String(decoding: value ?? [], as: UTF8.self) }
}
