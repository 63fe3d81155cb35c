import Configuration
import Kafka
import Postgres
import ServiceKit

/// How the databases and Kafka of a deployment are reached: of a local stack, or from the tools container of a compose one.
struct DeploymentAccess {
    let kafka: KafkaSettings
    private let host: String
    private let port: Int
    private let database: String
    private let security: PostgresSecurity
    /// The public halves of identity's announcement keys, PEM; nil where nobody has made any.
    let announcementKeys: String?
    private let secret: (String) throws(Failure) -> String

    init(_ arguments: Arguments) throws {
        if ComposeDeployment.isHere {
            host = Variables["DATABASE_HOST"] ?? "postgres"
            port = Variables["DATABASE_PORT"].flatMap { Int($0) } ?? 5_432
            database = Variables["DATABASE_NAME"] ?? "mirrormate"
            let environment = Environment()
            kafka = KafkaSettings(environment, clientID: "mirrormate")
            security = ServiceSettings.databaseSecurity(environment)
            try Self.finish(environment)
            announcementKeys = try Files.readText("/run/secrets/announcement-keys")
            secret = { (name) throws(Failure) in
                guard let text = try Files.readText("/run/secrets/\(name)") else {
                    throw Failure(
                        .configuration, "no-secret", "The secret \(name) is not mounted.",
                        advice: "Name it among the secrets of this container.")
                }
                return String(text.prefix { $0 != "\n" })
            }
            return
        }
        let settings = try Settings(arguments, for: .look)
        let record = StackRecord.load(settings.state)
        guard let port = record.ports["postgres"], !record.socket.isEmpty else {
            throw Failure(
                .configuration, "no-stack", "There is no stack in \(settings.state.path).",
                advice: "`mirrormate up` makes one, or name its folder with --state DIR.")
        }
        host = record.socket
        self.port = Int(port)
        database = "mirrormate"
        security = .preferred
        let environment = Environment()
        kafka = KafkaSettings(
            bootstrap: record.kafkaBootstrap, clientID: "mirrormate",
            kind: record.kafkaKind == Broker.Kind.development.rawValue ? .development : .apache,
            security: record.kafkaKind == Broker.Kind.external.rawValue ? KafkaSecurity(environment) : .plaintext)
        try Self.finish(environment)
        announcementKeys = try settings.state.text(StateFolder.announcementKeysName)
        secret = { (name) throws(Failure) in try settings.state.secretText(name) }
    }

    private static func finish(_ environment: Environment) throws(Failure) {
        do {
            try environment.finish()
        } catch {
            throw Failure(.configuration, "configuration", "\(error)", advice: "Set it where mirrormate runs.")
        }
    }

    /// The settings of a role, with its password.
    func role(_ user: String, secret name: String) throws -> PostgresSettings {
        var settings = PostgresSettings(
            host: host, port: port, database: database, user: user, password: try secret(name),
            applicationName: "mirrormate")
        settings.security = security
        return settings
    }
}
