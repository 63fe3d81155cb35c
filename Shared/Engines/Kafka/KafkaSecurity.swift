package import Configuration

/// How a client and the brokers know each other.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `KAFKA_SECURITY` | choice | plaintext | `plaintext`, `tls` (both sides have a certificate), or `sasl` (user and password, SASL/PLAIN over TLS) |
/// | `KAFKA_AUTHORITY_FILE` | file | the system's | PEM of the authority that the brokers' certificates are from |
/// | `KAFKA_CERTIFICATE_FILE` | file | required | for `tls`: PEM with this client's private key and certificate |
/// | `KAFKA_USER` | text | required | for `sasl`: the user |
/// | `KAFKA_PASSWORD` | secret | required | for `sasl`: the password |
package enum KafkaSecurity: Sendable {
    /// Nobody is asked who they are, and whoever sits between reads along.
    case plaintext
    /// Both sides show a certificate of an authority that the other one trusts; `certificate` holds key and certificate.
    case tls(authority: String?, certificate: String)
    /// The broker shows a certificate, the client a user's password.
    case sasl(authority: String?, user: String, password: Secret)

    /// The variables, for whoever starts another process that reads them.
    package static let variables = [
        "KAFKA_SECURITY", "KAFKA_AUTHORITY_FILE", "KAFKA_CERTIFICATE_FILE", "KAFKA_USER", "KAFKA_PASSWORD",
        "KAFKA_PASSWORD_FILE",
    ]

    private enum Choice: String, CaseIterable { case plaintext, tls, sasl }

    /// Reads the variables; problems stay in `environment` until it is finished.
    package init(_ environment: Environment) {
        let authority = environment.optional("KAFKA_AUTHORITY_FILE")
        switch environment.choice("KAFKA_SECURITY", default: Choice.plaintext) {
        case .plaintext: self = .plaintext
        case .tls: self = .tls(authority: authority, certificate: environment.string("KAFKA_CERTIFICATE_FILE"))
        case .sasl:
            self = .sasl(
                authority: authority, user: environment.string("KAFKA_USER"),
                password: environment.secret("KAFKA_PASSWORD"))
        }
    }

    /// Whether anybody who reaches the brokers may do everything there.
    package var isOpen: Bool {
        if case .plaintext = self { true } else { false }
    }

    /// As options of librdkafka.
    package var options: [(name: String, value: String)] {
        switch self {
        case .plaintext: []
        case .tls(let authority, let certificate):
            Self.trusting(authority, by: "ssl") + [
                ("ssl.certificate.location", certificate), ("ssl.key.location", certificate),
            ]
        case .sasl(let authority, let user, let password):
            Self.trusting(authority, by: "sasl_ssl") + [
                ("sasl.mechanism", "PLAIN"), ("sasl.username", user), ("sasl.password", password.reveal()),
            ]
        }
    }

    private static func trusting(_ authority: String?, by scheme: String) -> [(name: String, value: String)] {
        let common = [("security.protocol", scheme), ("ssl.endpoint.identification.algorithm", "https")]
        return common + (authority.map { [("ssl.ca.location", $0)] } ?? [])
    }
}

extension KafkaSettings {
    private enum Brokers: String, CaseIterable { case apache, development }

    /// Reads `KAFKA_BOOTSTRAP_SERVERS`, `KAFKA_KIND`, `KAFKA_SESSION_TIMEOUT` and the variables of ``KafkaSecurity``; problems stay in `environment`.
    package init(_ environment: Environment, clientID: String) {
        let security = KafkaSecurity(environment)
        let isApache = environment.choice("KAFKA_KIND", default: Brokers.apache) == .apache
        if !isApache, !security.isOpen {
            environment.refuse("KAFKA_SECURITY", "must be plaintext: the development broker knows nothing else.")
        }
        self.init(
            bootstrap: environment.string("KAFKA_BOOTSTRAP_SERVERS"), clientID: clientID,
            kind: isApache ? .apache : .development, security: security)
        sessionTimeout = environment.duration("KAFKA_SESSION_TIMEOUT", default: sessionTimeout)
        // Heartbeats come every second.
        if !(Duration.seconds(3)...Duration.seconds(1_800)).contains(sessionTimeout) {
            environment.refuse("KAFKA_SESSION_TIMEOUT", "must be at least 3s and at most 30m.")
        }
    }
}
