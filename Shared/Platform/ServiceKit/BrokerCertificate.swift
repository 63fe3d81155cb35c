import Configuration
import Crypto
import Kafka
import Observability
import Primitives

/// The certificate with which a service shows the brokers who it is.
enum BrokerCertificate {
    /// Before its end somebody has to be told: `infra/certificates` makes new ones for 397 days.
    static let notice = Duration.seconds(30 * 86_400)

    /// When it ends; nil when the brokers want none.
    ///
    /// - Throws: `CryptoError` when the file holds none.
    static func end(_ security: KafkaSecurity) throws(CryptoError) -> Timestamp? {
        guard case .tls(_, let path) = security else { return nil }
        guard let text = Environment.text(of: path) else { throw .malformedKey }
        return try Certificate(pem: text).end
    }

    /// Tells `/metrics` when it ends, as seconds since 1970.
    static func announce(_ security: KafkaSecurity) {
        guard let end = try? end(security) else { return }
        Metrics.shared.gauge(
            "kafka_certificate_end_seconds", help: "When the certificate for the brokers ends, as Unix time."
        ).set(Double(end.microseconds / 1_000_000))
    }
}
