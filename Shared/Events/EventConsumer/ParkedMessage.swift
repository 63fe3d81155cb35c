import Contracts
import EventRelay
package import EventStore
package import JSON
package import Kafka
import Primitives

/// A message that was set aside, as its row holds it.
package struct ParkedMessage: Sendable {
    package let record: KafkaRecord
    package let key: String
    /// What names the record wherever it lies.
    package let identity: String
    /// Whether an operator wants it forgotten.
    package let isDropped: Bool

    /// A row's message.
    ///
    /// - Parameter headers: as ``park(_:_:)`` wrote them.
    package init(
        _ partition: TopicPartition, offset: Int64, key: String, headers: JSONValue, value: [UInt8], identity: String,
        isDropped: Bool
    ) {
        record = KafkaRecord(
            topic: partition.topic, partition: partition.partition, offset: offset, timestampMs: 0,
            key: Array(key.utf8), value: value,
            headers: (headers.arrayValue ?? []).compactMap { pair in
                guard let parts = pair.arrayValue, parts.count == 2, let name = parts[0].stringValue,
                    let value = parts[1].stringValue.flatMap({ Hex.decode($0) })
                else { return nil }
                return (name, value)
            })
        self.key = key
        self.identity = identity
        self.isDropped = isDropped
    }

    /// The call that parks a record.
    package static func park(_ record: KafkaRecord, _ reason: String) -> RowCall {
        // Header values go as hex: a foreign record's may hold anything.
        let headers = record.headers.map { JSONValue.array([.string($0.0.storable), .string(Hex.encode($0.1))]) }
        return ConsumerRows.park(
            record.topic, Int64(record.partition), record.offset, key(of: record), identity(of: record),
            (record.header(MessageHeaders.type) ?? "").storable, reason.storable, .array(headers),
            Hex.encode(record.value ?? []))
    }

    /// The key whose later messages wait behind a parked record.
    static func key(of record: KafkaRecord) -> String {
        (record.key.flatMap { String(validating: $0, as: UTF8.self) } ?? "").storable
    }

    /// What names a record wherever it lies.
    package static func identity(of record: KafkaRecord) -> String {
        if let chain = ChainRecord(record) { return chain.identity }
        // Nothing but its place and content names a record that is not a relay's.
        return "foreign/\(record.offset)/\(String(StableHash.fnv1a64(record.value ?? []), radix: 16))"
    }

    /// The call that takes the message off the table, under the partition's epoch.
    package func unpark(epoch: Int64) -> RowCall {
        ConsumerRows.unpark(record.topic, Int64(record.partition), identity, epoch)
    }
}

extension String {
    /// Without NUL characters, which PostgreSQL's text cannot hold.
    fileprivate var storable: String { contains("\u{0}") ? replacing("\u{0}", with: "\u{FFFD}") : self }
}
