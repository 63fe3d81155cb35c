import CKafka

/// One request that makes topics, on a thread that may wait.
enum TopicCreation {
    /// Makes the topics; that one exists already is no error.
    static func run(
        _ client: OpaquePointer, _ topics: [TopicDefinition], _ milliseconds: Int32
    ) -> Result<Void, KafkaError> {
        var definitions: [OpaquePointer?] = []
        defer { for definition in definitions { rd_kafka_NewTopic_destroy(definition) } }
        for topic in topics {
            let (made, message) = withErrorText {
                rd_kafka_NewTopic_new(topic.name, topic.partitions, topic.replication, $0, $1)
            }
            guard let definition = made else { return .failure(KafkaError(.configuration, detail: message)) }
            definitions.append(definition)
            for option in topic.configuration {
                _ = rd_kafka_NewTopic_set_config(definition, option.name, option.value)
            }
        }
        let queue: OpaquePointer = rd_kafka_queue_new(client)
        defer { rd_kafka_queue_destroy(queue) }
        let options: OpaquePointer = rd_kafka_AdminOptions_new(client, RD_KAFKA_ADMIN_OP_CREATETOPICS)
        defer { rd_kafka_AdminOptions_destroy(options) }
        _ = rd_kafka_AdminOptions_set_request_timeout(options, milliseconds, nil, 0)
        _ = rd_kafka_AdminOptions_set_operation_timeout(options, milliseconds, nil, 0)
        rd_kafka_CreateTopics(client, &definitions, definitions.count, options, queue)
        // The request's own limit ends it first; the margin lets its answer arrive.
        guard let event = rd_kafka_queue_poll(queue, milliseconds.addingReportingOverflow(2_000).partialValue) else {
            return .failure(KafkaError(.timedOut, isRetriable: true))
        }
        defer { rd_kafka_event_destroy(event) }
        return outcome(of: event)
    }

    private static func outcome(of event: OpaquePointer) -> Result<Void, KafkaError> {
        let native = rd_kafka_event_error(event)
        guard native == RD_KAFKA_RESP_ERR_NO_ERROR else { return .failure(KafkaError(native: native)) }
        var count = 0
        let results = rd_kafka_CreateTopics_result_topics(rd_kafka_event_CreateTopics_result(event), &count)
        for index in 0..<count {
            guard let result = results?[index] else { continue }
            let native = rd_kafka_topic_result_error(result)
            if native == RD_KAFKA_RESP_ERR_NO_ERROR || native == RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS { continue }
            let name = String(cString: rd_kafka_topic_result_name(result))
            let message = rd_kafka_topic_result_error_string(result).map { String(cString: $0) } ?? ""
            return .failure(KafkaError(native: native, detail: "\(name): \(message)"))
        }
        return .success(())
    }
}
