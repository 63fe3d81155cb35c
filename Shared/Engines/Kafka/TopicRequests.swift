import CKafka

/// Requests of the admin API that create and delete topics, made on a thread that may block.
enum TopicRequests {
    /// Creates topics; one that already exists is not an error.
    static func create(
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
        return perform(client, RD_KAFKA_ADMIN_OP_CREATETOPICS, milliseconds) { options, queue in
            rd_kafka_CreateTopics(client, &definitions, definitions.count, options, queue)
        } read: { event in
            firstError { rd_kafka_CreateTopics_result_topics(rd_kafka_event_CreateTopics_result(event), &$0) }
        }
    }

    /// Deletes a topic.
    static func delete(_ client: OpaquePointer, _ name: String, _ milliseconds: Int32) -> Result<Void, KafkaError> {
        var topic: OpaquePointer? = rd_kafka_DeleteTopic_new(name)
        defer { rd_kafka_DeleteTopic_destroy(topic) }
        return perform(client, RD_KAFKA_ADMIN_OP_DELETETOPICS, milliseconds) { options, queue in
            rd_kafka_DeleteTopics(client, &topic, 1, options, queue)
        } read: { event in
            firstError { rd_kafka_DeleteTopics_result_topics(rd_kafka_event_DeleteTopics_result(event), &$0) }
        }
    }

    /// Sends one request of the admin API, waits for its answer and gives what is read from it.
    static func perform<T>(
        _ client: OpaquePointer, _ operation: rd_kafka_admin_op_t, _ milliseconds: Int32,
        _ send: (_ options: OpaquePointer, _ queue: OpaquePointer) -> Void,
        read: (_ event: OpaquePointer) -> Result<T, KafkaError>
    ) -> Result<T, KafkaError> {
        let queue: OpaquePointer = rd_kafka_queue_new(client)
        defer { rd_kafka_queue_destroy(queue) }
        let options: OpaquePointer = rd_kafka_AdminOptions_new(client, operation)
        defer { rd_kafka_AdminOptions_destroy(options) }
        _ = rd_kafka_AdminOptions_set_request_timeout(options, milliseconds, nil, 0)
        _ = rd_kafka_AdminOptions_set_operation_timeout(options, milliseconds, nil, 0)
        send(options, queue)
        // The request's own timeout expires first; the margin lets its answer arrive.
        guard let event = rd_kafka_queue_poll(queue, milliseconds.addingReportingOverflow(2_000).partialValue) else {
            return .failure(KafkaError(.timedOut, isRetriable: true))
        }
        defer { rd_kafka_event_destroy(event) }
        let native = rd_kafka_event_error(event)
        guard native == RD_KAFKA_RESP_ERR_NO_ERROR else { return .failure(KafkaError(native: native)) }
        return read(event)
    }

    private static func firstError(
        _ results: (_ count: inout Int) -> UnsafeMutablePointer<OpaquePointer?>?
    ) -> Result<Void, KafkaError> {
        firstError(in: results) { topic in
            let native = rd_kafka_topic_result_error(topic)
            if native == RD_KAFKA_RESP_ERR_NO_ERROR || native == RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS { return nil }
            let name = String(cString: rd_kafka_topic_result_name(topic))
            let message = rd_kafka_topic_result_error_string(topic).map { String(cString: $0) } ?? ""
            return KafkaError(native: native, detail: "\(name): \(message)")
        }
    }

    /// The first error among what the parts of a request came to.
    static func firstError(
        in results: (_ count: inout Int) -> UnsafeMutablePointer<OpaquePointer?>?,
        _ error: (_ result: OpaquePointer) -> KafkaError?
    ) -> Result<Void, KafkaError> {
        var count = 0
        let parts = results(&count)
        for part in UnsafeBufferPointer(start: parts, count: count) {
            if let part, let error = error(part) { return .failure(error) }
        }
        return .success(())
    }
}

/// A topic to create.
package struct TopicDefinition: Sendable {
    package var name: String
    package var partitions: Int32
    /// Replicas of each partition; -1 for the broker's default.
    package var replication: Int32
    /// Topic options such as `retention.ms`.
    package var configuration: [(name: String, value: String)]

    package init(
        name: String, partitions: Int32, replication: Int32 = -1, configuration: [(name: String, value: String)] = []
    ) {
        self.name = name
        self.partitions = partitions
        self.replication = replication
        self.configuration = configuration
    }
}
