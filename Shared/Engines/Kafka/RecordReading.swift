import CKafka

/// Copies records out of fetch events. Caches topic names, so that a record does not cost a new string.
struct RecordReading {
    private var names: [OpaquePointer: String] = [:]

    /// Appends the records of an event of type `RD_KAFKA_EVENT_FETCH` to `records`.
    mutating func read(_ event: OpaquePointer, into records: inout [KafkaRecord]) {
        while let message = rd_kafka_event_message_next(event) {
            guard let topic = message.pointee.rkt else { continue }
            records.append(
                KafkaRecord(
                    topic: name(of: topic), partition: message.pointee.partition, offset: message.pointee.offset,
                    timestampMs: rd_kafka_message_timestamp(message, nil),
                    key: bytes(message.pointee.key, message.pointee.key_len),
                    value: bytes(message.pointee.payload, message.pointee.len), headers: headers(message)))
        }
    }

    private mutating func name(of topic: OpaquePointer) -> String {
        if let name = names[topic] { return name }
        let name = String(cString: rd_kafka_topic_name(topic))
        names[topic] = name
        return name
    }

    private func bytes(_ start: UnsafeRawPointer?, _ count: Int) -> [UInt8]? {
        start.map { [UInt8](UnsafeRawBufferPointer(start: $0, count: count)) }
    }

    private func headers(_ message: UnsafePointer<rd_kafka_message_t>) -> [(String, [UInt8])] {
        var list: OpaquePointer?
        guard rd_kafka_message_headers(message, &list) == RD_KAFKA_RESP_ERR_NO_ERROR, let list else { return [] }
        var result: [(String, [UInt8])] = []
        var name: UnsafePointer<CChar>?
        var value: UnsafeRawPointer?
        var size = 0
        while rd_kafka_header_get_all(list, result.count, &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR,
            let name
        {
            result.append((String(cString: name), bytes(value, size) ?? []))
        }
        return result
    }
}
