package import Configuration
package import Contracts
package import Kafka
package import Postgres
import Primitives

/// What every service reads from its environment.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `DATABASE_HOST` | text | required | the server of the database; a folder is a Unix socket's |
/// | `DATABASE_PORT` | number | 5432 | the server's port |
/// | `DATABASE_NAME` | text | mirrormate | the database |
/// | `DATABASE_USER` | text | the service's name | the service's login role |
/// | `DATABASE_PASSWORD` | secret | required | the password of that role |
/// | `MIGRATION_DATABASE_USER` | text | none | for `migrate` alone: a role that may become the schema's owner |
/// | `MIGRATION_DATABASE_PASSWORD` | secret | none | the password of that role |
/// | `KAFKA_BOOTSTRAP_SERVERS` | text | required | the brokers |
/// | `KAFKA_KIND` | choice | apache | what they are, `apache` or `development` |
/// | `HTTP_HOST` | text | 127.0.0.1 | where clients are served |
/// | `HTTP_PORT` | port | 0 | the port for them; 0 takes a free one |
/// | `ADMIN_HOST` | text | 127.0.0.1 | where operators are served |
/// | `ADMIN_PORT` | port | 0 | the port for them; 0 takes a free one |
/// | `API_DOCUMENTS` | folder | none | the API's description, served at `/openapi.json` and `/docs` |
/// | `OPERATOR_KEY` | secret | none | lets operators change things on the admin port; without it they cannot |
/// | `ANNOUNCEMENT_KEYS` | secret | none | the public halves of identity's announcement keys, PEM; needed to serve |
/// | `PUBLIC_URL` | web address | http://127.0.0.1 | the only address that clients see |
/// | `SHUTDOWN_DEADLINE` | duration | 10s | how long requests may take to finish at the end |
/// | `SIGNING_KEY_WAIT` | duration | 2s | how long a token with an unknown key waits for the key to arrive |
///
/// A secret may lie in a file instead, which the variable with `_FILE` behind its name names.
package struct ServiceSettings: Sendable {
    package let service: ServiceName
    package var database: PostgresSettings
    package let migration: PostgresSettings?
    package let kafka: KafkaSettings
    package let httpHost: String
    package let httpPort: Int
    package let adminHost: String
    package let adminPort: Int
    package let operatorKey: Secret?
    /// The folder with the API's description; without it none is served.
    package let documents: String?
    package let publicURL: String
    package let shutdownDeadline: Duration
    /// The public halves of identity's announcement keys.
    package let announcementKeys: AnnouncementKeys
    /// How long a token with an unknown key waits for the key to arrive.
    package let keyWait: Duration

    private enum Brokers: String, CaseIterable { case apache, development }

    /// Reads the variables; problems stay in `environment` until it is finished.
    ///
    /// - Parameter believes: whether messages are going to be believed, so that the announcement keys must be there.
    package init(_ service: ServiceName, _ environment: Environment, believes: Bool = false) {
        self.service = service
        var database = PostgresSettings(
            host: environment.string("DATABASE_HOST"), port: environment.int("DATABASE_PORT", default: 5432),
            database: environment.string("DATABASE_NAME", default: "mirrormate"),
            user: environment.string("DATABASE_USER", default: service.rawValue),
            password: environment.secret("DATABASE_PASSWORD").reveal(), applicationName: service.rawValue)
        database.passwordFile = environment.optional("DATABASE_PASSWORD_FILE")
        if let user = environment.optional("MIGRATION_DATABASE_USER") {
            var settings = database
            settings.user = user
            settings.passwordFile = nil
            settings.password = environment.optionalSecret("MIGRATION_DATABASE_PASSWORD")?.reveal() ?? ""
            migration = settings
        } else {
            migration = nil
        }
        database = database.with("search_path", service.rawValue)
        self.database = database
        kafka = KafkaSettings(
            bootstrap: environment.string("KAFKA_BOOTSTRAP_SERVERS"), clientID: service.rawValue,
            kind: environment.choice("KAFKA_KIND", default: Brokers.apache) == .apache ? .apache : .development)
        httpHost = environment.string("HTTP_HOST", default: "127.0.0.1")
        httpPort = environment.port("HTTP_PORT", default: 0)
        adminHost = environment.string("ADMIN_HOST", default: "127.0.0.1")
        adminPort = environment.port("ADMIN_PORT", default: 0)
        operatorKey = environment.optionalSecret("OPERATOR_KEY")
        announcementKeys = AnnouncementKeys(environment, isNeeded: believes)
        documents = environment.optional("API_DOCUMENTS")
        publicURL = environment.webAddress("PUBLIC_URL", default: "http://127.0.0.1")
        shutdownDeadline = environment.duration("SHUTDOWN_DEADLINE", default: .seconds(10))
        keyWait = environment.duration("SIGNING_KEY_WAIT", default: .seconds(2))
    }
}
