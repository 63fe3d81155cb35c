import CKafka

/// Why Kafka did not do what was asked.
package struct KafkaError: Error, Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible {
    /// A stable name for a cause that callers can act on.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The client was closed by its owner.
        package static let closed = Code(rawValue: "kafka-closed")
        /// The waiting task was cancelled; what it sent may or may not be in the topic.
        package static let cancelled = Code(rawValue: "kafka-cancelled")
        /// No broker can be reached at present, or none leads the partition.
        package static let unreachable = Code(rawValue: "kafka-unreachable")
        /// No answer in the time allowed.
        package static let timedOut = Code(rawValue: "kafka-timed-out")
        /// The topic or the partition does not exist.
        package static let unknownTopic = Code(rawValue: "kafka-unknown-topic")
        /// The offset lies outside of what the partition holds.
        package static let offsetOutOfRange = Code(rawValue: "kafka-offset-out-of-range")
        /// The record is larger than the broker or the client takes.
        package static let tooLarge = Code(rawValue: "kafka-record-too-large")
        /// The broker refused the credentials or the operation.
        package static let unauthorized = Code(rawValue: "kafka-unauthorized")
        /// The group took the partitions away because ``KafkaConsumer/next(limit:)`` was not called in time.
        package static let polledTooLate = Code(rawValue: "kafka-polled-too-late")
        /// A topic exists with another number of partitions than asked for.
        package static let wrongPartitionCount = Code(rawValue: "kafka-wrong-partition-count")
        /// The development broker cannot do it.
        package static let unsupported = Code(rawValue: "kafka-unsupported")
        /// An option of the settings is not accepted.
        package static let configuration = Code(rawValue: "kafka-configuration")
        /// Anything else; the native name says more.
        package static let other = Code(rawValue: "kafka-other")
    }

    package let code: Code
    /// Whether the same request may succeed later without a change.
    package let isRetriable: Bool
    /// Whether the client can do nothing any more and must be replaced.
    package let isFatal: Bool
    /// librdkafka's or the broker's name for the cause, for logs; empty when the error is our own.
    package let nativeName: String
    /// Details for logs; may hold broker addresses, topic names and option names, never values of records or options.
    package let detail: String

    init(_ code: Code, detail: String = "", isRetriable: Bool = false, isFatal: Bool = false) {
        self.code = code
        self.isRetriable = isRetriable
        self.isFatal = isFatal
        nativeName = ""
        self.detail = detail
    }

    init(native: rd_kafka_resp_err_t, detail: String = "", isFatal: Bool = false) {
        code = Code(native: native)
        isRetriable = !isFatal && (code == .unreachable || code == .timedOut || native.isTransient)
        self.isFatal = isFatal
        nativeName = String(cString: rd_kafka_err2name(native))
        self.detail = detail.isEmpty ? String(cString: rd_kafka_err2str(native)) : detail
    }

    /// A sentence that says what to do next; safe to show.
    package var description: String {
        switch code {
        case .closed: "The Kafka client was closed; make a new one to go on."
        case .cancelled: "The wait for Kafka was cancelled; read the partition back to learn what arrived."
        case .unreachable: "Kafka cannot be reached at present; check its address and state, then try again."
        case .timedOut: "Kafka did not answer in time; try again when it is less busy."
        case .unknownTopic: "The topic or partition does not exist; create the topics first."
        case .offsetOutOfRange: "The partition does not hold this offset; read it from its beginning."
        case .tooLarge: "The record is too large for Kafka; make it smaller or raise the topic's limit."
        case .unauthorized: "Kafka refused the credentials; check the security options and the access rules."
        case .polledTooLate: "The consumer was away for too long and left its group; ask for the next event sooner."
        case .wrongPartitionCount: "The topic exists with another number of partitions; use a new topic name."
        case .unsupported: "The development broker cannot do this; use an Apache Kafka."
        case .configuration: "A Kafka option is not accepted; correct the settings."
        default: "Kafka refused the request (\(nativeName)); see the log for details."
        }
    }

    package var debugDescription: String {
        "KafkaError(\(code.rawValue), native: \(nativeName), retriable: \(isRetriable), fatal: \(isFatal)): \(detail)"
    }
}
