import CKafka

extension KafkaError.Code {
    /// Groups librdkafka's error codes by what a caller can do about them.
    init(native: rd_kafka_resp_err_t) {
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
    /// Causes that pass without anyone doing anything, beyond those whose group says so.
    var isTransient: Bool {
        switch self {
        case RD_KAFKA_RESP_ERR__QUEUE_FULL, RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS,
            RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND, RD_KAFKA_RESP_ERR_REBALANCE_IN_PROGRESS,
            RD_KAFKA_RESP_ERR_KAFKA_STORAGE_ERROR, RD_KAFKA_RESP_ERR_THROTTLING_QUOTA_EXCEEDED:
            true
        default: false
        }
    }
}
