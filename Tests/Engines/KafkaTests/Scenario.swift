import Kafka
import Runtime
import Testing

/// Behavior that must be the same on the development broker and on Apache Kafka.
struct Scenario: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Loop @Sendable (TestCluster) async throws -> Void

    init(_ sentence: String, _ run: @escaping @Loop @Sendable (TestCluster) async throws -> Void) {
        testDescription = sentence
        self.run = run
    }

    static let all = writing + reading + groups
}

@Suite("On the development broker", .timeLimit(.minutes(10)))
@Loop struct DevelopmentBrokerTests {
    @Test(arguments: Scenario.all)
    func scenario(_ scenario: Scenario) async throws {
        let cluster = try TestCluster.development()
        try await scenario.run(cluster)
        await cluster.mock?.close()
    }
}

@Suite(
    "On Apache Kafka", .timeLimit(.minutes(10)),
    .enabled(if: apacheBootstrap != nil, "Set KAFKA_TEST_BOOTSTRAP to host:port of an Apache Kafka to run these."))
@Loop struct ApacheKafkaTests {
    @Test(arguments: Scenario.all + Scenario.apacheOnly)
    func scenario(_ scenario: Scenario) async throws {
        try await scenario.run(try TestCluster.apache())
    }
}
