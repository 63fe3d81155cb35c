import EventStore
import JSON
import Postgres
import Primitives
import Runtime

/// How far one partition has been consumed, as its present owner holds it; every move names what it moves from.
struct Watermark: Sendable {
    let topic: String
    let partition: Int32
    /// The owner's epoch.
    let epoch: Int64
    var nextOffset: Int64
    var lastIdentity: String?
    var incarnation: UUID?
    var seen: Int64
    var sourceEpoch: Int64
    /// Whether the owner before ended in order.
    let wasClean: Bool
    /// Deaths while the record at the offset was handled.
    var attempts: Int64

    /// Claims a partition: from now on only this owner can move it.
    @Loop static func claim(_ pool: PostgresPool, topic: String, partition: Int32) async throws -> Watermark {
        let result = try await pool.query(
            """
            with old as (
                select * from consumer_partitions where topic = $1 and partition = $2 for update),
            claimed as (
                insert into consumer_partitions (topic, partition, epoch, clean) values ($1, $2, 1, false)
                on conflict (topic, partition) do update set epoch = consumer_partitions.epoch + 1, clean = false
                returning *)
            select c.epoch, c.next_offset, c.last_identity, c.incarnation, c.seen, c.source_epoch,
                coalesce((select clean from old), true), c.attempts
            from claimed c
            """, [.text(topic), .int(Int64(partition))])
        let row = result.rows[0]
        return Watermark(
            topic: topic, partition: partition, epoch: row.int(0), nextOffset: row.int(1),
            lastIdentity: row.optional(2, PostgresRow.text), incarnation: row.optional(3, PostgresRow.uuid),
            seen: row.int(4), sourceEpoch: row.int(5), wasClean: row.bool(6), attempts: row.int(7))
    }

    /// The call that moves from here to there under the head lock.
    func move(to next: Watermark) -> RowCall {
        RowCall("move_watermark", moveArguments(to: next))
    }

    /// Moves without an effect; false when another owner has taken over.
    @Loop func move(_ pool: PostgresPool, to next: Watermark) async throws -> Bool {
        let result = try await pool.query(
            "select row_move_watermark($1)", [.json(JSONValue.object(moveArguments(to: next)).bytes)])
        return result.rows[0].isNull(0)
    }

    private func moveArguments(to next: Watermark) -> JSONObject {
        [
            "topic": .string(topic), "partition": .int(Int64(partition)), "epoch": .int(epoch),
            "fromOffset": .int(nextOffset), "fromSeen": .int(seen), "nextOffset": .int(next.nextOffset),
            "lastIdentity": .optional(next.lastIdentity), "incarnation": .optional(next.incarnation),
            "seen": .int(next.seen), "sourceEpoch": .int(next.sourceEpoch),
        ]
    }

    /// Marks the partition as left in order.
    @Loop func release(_ pool: PostgresPool) async {
        _ = try? await pool.query(
            "update consumer_partitions set clean = true where topic = $1 and partition = $2 and epoch = $3",
            [.text(topic), .int(Int64(partition)), .int(epoch)])
    }
}
