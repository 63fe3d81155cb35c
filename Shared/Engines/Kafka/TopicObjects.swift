import CKafka
import Runtime

/// The topic objects of one client, each created when its topic is first used.
@Loop final class TopicObjects {
    /// A topic object of librdkafka; as thread-safe as its client, and destroyed before it.
    struct Object: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private let client: KafkaClient
    private var objects: [String: Object] = [:]

    init(_ client: KafkaClient) { self.client = client }

    /// The object of a topic.
    ///
    /// - Throws: ``KafkaError`` if the name is not accepted.
    func object(_ name: String) throws(KafkaError) -> Object {
        if let object = objects[name] { return object }
        guard let pointer = rd_kafka_topic_new(client.pointer, name, nil) else {
            throw KafkaError(native: rd_kafka_last_error(), detail: name)
        }
        let object = Object(pointer: pointer)
        objects[name] = object
        return object
    }

    /// Releases all objects; run the returned closure, which destroys them, right before destroying the client.
    func release() -> @Sendable () -> Void {
        let released = objects.values.map { $0 }
        objects = [:]
        return { for object in released { rd_kafka_topic_destroy(object.pointer) } }
    }
}
