package import Configuration
package import Contracts
package import HTTPServer
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
/// | `DATABASE_TLS` | choice | prefer | `prefer`, or `verify`: only a server with a certificate of the authority, for its name |
/// | `DATABASE_AUTHORITY_FILE` | file | required | for `verify`: PEM of the authority |
/// | `MIGRATION_DATABASE_USER` | text | none | for `migrate` alone: a role that may become the schema's owner |
/// | `MIGRATION_DATABASE_PASSWORD` | secret | none | the password of that role |
/// | `KAFKA_BOOTSTRAP_SERVERS` | text | required | the brokers |
/// | `KAFKA_KIND` | choice | apache | what they are, `apache` or `development` |
/// | `KAFKA_SESSION_TIMEOUT` | duration | 10s | how long an instance that died keeps others, and its successor, from its partitions; 3 s to 30 min, as far as the brokers let it (Apache Kafka: 6 s or more, unless told otherwise) |
/// | `KAFKA_ACCESS_CONTROL` | true or false | false | for `topics` alone: grants what the service needs to the name of its certificate, and takes from it what else it may do |
/// | `HTTP_HOST` | text | 127.0.0.1 | where clients are served |
/// | `HTTP_PORT` | port | 0 | the port for them; 0 takes a free one |
/// | `ADMIN_HOST` | text | 127.0.0.1 | where operators are served |
/// | `ADMIN_PORT` | port | 0 | the port for them; 0 takes a free one |
/// | `API_DOCUMENTS` | folder | none | the API's description, served at `/openapi.json` and `/docs` |
/// | `OPERATOR_KEY_HASH` | secret | none | SHA-256 of the key with which operators change things on the admin port, 64 hexadecimal digits; without it they cannot |
/// | `GATEWAY_KEY_HASH` | secret | none | SHA-256 of the key by which this service knows the gateway, 64 hexadecimal digits; without it nobody is believed who says a client's address |
/// | `ANNOUNCEMENT_KEYS` | secret | none | the public halves of identity's announcement keys, PEM; needed to serve |
/// | `PUBLIC_URL` | web address | http://127.0.0.1 | the only address that clients see |
/// | `SHUTDOWN_DEADLINE` | duration | 10s | how long requests may take to finish at the end |
/// | `SIGNING_KEY_WAIT` | duration | 2s | how long a token with an unknown key waits for the key to arrive |
/// | `TRUSTED_PROXIES` | text | none | whose word about a client's address counts (`X-Forwarded-For`): addresses and ranges in CIDR notation, with commas between; the gateway is one |
/// | `FRESH_SIGN_IN` | duration | 5m | how long after it somebody may do what cannot be undone |
/// | `COMPATIBLE_SURFACE` | true or false | true | whether `/auth/v1`, `/rest/v1`, `/storage/v1` and `/functions/v1` are there; they let nobody in before `mirrormate keys` has made a key |
/// | `COMPATIBLE_ANONYMOUS_READS` | true or false | true | whether a caller with the anon key alone may read and finalize the one session whose id they name, for an hour |
///
/// How the brokers are known and know the service: ``KafkaSecurity``. A secret may lie in a file instead, which the variable with `_FILE` after its name names.
package struct ServiceSettings: Sendable {
    package let service: ServiceName
    package var database: PostgresSettings
    package let migration: PostgresSettings?
    package let kafka: KafkaSettings
    /// The address of the S3 server, for `check` alone; nil for Amazon's, or for a folder.
    package let objectsAddress: String?
    /// Whether `topics` grants access as well; the brokers' authorizer must be on.
    package let grantsAccess: Bool
    package let httpHost: String
    package let httpPort: Int
    package let adminHost: String
    package let adminPort: Int
    /// The key of operators; nil for no operators.
    package let operatorKey: KeyHash?
    /// Who is believed about clients' addresses; nil for nobody.
    package let gatewayKey: KeyHash?
    /// The folder with the API's description; without it none is served.
    package let documents: String?
    package let publicURL: String
    /// Whether the compatible surface is there.
    package let hasCompatibleSurface: Bool
    /// Whether somebody with the anon key alone may read the one session whose id they name.
    package let hasAnonymousReads: Bool
    /// Who issues the access tokens of the compatible surface (`iss`).
    package var compatibleIssuer: String { publicURL + "/auth/v1" }
    package let shutdownDeadline: Duration
    /// The public halves of identity's announcement keys.
    package let announcementKeys: AnnouncementKeys
    /// How long a token with an unknown key waits for the key to arrive.
    package let keyWait: Duration
    /// How long after somebody has shown who they are they may do what cannot be undone.
    package let freshSignIn: Duration
    /// How many event streams may be open at once.
    package let eventStreams: EventStreamLimits
    /// Who is believed about the address of a client.
    package let trustedProxies: [AddressRange]

    private enum DatabaseTLS: String, CaseIterable { case prefer, verify }

    /// How the database server is known, by `DATABASE_TLS` and `DATABASE_AUTHORITY_FILE`.
    package static func databaseSecurity(_ environment: Environment) -> PostgresSecurity {
        switch environment.choice("DATABASE_TLS", default: DatabaseTLS.prefer) {
        case .prefer: .preferred
        case .verify: .verified(authority: environment.string("DATABASE_AUTHORITY_FILE"))
        }
    }

    /// Refuses the key itself, which services had before they knew it by its hash: left unread it would go on to lie with
    /// all of them.
    private static func refuseOperatorKey(_ environment: Environment) {
        for name in ["OPERATOR_KEY", "OPERATOR_KEY_FILE"] where environment.optional(name) != nil {
            environment.refuse(
                name,
                "is the key itself, which no service may have; set OPERATOR_KEY_HASH to its SHA-256 and unset \(name).")
        }
    }

    private static func addressRanges(_ name: String, _ environment: Environment) -> [AddressRange] {
        (environment.optional(name) ?? "").split(separator: ",").compactMap { part in
            let text = part.filter { $0 != " " }
            if let range = AddressRange(text) { return range }
            environment.refuse(name, "must be numeric addresses or ranges such as 10.0.0.0/8, with commas between.")
            return nil
        }
    }

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
        database.security = Self.databaseSecurity(environment)
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
        kafka = KafkaSettings(environment, clientID: service.rawValue)
        objectsAddress = environment.optional("S3_ENDPOINT")
        grantsAccess = environment.bool("KAFKA_ACCESS_CONTROL", default: false)
        httpHost = environment.string("HTTP_HOST", default: "127.0.0.1")
        httpPort = environment.port("HTTP_PORT", default: 0)
        adminHost = environment.string("ADMIN_HOST", default: "127.0.0.1")
        adminPort = environment.port("ADMIN_PORT", default: 0)
        operatorKey = KeyHash.read("OPERATOR_KEY_HASH", of: "the operators' key", environment)
        Self.refuseOperatorKey(environment)
        gatewayKey = KeyHash.read("GATEWAY_KEY_HASH", of: "the gateway's key", environment)
        announcementKeys = AnnouncementKeys(environment, isNeeded: believes)
        documents = environment.optional("API_DOCUMENTS")
        publicURL = environment.webAddress("PUBLIC_URL", default: "http://127.0.0.1")
        hasCompatibleSurface = environment.bool("COMPATIBLE_SURFACE", default: true)
        hasAnonymousReads = environment.bool("COMPATIBLE_ANONYMOUS_READS", default: true)
        shutdownDeadline = environment.duration("SHUTDOWN_DEADLINE", default: .seconds(10))
        keyWait = environment.duration("SIGNING_KEY_WAIT", default: .seconds(2))
        freshSignIn = environment.duration("FRESH_SIGN_IN", default: .seconds(300))
        eventStreams = EventStreamLimits(environment)
        trustedProxies = Self.addressRanges("TRUSTED_PROXIES", environment)
    }
}
