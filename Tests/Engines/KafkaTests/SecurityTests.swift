import Configuration
import Testing

@testable import Kafka

@Suite("How client and brokers know each other") struct SecurityTests {
    private func read(_ variables: [String: String]) throws -> KafkaSettings {
        let environment = Environment(variables.merging(["KAFKA_BOOTSTRAP_SERVERS": "kafka:9092"]) { $1 })
        let settings = KafkaSettings(environment, clientID: "test")
        try environment.finish()
        return settings
    }

    private func options(_ variables: [String: String]) throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: try read(variables).security.options.map { ($0.name, $0.value) })
    }

    @Test func `is said by nobody unless somebody asks for it`() throws {
        #expect(try options([:]).isEmpty)
        #expect(try read([:]).security.isOpen)
    }

    @Test func `is a certificate on both sides`() throws {
        let variables = [
            "KAFKA_SECURITY": "tls", "KAFKA_AUTHORITY_FILE": "/a.pem", "KAFKA_CERTIFICATE_FILE": "/c.pem",
        ]
        #expect(
            try options(variables) == [
                "security.protocol": "ssl", "ssl.endpoint.identification.algorithm": "https",
                "ssl.ca.location": "/a.pem",
                "ssl.certificate.location": "/c.pem", "ssl.key.location": "/c.pem",
            ])
        #expect(try !read(variables).security.isOpen)
    }

    @Test func `or a password, which is never sent without TLS`() throws {
        let variables = [
            "KAFKA_SECURITY": "sasl", "KAFKA_USER": "quota", "KAFKA_PASSWORD": "a long and random password",
        ]
        #expect(
            try options(variables) == [
                "security.protocol": "sasl_ssl", "ssl.endpoint.identification.algorithm": "https",
                "sasl.mechanism": "PLAIN", "sasl.username": "quota", "sasl.password": "a long and random password",
            ])
    }

    @Test(arguments: [
        ["KAFKA_SECURITY": "tls"], ["KAFKA_SECURITY": "sasl", "KAFKA_USER": "quota"], ["KAFKA_SECURITY": "ssl"],
        ["KAFKA_SECURITY": "tls", "KAFKA_CERTIFICATE_FILE": "/c.pem", "KAFKA_KIND": "development"],
    ])
    func `is refused when something is missing or does not fit`(variables: [String: String]) {
        #expect(throws: ConfigurationError.self) { try read(variables) }
    }
}
