import Contracts
import Glibc
import Kafka
import Primitives
import Runtime
import Testing

/// The kinds of Kafka on which every test runs.
enum Broker: String, Sendable, CustomTestStringConvertible {
    case development, apache

    var testDescription: String { self == .apache ? "Apache Kafka" : "development broker" }

    /// An Apache Kafka is tested too when `KAFKA_TEST_BOOTSTRAP` says where it is.
    static let all: [Broker] = apacheBootstrap == nil ? [.development] : [.development, .apache]
    /// Those whose topics can be made anew under their clients.
    static let lasting: [Broker] = apacheBootstrap == nil ? [] : [.apache]
    static let apacheBootstrap = getenv("KAFKA_TEST_BOOTSTRAP").map { String(cString: $0) }
}

/// A Kafka with one topic that no other test uses.
@Loop final class TestKafka {
    let kind: Broker
    let topic: Topic
    private(set) var settings: KafkaSettings
    private(set) var mock: MockBroker?

    init(_ kind: Broker, partitions: Int32) async throws {
        self.kind = kind
        topic = Topic(name: "mirrormate.sessions.t\(UUID.v4())", partitions: partitions)
        if kind == .development {
            let mock = try MockBroker(topics: [TopicDefinition(name: topic.name, partitions: partitions)])
            self.mock = mock
            settings = mock.settings
        } else {
            settings = KafkaSettings(bootstrap: try #require(Broker.apacheBootstrap))
            try await create()
        }
    }

    /// Removes all records: a new broker, or the topic created again.
    func reset() async throws {
        if kind == .development {
            await mock?.close()
            let mock = try MockBroker(topics: [TopicDefinition(name: topic.name, partitions: topic.partitions)])
            self.mock = mock
            settings = mock.settings
        } else {
            let admin = try KafkaAdmin(settings: settings)
            try await admin.deleteTopic(topic.name)
            await admin.close()
            try await create()
        }
    }

    private func create() async throws {
        let admin = try KafkaAdmin(settings: settings)
        try await admin.createTopics([TopicDefinition(name: topic.name, partitions: topic.partitions)])
        await admin.close()
    }

    /// All records of a partition.
    func records(_ partition: Int32) async throws -> [KafkaRecord] {
        let reader = try PartitionReader(settings: settings)
        var all: [KafkaRecord] = []
        _ = try await reader.readToEnd(TopicPartition(topic: topic.name, partition: partition)) { all += $0 }
        await reader.close()
        return all
    }

    /// Writes records by hand.
    func write(_ records: [OutgoingRecord]) async throws {
        let producer = try KafkaProducer(settings: settings)
        _ = try await producer.send(records)
        await producer.close()
    }

    func close() async { await mock?.close() }
}
