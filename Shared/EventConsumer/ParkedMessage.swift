import EventRelay
import JSON
import Kafka
import Postgres
import Primitives
import Runtime

/// A message that was set aside, as its row holds it.
struct ParkedMessage: Sendable {
    let record: KafkaRecord
    let key: String
    let isDropped: Bool

    /// The arguments of the SQL function that parks a record.
    static func arguments(_ record: KafkaRecord, _ key: String, _ reason: String) -> JSONObject {
        // Header values go as hex: a foreign record's may hold anything.
        let headers = record.headers.map { JSONValue.array([.string($0.0), .string(Hex.encode($0.1))]) }
        return [
            "topic": .string(record.topic), "partition": .int(Int64(record.partition)), "offset": .int(record.offset),
            "key": .string(key), "identity": .string(ChainRecord(record)?.identity ?? "foreign"),
            "type": .string(record.header("ce_type") ?? ""), "reason": .string(reason), "headers": .array(headers),
            "value": .string(Hex.encode(record.value ?? [])),
        ]
    }

    func unparkArguments(epoch: Int64) -> JSONObject {
        [
            "topic": .string(record.topic), "partition": .int(Int64(record.partition)), "offset": .int(record.offset),
            "epoch": .int(epoch),
        ]
    }

    /// What may go now: of every key whose first message was released or dropped, the messages in order.
    @Loop static func released(_ pool: PostgresPool, _ place: TopicPartition) async throws -> [ParkedMessage] {
        let rows = try await pool.query(
            """
            select p.record_offset, p.key, p.headers, p.value, p.dropped from parked_messages p
            where p.topic = $1 and p.partition = $2 and (
                select f.release or f.dropped from parked_messages f
                where f.topic = p.topic and f.partition = p.partition and f.key = p.key
                order by f.record_offset limit 1)
            order by p.record_offset
            """, [.text(place.topic), .int(Int64(place.partition))]
        ).rows
        return try rows.map { row in
            let headers = try JSONValue.parse(row.bytes(2)).arrayValue ?? []
            let record = KafkaRecord(
                topic: place.topic, partition: place.partition, offset: row.int(0), timestampMs: 0,
                key: Array(row.text(1).utf8), value: row.bytes(3),
                headers: headers.compactMap { pair in
                    guard let parts = pair.arrayValue, parts.count == 2, let name = parts[0].stringValue,
                        let value = parts[1].stringValue.flatMap({ Hex.decode($0) })
                    else { return nil }
                    return (name, value)
                })
            return ParkedMessage(record: record, key: row.text(1), isDropped: row.bool(4))
        }
    }

    /// Takes a release back: the message could not be handled even now.
    @Loop static func keep(_ pool: PostgresPool, _ parked: ParkedMessage) async throws {
        _ = try await pool.query(
            "update parked_messages set release = false where topic = $1 and partition = $2 and record_offset = $3",
            [.text(parked.record.topic), .int(Int64(parked.record.partition)), .int(parked.record.offset)])
    }
}
