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

    /// In bytes; the keys of messages are user ids.
    private static let longestKey = 200

    /// A row's message.
    ///
    /// - Parameter headers: as ``park(_:_:)`` wrote them.
    package init(
        _ partition: TopicPartition, offset: Int64, key: String, headers: JSONValue, value: [UInt8], identity: String,
        isDropped: Bool
    ) {
        let headers = (headers.arrayValue ?? []).compactMap { pair -> (String, [UInt8])? in
            guard let parts = pair.arrayValue, parts.count == 2, let name = parts[0].stringValue,
                let value = parts[1].stringValue.flatMap({ Hex.decode($0) })
            else { return nil }
            return (name, value)
        }
        // A record that was doubted is parked under a key of its own; its headers hold the one that it had.
        let ownKey = key.hasPrefix("foreign/") ? headers.last { $0.0 == MessageHeaders.partitionKey }?.1 : nil
        record = KafkaRecord(
            topic: partition.topic, partition: partition.partition, offset: offset, timestampMs: 0,
            key: ownKey ?? Array(key.utf8), value: value, headers: headers)
        self.key = key
        self.identity = identity
        self.isDropped = isDropped
    }

    /// The call that parks a record.
    package static func park(_ record: KafkaRecord, _ reason: Unhandled) -> RowCall {
        // Header values go as hex: a foreign record's may hold anything.
        let headers = record.headers.map { JSONValue.array([.string($0.0.storable), .string(Hex.encode($0.1))]) }
        return ConsumerRows.park(
            record.topic, Int64(record.partition), record.offset, key(of: record, reason), identity(of: record, reason),
            (record.header(MessageHeaders.type) ?? "").storable, reason.code.storable, .array(headers),
            Hex.encode(record.value ?? []))
    }

    /// The key whose later messages wait behind a parked record; a key that no message of ours has is named by its hash when
    /// it is long, because anybody may write to a topic what no table has room for.
    static func key(of record: KafkaRecord) -> String {
        let bytes = record.key ?? []
        if bytes.count > longestKey { return "long/\(bytes.count)/\(String(StableHash.fnv1a64(bytes), radix: 16))" }
        return (String(validating: bytes, as: UTF8.self) ?? "").storable
    }

    /// The same for a record that is parked for a reason: after what the publisher never wrote no true message of its key
    /// waits.
    static func key(of record: KafkaRecord, _ reason: Unhandled) -> String {
        let key = key(of: record)
        guard case .doubted = reason, key == MessageKey.system.description || UUID(key) != nil else { return key }
        return "foreign/\(record.offset)"
    }

    /// What names a record wherever it lies.
    ///
    /// - Parameter reason: why it is parked. A record that somebody else wrote may claim the identity of a true one.
    package static func identity(of record: KafkaRecord, _ reason: Unhandled? = nil) -> String {
        if case .doubted = reason {} else if let chain = ChainRecord(record) { return chain.identity }
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
