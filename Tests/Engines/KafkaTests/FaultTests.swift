import Kafka
import Primitives
import Runtime
import Testing
import TestingTools

/// What happens when the broker misbehaves; only the development broker does so on demand.
@Suite("When the broker fails", .timeLimit(.minutes(10)))
@Loop struct FaultTests {
    private let broker: MockBroker
    private let topic = "test"
    private let cluster: TestCluster

    init() throws {
        cluster = try TestCluster.development()
        broker = try #require(cluster.mock)
        try broker.createTopic(TopicDefinition(name: topic, partitions: 1))
    }

    private func record(_ value: String) -> OutgoingRecord {
        OutgoingRecord(topic: topic, partition: 0, value: Array(value.utf8))
    }

    @Test func `A batch waits while the broker is down, and arrives in order when it is up again`() async throws {
        let producer = try KafkaProducer(settings: broker.settings)
        #expect(try await producer.send([record("0")]) == [0])
        broker.setUp(false)
        let batches = (1...5).map { number in Loop.task { try await producer.send([record("\(number)")]) } }
        while producer.trouble == nil { try await Loop.sleep(for: .milliseconds(10)) }
        #expect(producer.trouble?.code == .unreachable)
        broker.setUp(true)
        var offsets: [Int64] = []
        for batch in batches { offsets += try await batch.value }
        #expect(offsets == [1, 2, 3, 4, 5])
        #expect(producer.trouble == nil)
        await producer.close()
        #expect(try await cluster.values(of: topic) == (0...5).map { "\($0)" })
        await broker.close()
    }

    @Test func `Passing faults are retried without loss or change of order`() async throws {
        let producer = try KafkaProducer(settings: broker.settings)
        broker.failNext(.produce, with: [.notEnoughReplicas, .disconnect, .requestTimedOut, .notLeader])
        let batches = (0..<20).map { number in Loop.task { try await producer.send([record("\(number)")]) } }
        for batch in batches { _ = try await batch.value }
        await producer.close()
        #expect(try await cluster.values(of: topic) == (0..<20).map { "\($0)" })
        await broker.close()
    }

    @Test func `A refused record fails its batch and every later one`() async throws {
        let producer = try KafkaProducer(settings: broker.settings)
        broker.failNext(.produce, with: [.topicUnauthorized])
        let batches = (0..<3).map { number in Loop.task { try await producer.send([record("\(number)")]) } }
        for batch in batches {
            let error = await #expect(throws: KafkaError.self) { try await batch.value }
            #expect(error?.code == .unauthorized)
        }
        #expect(producer.failure?.code == .unauthorized)
        let error = await #expect(throws: KafkaError.self) { try await producer.send([record("later")]) }
        #expect(error == producer.failure)
        await producer.close()
        await broker.close()
    }

    @Test func `A record that is too large is refused at once`() async throws {
        let producer = try KafkaProducer(settings: broker.settings)
        let large = OutgoingRecord(topic: topic, partition: 0, value: [UInt8](repeating: 65, count: 2_000_000))
        let error = await #expect(throws: KafkaError.self) { try await producer.send([large]) }
        #expect(error?.code == .tooLarge)
        await producer.close()
        await broker.close()
    }

    @Test func `A cancelled send ends without a broker, and leaves the producer unusable`() async throws {
        let producer = try KafkaProducer(settings: broker.settings)
        broker.setUp(false)
        let waiting = Loop.task { try await producer.send([record("0")]) }
        let behind = Loop.task { try await producer.send([record("1")]) }
        try await Loop.sleep(for: .milliseconds(1))
        waiting.cancel()
        for task in [waiting, behind] {
            let error = await #expect(throws: KafkaError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        }
        #expect(producer.failure?.code == .cancelled)
        await producer.close()
        await broker.close()
    }

    @Test func `Closing fails the in-flight batches`() async throws {
        let producer = try KafkaProducer(settings: broker.settings)
        broker.setUp(false)
        let waiting = Loop.task { try await producer.send([record("0")]) }
        try await Loop.sleep(for: .milliseconds(1))
        await producer.close()
        let error = await #expect(throws: KafkaError.self) { try await waiting.value }
        #expect(error?.code == .closed)
        await broker.close()
    }

    @Test func `A reader gives up in the time allowed when no broker answers`() async throws {
        broker.setUp(false)
        let reader = try PartitionReader(settings: broker.settings)
        let place = TopicPartition(topic: topic, partition: 0)
        let unanswered = await #expect(throws: KafkaError.self) {
            try await reader.watermarks(place, within: .milliseconds(200))
        }
        #expect(unanswered?.isRetriable == true)
        try await reader.assign(place, from: 0)
        let error = await #expect(throws: KafkaError.self) { try await reader.next(within: .milliseconds(200)) }
        #expect(error?.isRetriable == true)
        await reader.close()
        await broker.close()
    }

