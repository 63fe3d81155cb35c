/// How to connect to Kafka.
package struct KafkaSettings: Sendable {
    /// The kind of broker.
    package enum Kind: String, Sendable {
        /// Apache Kafka, or a broker that behaves like it.
        case apache
        /// The in-memory broker of ``MockBroker``: no admin requests, a few MiB per partition, nothing survives its
        /// process.
        case development
    }

    /// Addresses of one or more brokers: `host:port`, separated by commas.
    package var bootstrap: String
    /// The name that broker logs and quotas show for this process.
    package var clientID: String
    /// The kind of broker at the address.
    package var kind: Kind
    /// How client and brokers know each other.
    package var security: KafkaSecurity
    /// How long after its last heartbeat a member of a consumer group keeps its partitions. Default 10 s.
    package var sessionTimeout = Duration.seconds(10)
    /// Further librdkafka options; they override all others. Their values are never logged.
    package var options: [(name: String, value: String)]

    /// Settings for the brokers at `bootstrap`.
    package init(
        bootstrap: String, clientID: String = "mirrormate", kind: Kind = .apache,
        security: KafkaSecurity = .plaintext, options: [(name: String, value: String)] = []
    ) {
        self.bootstrap = bootstrap
        self.clientID = clientID
        self.kind = kind
        self.security = security
        self.options = options
    }
}
