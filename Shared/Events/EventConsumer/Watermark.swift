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
    var epoch: Int64
    var nextOffset: Int64 = 0
    var lastIdentity: String?
    var incarnation: UUID?
    var seen: Int64 = 0
    var sourceEpoch: Int64 = 0
    /// Where the publisher's history was cut below what had been seen.
    var fork: Int64?
    /// Whether the owner before ended cleanly.
    var wasClean = true

    /// Claims a partition: from now on only this owner can move it.
    @Loop static func claim(_ pool: PostgresPool, topic: String, partition: Int32) async throws -> Watermark {
        let place: [PostgresValue] = [.text(topic), .int(Int64(partition))]
        _ = try await pool.query(
            "insert into consumer_partitions (topic, partition) values ($1, $2) on conflict do nothing", place)
        let result = try await pool.query(
            """
            update consumer_partitions c set epoch = c.epoch + 1, clean = false
            from (select clean from consumer_partitions where topic = $1 and partition = $2 for update) old
            where c.topic = $1 and c.partition = $2
            returning c.epoch, c.next_offset, c.last_identity, c.incarnation, c.seen, c.source_epoch, c.fork, old.clean
            """, place)
        guard let row = result.first else { throw PostgresError(.wrongAnswer, "a partition's row is gone") }
        return Watermark(
            topic: topic, partition: partition, epoch: row.int(0), nextOffset: row.int(1),
            lastIdentity: row.optional(2, PostgresRow.text), incarnation: row.optional(3, PostgresRow.uuid),
            seen: row.int(4), sourceEpoch: row.int(5), fork: row.optional(6, PostgresRow.int), wasClean: row.bool(7))
    }

    /// The call that moves from here to there under the head lock.
    func move(to next: Watermark) -> RowCall {
        ConsumerRows.moveWatermark(
            topic, Int64(partition), epoch, nextOffset, seen, next.nextOffset, next.lastIdentity, next.incarnation,
            next.seen, next.sourceEpoch, next.fork)
    }

    /// Moves without an effect; false when another owner has taken over.
    @Loop func move(_ pool: PostgresPool, to next: Watermark) async throws -> Bool {
        let result = try await pool.query(
            "select row_move_watermark($1)", [.json(JSONValue.object(move(to: next).arguments).bytes)])
        return result.rows[0].isNull(0)
    }

    /// Whether the database holds exactly this, under our epoch.
    @Loop func stands(_ pool: PostgresPool) async throws -> Bool {
        try await pool.query(
            """
            select from consumer_partitions
            where topic = $1 and partition = $2 and epoch = $3 and next_offset = $4 and seen = $5
            """, [.text(topic), .int(Int64(partition)), .int(epoch), .int(nextOffset), .int(seen)]
        ).count == 1
    }

    /// Notes what is missing.
    @Loop func note(_ pool: PostgresPool, alarm: String) async throws {
        _ = try await pool.query(
            "update consumer_partitions set alarm = $4 where topic = $1 and partition = $2 and epoch = $3",
            [.text(topic), .int(Int64(partition)), .int(epoch), .text(alarm)])
    }

    /// Counts durably that a record is about to be handled: how often by now, nil if another owner took over.
    ///
    /// - Parameter record: the record's identity; the count is that one record's alone.
    @Loop func countAttempt(_ pool: PostgresPool, at record: String) async throws -> Int64? {
        try await pool.query(
            """
            update consumer_partitions set suspect = $4, attempts = case when suspect = $4 then attempts + 1 else 1 end
            where topic = $1 and partition = $2 and epoch = $3 returning attempts
            """, [.text(topic), .int(Int64(partition)), .int(epoch), .text(record)]
        ).first?.int(0)
    }

    /// Marks the partition as left cleanly.
    ///
    /// - Parameter attempts: how many counted attempts the end has cut short; they were no deaths.
    @Loop func release(_ pool: PostgresPool, uncounting attempts: Int64) async {
        _ = try? await pool.query(
            """
            update consumer_partitions set clean = true, attempts = greatest(attempts - $4, 0)
            where topic = $1 and partition = $2 and epoch = $3
            """, [.text(topic), .int(Int64(partition)), .int(epoch), .int(attempts)])
    }
}