    @Test(.stress) func `A member without records stays in its group beyond the poll interval`() async throws {
        let times = GroupTimes(sessionTimeout: .seconds(4), maxPollInterval: .seconds(4))
        let member = try GroupMember(broker.settings, group: "idle", topics: [topic], times: times)
        try await member.until { $0.assigned.count == 1 }
        try await Loop.sleep(for: .seconds(6))
        try await cluster.write(["a"], to: topic)
        try await member.until { !$0.values.isEmpty }
        #expect(member.values == ["a"])
        #expect(member.revocations == 0)
        #expect(member.failures.isEmpty)
        await member.close()
        await broker.close()
    }

    @Test func `A member continues reading when the broker is back`() async throws {
        let member = try GroupMember(broker.settings, group: "healing", topics: [topic])
        try await member.until { $0.assigned.count == 1 }
        broker.setUp(false)
        try await member.until { !$0.failures.isEmpty }
        #expect(member.failures.allSatisfy { $0.isRetriable && !$0.isFatal })
        broker.setUp(true)
        try await cluster.write(["a"], to: topic)
        try await member.until { !$0.values.isEmpty }
        #expect(member.values == ["a"])
        await member.close()
        await broker.close()
    }

    @Test(.stress) func `A member that stops polling loses its partitions and gets an error`() async throws {
        let times = GroupTimes(sessionTimeout: .seconds(4), maxPollInterval: .seconds(4))
        let consumer = try KafkaConsumer(settings: broker.settings, group: "away", topics: [topic], times: times)
        guard case .assigned(let partitions) = try await consumer.next() else {
            Issue.record("The first event must be the assignment.")
            return
        }
        try consumer.assign(partitions.map { ($0, KafkaOffset.beginning) })
        try await Loop.sleep(for: .seconds(6))
        guard case .failure(let error) = try await consumer.next() else {
            Issue.record("The absence must be reported first.")
            return
        }
        #expect(error.code == .polledTooLate)
        guard case .revoked(let lost, lost: let isLost) = try await consumer.next() else {
            Issue.record("The loss of the partitions must follow.")
            return
        }
        #expect(lost == partitions)
        #expect(isLost)
        try consumer.unassign()
        guard case .assigned(let again) = try await consumer.next() else {
            Issue.record("Asking for events again must join the group again.")
            return
        }
        #expect(again == partitions)
        await consumer.close()
        await broker.close()
    }

    @Test func `A missing topic on the development broker is for its process to make`() async throws {
        let admin = try KafkaAdmin(settings: broker.settings)
        try await admin.createTopics([TopicDefinition(name: topic, partitions: 1)])
        let error = await #expect(throws: KafkaError.self) {
            try await admin.createTopics([TopicDefinition(name: "missing", partitions: 1)])
        }
        #expect(error?.code == .unsupported)
        #expect(try await admin.partitionCount(of: "missing") == nil)
        await admin.close()
        await broker.close()
    }

    @Test func `A refused option is named without its value`() async throws {
        let settings = KafkaSettings(bootstrap: broker.bootstrap, options: [("no.such.option", "hidden-value")])
        let error = #expect(throws: KafkaError.self) { try KafkaProducer(settings: settings) }
        #expect(error?.code == .configuration)
        let text = "\(error.map { "\($0) \($0.debugDescription)" } ?? "")"
        #expect(text.contains("no.such.option"))
        #expect(!text.contains("hidden-value"))
        await broker.close()
    }
}
