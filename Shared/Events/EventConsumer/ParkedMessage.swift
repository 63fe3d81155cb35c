import Contracts
import EventRelay
import EventStore
import JSON
import Kafka
import Postgres
import Primitives
import Runtime

/// A message that was set aside, as its row holds it.
struct ParkedMessage: Sendable {
    let record: KafkaRecord
    let key: String
    let identity: String
    let isDropped: Bool

    /// How often a released message may end its process before it is kept.
    private static let limit: Int64 = 3
    /// In bytes; the keys of messages are user ids.
    private static let longestKey = 200

    /// The call that parks a record.
    static func park(_ record: KafkaRecord, _ reason: Unhandled) -> RowCall {
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

    /// The same for a record that is parked for a reason: behind what the publisher never wrote nothing of its key waits.
    static func key(of record: KafkaRecord, _ reason: Unhandled) -> String {
        if case .doubted = reason { return "foreign/\(record.offset)" }
        return key(of: record)
    }

    /// What names a record wherever it lies.
    ///
    /// - Parameter reason: why it is parked. A record that somebody else wrote may claim the identity of a true one.
    static func identity(of record: KafkaRecord, _ reason: Unhandled? = nil) -> String {
        if case .doubted = reason {} else if let chain = ChainRecord(record) { return chain.identity }
        // Nothing but its place and content names a record that is not a relay's.
        return "foreign/\(record.offset)/\(String(StableHash.fnv1a64(record.value ?? []), radix: 16))"
    }

    /// The call that takes the message off the table, under the partition's epoch.
    func unpark(epoch: Int64) -> RowCall {
        ConsumerRows.unpark(record.topic, Int64(record.partition), identity, epoch)
    }

    /// What may go now: of every key its first message, when it was released or dropped.
    @Loop static func released(_ pool: PostgresPool, _ partition: TopicPartition) async throws -> [ParkedMessage] {
        let rows = try await pool.query(
            """
            select * from (
                select distinct on (key) record_offset, key, headers, value, dropped, identity, release
                from parked_messages where topic = $1 and partition = $2 order by key, id) first
            where release or dropped
            """, [.text(partition.topic), .int(Int64(partition.partition))]
        ).rows
        return try rows.map { row in
            let headers = (try JSONValue.parse(row.bytes(2)).arrayValue ?? []).compactMap {
                pair -> (String, [UInt8])? in
                guard let parts = pair.arrayValue, parts.count == 2, let name = parts[0].stringValue,
                    let value = parts[1].stringValue.flatMap({ Hex.decode($0) })
                else { return nil }
                return (name, value)
            }
            // A record that was doubted is parked under a key of its own; its headers hold the one that it had.
            let key =
                headers.last { $0.0 == MessageHeaders.partitionKey && row.text(1).hasPrefix("foreign/") }?.1
                ?? Array(row.text(1).utf8)
            let record = KafkaRecord(
                topic: partition.topic, partition: partition.partition, offset: row.int(0), timestampMs: 0,
                key: key, value: row.bytes(3), headers: headers)
            return ParkedMessage(record: record, key: row.text(1), identity: row.text(5), isDropped: row.bool(4))
        }
    }

    /// The keys that have parked messages.
    @Loop static func keys(_ pool: PostgresPool, _ partition: TopicPartition) async throws -> Set<String> {
        let rows = try await pool.query(
            "select distinct key from parked_messages where topic = $1 and partition = $2",
            [.text(partition.topic), .int(Int64(partition.partition))]
        ).rows
        return Set(rows.map { $0.text(0) })
    }

    /// Notes durably that the message is about to be handled; false when it has ended the process too often.
    @Loop func mayBeTried(_ pool: PostgresPool) async throws -> Bool {
        let row = try await pool.query(
            """
            update parked_messages set attempts = attempts + 1
            where topic = $1 and partition = $2 and identity = $3 returning attempts
            """, [.text(record.topic), .int(Int64(record.partition)), .text(identity)]
        ).first
        return row.map { $0.int(0) <= Self.limit } ?? true
    }

    /// Takes a release back: the message could not be handled even now.
    @Loop func keep(_ pool: PostgresPool) async throws {
        _ = try await pool.query(
            """
            update parked_messages set release = false, attempts = 0
            where topic = $1 and partition = $2 and identity = $3
            """, [.text(record.topic), .int(Int64(record.partition)), .text(identity)])
    }
}

extension String {
    /// Without NUL characters, which PostgreSQL's text cannot hold.
    fileprivate var storable: String { contains("\u{0}") ? replacing("\u{0}", with: "\u{FFFD}") : self }
}
