import Configuration
import Testing

@testable import Kafka

@Suite("How long a member that died keeps its partitions") struct SettingsTests {
    private func read(_ timeout: String?) throws -> KafkaSettings {
        var variables = ["KAFKA_BOOTSTRAP_SERVERS": "kafka:9092"]
        variables["KAFKA_SESSION_TIMEOUT"] = timeout
        let environment = Environment(variables)
        let settings = KafkaSettings(environment, clientID: "test")
        try environment.finish()
        return settings
    }

    @Test(arguments: [(nil, "10000", "1000"), ("3s", "3000", "1000"), ("30m", "1800000", "1000")])
    func `is told to the brokers, with several heartbeats in it`(
        timeout: String?, session: String, heartbeat: String
    ) throws {
        let settings = try read(timeout)
        let times = GroupTimes(sessionTimeout: settings.sessionTimeout)
        let options = KafkaConsumer.options("group", times, settings.kind)
        #expect(options.first { $0.name == "session.timeout.ms" }?.value == session)
        #expect(options.first { $0.name == "heartbeat.interval.ms" }?.value == heartbeat)
    }

    @Test(arguments: ["2999ms", "31m", "0s", "long"]) func `is refused where it cannot be kept`(timeout: String) {
        #expect(throws: ConfigurationError.self) { try read(timeout) }
    }
}
