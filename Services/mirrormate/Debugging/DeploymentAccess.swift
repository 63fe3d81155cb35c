import Kafka
import Postgres

/// How the databases and Kafka of a deployment are reached: of a local stack, or from the tools container of a compose one.
struct DeploymentAccess {
    let kafka: KafkaSettings
    private let host: String
    private let port: Int
    private let database: String
    /// The public halves of identity's announcement keys, PEM; nil where nobody has made any.
    let announcementKeys: String?
    private let secret: (String) throws(Failure) -> String

    init(_ arguments: Arguments) throws {
        if ComposeDeployment.isHere {
            host = Variables["DATABASE_HOST"] ?? "postgres"
            port = Variables["DATABASE_PORT"].flatMap { Int($0) } ?? 5_432
            database = Variables["DATABASE_NAME"] ?? "mirrormate"
            kafka = KafkaSettings(
                bootstrap: Variables["KAFKA_BOOTSTRAP_SERVERS"] ?? "kafka:9092", clientID: "mirrormate", kind: .apache)
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
        let settings = try Settings(arguments)
        let record = StackRecord.load(settings.state)
        guard let port = record.ports["postgres"], !record.socket.isEmpty else {
            throw Failure(
                .configuration, "no-stack", "There is no stack in \(settings.state.path).",
                advice: "`mirrormate up` makes one, or name its folder with --state DIR.")
        }
        host = record.socket
        self.port = Int(port)
        database = "mirrormate"
        kafka = KafkaSettings(
            bootstrap: record.kafkaBootstrap, clientID: "mirrormate",
            kind: record.kafkaKind == Broker.Kind.development.rawValue ? .development : .apache)
        announcementKeys = try Files.readText(settings.state.announcementKeys)
        secret = { (name) throws(Failure) in try settings.state.secretText(name) }
    }

    /// The settings of a role, with its password.
    func role(_ user: String, secret name: String) throws -> PostgresSettings {
        PostgresSettings(
            host: host, port: port, database: database, user: user, password: try secret(name),
            applicationName: "mirrormate")
    }
}
