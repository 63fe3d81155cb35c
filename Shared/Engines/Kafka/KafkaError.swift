import CKafka

/// Why a Kafka request failed.
package struct KafkaError: Error, Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible {
    /// A stable code for a cause that callers can act on.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The client was closed by its owner.
        package static let closed = Code(rawValue: "kafka-closed")
        /// The waiting task was cancelled; what it sent may or may not be in the topic.
        package static let cancelled = Code(rawValue: "kafka-cancelled")
        /// No broker is reachable at the moment, or none leads the partition.
        package static let unreachable = Code(rawValue: "kafka-unreachable")
        /// No answer in time.
        package static let timedOut = Code(rawValue: "kafka-timed-out")
        /// The topic or the partition does not exist.
        package static let unknownTopic = Code(rawValue: "kafka-unknown-topic")
        /// The partition does not hold the offset.
        package static let offsetOutOfRange = Code(rawValue: "kafka-offset-out-of-range")
        /// The record is larger than the broker or the client accepts.
        package static let tooLarge = Code(rawValue: "kafka-record-too-large")
        /// The broker refused the credentials or the operation.
        package static let unauthorized = Code(rawValue: "kafka-unauthorized")
        /// The group took the partitions away because ``KafkaConsumer/next(limit:)`` was not called in time.
        package static let polledTooLate = Code(rawValue: "kafka-polled-too-late")
        /// A topic exists with a different number of partitions than requested.
        package static let wrongPartitionCount = Code(rawValue: "kafka-wrong-partition-count")
        /// The development broker does not support it.
        package static let unsupported = Code(rawValue: "kafka-unsupported")
        /// An option of the settings is not accepted.
        package static let configuration = Code(rawValue: "kafka-configuration")
        /// Anything else; see the native name.
        package static let other = Code(rawValue: "kafka-other")
    }

    package let code: Code
    /// Whether the same request may succeed later without a change.
    package let isRetriable: Bool
    /// Whether the client is unusable and must be replaced.
    package let isFatal: Bool
    /// librdkafka's or the broker's name for the cause, for logs; empty if the error is our own.
    package let nativeName: String
    /// Details for logs; may hold broker addresses, topic names and option names, never values of records or options.
    package let detail: String

    /// An error of our own, or of a simulated broker.
    package init(_ code: Code, detail: String = "", isRetriable: Bool = false, isFatal: Bool = false) {
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
        case .closed: "The Kafka client was closed; make a new one to continue."
        case .cancelled: "The wait for Kafka was cancelled; read the partition back to find out what arrived."
        case .unreachable: "Kafka is unreachable; check its address and state, then try again."
        case .timedOut: "Kafka did not answer in time; try again when it is less busy."
        case .unknownTopic: "The topic or partition does not exist; create the topics first."
        case .offsetOutOfRange: "The partition does not hold this offset; read it from its beginning."
        case .tooLarge: "The record is too large for Kafka; make it smaller or raise the topic's limit."
        case .unauthorized: "Kafka refused the credentials; check the security options and the access rules."
        case .polledTooLate: "The consumer did not poll for too long and left its group; ask for the next event sooner."
        case .wrongPartitionCount: "The topic exists with a different number of partitions; use a new topic name."
        case .unsupported: "The development broker does not support this; use Apache Kafka."
        case .configuration: "A Kafka option is not accepted; correct the settings."
        default: "Kafka refused the request (\(nativeName)); see the log for details."
        }
    }

    package var debugDescription: String {
        "KafkaError(\(code.rawValue), native: \(nativeName), retriable: \(isRetriable), fatal: \(isFatal)): \(detail)"
    }
}

extension KafkaError.Code {
    /// Groups librdkafka's error codes by what a caller can do about them.
    fileprivate init(native: rd_kafka_resp_err_t) {
        self =
            switch native {
            case RD_KAFKA_RESP_ERR__TRANSPORT, RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN, RD_KAFKA_RESP_ERR__RESOLVE,
                RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE, RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION,
                RD_KAFKA_RESP_ERR_BROKER_NOT_AVAILABLE, RD_KAFKA_RESP_ERR_NETWORK_EXCEPTION,
                RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE, RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS,
                RD_KAFKA_RESP_ERR_NOT_COORDINATOR, RD_KAFKA_RESP_ERR__WAIT_COORD:
                .unreachable
            case RD_KAFKA_RESP_ERR__TIMED_OUT, RD_KAFKA_RESP_ERR__MSG_TIMED_OUT, RD_KAFKA_RESP_ERR__TIMED_OUT_QUEUE,
                RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT:
                .timedOut
            case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC, RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION,
                RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART:
                .unknownTopic
            case RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET, RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE: .offsetOutOfRange
            case RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE, RD_KAFKA_RESP_ERR_INVALID_MSG_SIZE,
                RD_KAFKA_RESP_ERR_RECORD_LIST_TOO_LARGE:
                .tooLarge
            case RD_KAFKA_RESP_ERR__AUTHENTICATION, RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED,
                RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED, RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED,
                RD_KAFKA_RESP_ERR_SASL_AUTHENTICATION_FAILED:
                .unauthorized
            case RD_KAFKA_RESP_ERR__MAX_POLL_EXCEEDED: .polledTooLate
            default: .other
            }
    }
}

extension rd_kafka_resp_err_t {
    /// Transient causes, besides those of codes that are always retriable.
    fileprivate var isTransient: Bool {
        switch self {
        case RD_KAFKA_RESP_ERR__QUEUE_FULL, RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS,
            RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND, RD_KAFKA_RESP_ERR_REBALANCE_IN_PROGRESS,
            RD_KAFKA_RESP_ERR_KAFKA_STORAGE_ERROR, RD_KAFKA_RESP_ERR_THROTTLING_QUOTA_EXCEEDED,
            // Of brokers that have just started: fewer of them are there than a topic is to have copies.
            RD_KAFKA_RESP_ERR_INVALID_REPLICATION_FACTOR:
            true
        default: false
        }
    }
}
