/// Where Kafka is and how to talk to it.
package struct KafkaSettings: Sendable {
    /// What answers at the address.
    package enum Kind: String, Sendable {
        /// An Apache Kafka, or a broker that behaves like one.
        case apache
        /// The in-memory broker of ``MockBroker``: no admin requests, a few MiB a partition, nothing survives its
        /// process.
        case development
    }

    /// Addresses of one or more brokers, `host:port` with commas between.
    package var bootstrap: String
    /// The name that broker logs and quotas show for this process.
    package var clientID: String
    /// What answers at the address.
    package var kind: Kind
    /// Further librdkafka options, such as `security.protocol` and `sasl.username`; they are applied last and win.
    /// Values are never logged.
    package var options: [(name: String, value: String)]

    /// Settings for the brokers at `bootstrap`.
    package init(
        bootstrap: String, clientID: String = "mirrormate", kind: Kind = .apache,
        options: [(name: String, value: String)] = []
    ) {
        self.bootstrap = bootstrap
        self.clientID = clientID
        self.kind = kind
        self.options = options
    }
}
