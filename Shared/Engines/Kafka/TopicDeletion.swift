import CKafka

/// One request that removes a topic, on a thread that may wait.
enum TopicDeletion {
    static func run(_ client: OpaquePointer, _ name: String, _ milliseconds: Int32) -> Result<Void, KafkaError> {
        var topic: OpaquePointer? = rd_kafka_DeleteTopic_new(name)
        defer { rd_kafka_DeleteTopic_destroy(topic) }
        let queue: OpaquePointer = rd_kafka_queue_new(client)
        defer { rd_kafka_queue_destroy(queue) }
        let options: OpaquePointer = rd_kafka_AdminOptions_new(client, RD_KAFKA_ADMIN_OP_DELETETOPICS)
        defer { rd_kafka_AdminOptions_destroy(options) }
        _ = rd_kafka_AdminOptions_set_request_timeout(options, milliseconds, nil, 0)
        _ = rd_kafka_AdminOptions_set_operation_timeout(options, milliseconds, nil, 0)
        rd_kafka_DeleteTopics(client, &topic, 1, options, queue)
        // The request's own limit ends it first; the margin lets its answer arrive.
        guard let event = rd_kafka_queue_poll(queue, milliseconds.addingReportingOverflow(2_000).partialValue) else {
            return .failure(KafkaError(.timedOut, isRetriable: true))
        }
        defer { rd_kafka_event_destroy(event) }
        var native = rd_kafka_event_error(event)
        var count = 0
        let results = rd_kafka_DeleteTopics_result_topics(rd_kafka_event_DeleteTopics_result(event), &count)
        if native == RD_KAFKA_RESP_ERR_NO_ERROR, count > 0, let result = results?[0] {
            native = rd_kafka_topic_result_error(result)
        }
        return native == RD_KAFKA_RESP_ERR_NO_ERROR ? .success(()) : .failure(KafkaError(native: native, detail: name))
    }
}
