/// A record read from a partition; its bytes are copies.
package struct KafkaRecord: Sendable {
    package let topic: String
    package let partition: Int32
    package let offset: Int64
    /// Milliseconds since 1970 UTC, set by the producer unless the topic is configured otherwise; -1 if there is none.
    package let timestampMs: Int64
    /// Nil if the record has no key, which is different from an empty key.
    package let key: [UInt8]?
    /// Nil for a record without a value (a tombstone in a compacted topic).
    package let value: [UInt8]?
    /// In the order written; names may repeat. A header without a value has no bytes.
    package let headers: [(String, [UInt8])]

    /// A record as it was received, to handle a parked message again.
    package init(
        topic: String, partition: Int32, offset: Int64, timestampMs: Int64, key: [UInt8]?, value: [UInt8]?,
        headers: [(String, [UInt8])]
    ) {
        self.topic = topic
        self.partition = partition
        self.offset = offset
        self.timestampMs = timestampMs
        self.key = key
        self.value = value
        self.headers = headers
    }

    /// The partition that the record lies in.
    package var topicPartition: TopicPartition { TopicPartition(topic: topic, partition: partition) }

    /// The value of the last header with this name; nil if there is none. Invalid UTF-8 is replaced.
    package func header(_ name: String) -> String? {
        guard let header = headers.last(where: { $0.0 == name }) else { return nil }
        return String(decoding: header.1, as: UTF8.self)
    }
}

/// A record to produce. The partition is always explicit: chosen by the caller's hash, never by the client library's.
package struct OutgoingRecord: Sendable {
    package var topic: String
    package var partition: Int32
    package var key: [UInt8]?
    package var value: [UInt8]?
    package var headers: RecordHeaders

    /// A record for a partition of a topic.
    package init(
        topic: String, partition: Int32, key: [UInt8]? = nil, value: [UInt8]?, headers: [(String, [UInt8])] = []
    ) {
        self.init(topic: topic, partition: partition, key: key, value: value, headers: RecordHeaders(headers))
    }

    /// A record for a partition of a topic.
    package init(topic: String, partition: Int32, key: [UInt8]?, value: [UInt8]?, headers: RecordHeaders) {
        self.topic = topic
        self.partition = partition
        self.key = key
        self.value = value
        self.headers = headers
    }
}

/// Names a partition of a topic.
package struct TopicPartition: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let topic: String
    package let partition: Int32

    package init(topic: String, partition: Int32) {
        self.topic = topic
        self.partition = partition
    }

    /// For example `mirrormate.quota.v1[3]`.
    package var description: String { "\(topic)[\(partition)]" }

    package static func < (left: TopicPartition, right: TopicPartition) -> Bool {
        (left.topic, left.partition) < (right.topic, right.partition)
    }
}

/// Symbolic offsets.
package enum KafkaOffset {
    /// The first record that is still there.
    package static let beginning: Int64 = -2
    /// After the last record.
    package static let end: Int64 = -1
}
