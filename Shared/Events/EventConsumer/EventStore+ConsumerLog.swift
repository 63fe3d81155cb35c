package import EventStore
import JSON
package import Kafka
import Postgres
import Primitives
import Runtime

extension EventStore: ConsumerLog {
    package func claim(_ partition: TopicPartition) async throws -> Watermark {
        let place: [PostgresValue] = [.text(partition.topic), .int(Int64(partition.partition))]
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
            partition, epoch: row.int(0), nextOffset: row.int(1), lastIdentity: row.optional(2, PostgresRow.text),
            incarnation: row.optional(3, PostgresRow.uuid), seen: row.int(4), sourceEpoch: row.int(5),
            fork: row.optional(6, PostgresRow.int), wasClean: row.bool(7))
    }

    package func move(_ watermark: Watermark, to next: Watermark) async throws -> Bool {
        let arguments = watermark.move(to: next).arguments
        let result = try await pool.query(
            "select row_move_watermark($1)", [.json(JSONValue.object(arguments).bytes)])
        return result.rows[0].isNull(0)
    }

    package func stands(_ watermark: Watermark) async throws -> Bool {
        try await pool.query(
            """
            select from consumer_partitions
            where topic = $1 and partition = $2 and epoch = $3 and next_offset = $4 and seen = $5
            """, watermark.owner + [.int(watermark.nextOffset), .int(watermark.seen)]
        ).count == 1
    }

    package func note(_ watermark: Watermark, alarm: String) async throws {
        _ = try await pool.query(
            "update consumer_partitions set alarm = $4 where topic = $1 and partition = $2 and epoch = $3",
            watermark.owner + [.text(alarm)])
    }

    package func countAttempt(_ watermark: Watermark, at record: String) async throws -> Int64? {
        try await pool.query(
            """
            update consumer_partitions set suspect = $4, attempts = case when suspect = $4 then attempts + 1 else 1 end
            where topic = $1 and partition = $2 and epoch = $3 returning attempts
            """, watermark.owner + [.text(record)]
        ).first?.int(0)
    }

    package func countLastWord(_ watermark: Watermark, at record: String) async throws -> Int64? {
        try await pool.query(
            """
            insert into last_words as w (topic, partition, identity, attempts)
            select p.topic, p.partition, $4::text, 1 from consumer_partitions p
            where p.topic = $1 and p.partition = $2 and p.epoch = $3
            on conflict (topic, partition, identity) do update set attempts = w.attempts + 1 returning attempts
            """, watermark.owner + [.text(record)]
        ).first?.int(0)
    }

    package func uncountLastWord(_ partition: TopicPartition, at record: String) async throws {
        _ = try await pool.query(
            "delete from last_words where topic = $1 and partition = $2 and identity = $3",
            [.text(partition.topic), .int(Int64(partition.partition)), .text(record)])
    }

    package func release(_ watermark: Watermark, isClean: Bool, uncounting record: String?) async throws {
        _ = try await pool.query(
            """
            update consumer_partitions set clean = case when epoch = $3 then $5 else clean end,
                attempts = case when suspect = $4 then greatest(attempts - 1, 0) else attempts end
            where topic = $1 and partition = $2 and (epoch = $3 or suspect = $4)
            """, watermark.owner + [.optional(record, PostgresValue.text), .bool(isClean)])
    }

    // MARK: Messages set aside

    package func parkedKeys(_ partition: TopicPartition) async throws -> Set<String> {
        let rows = try await pool.query(
            "select distinct key from parked_messages where topic = $1 and partition = $2",
            [.text(partition.topic), .int(Int64(partition.partition))]
        ).rows
        return Set(rows.map { $0.text(0) })
    }

    package func parkedIdentities(_ partition: TopicPartition) async throws -> [String] {
        try await pool.query(
            "select identity from parked_messages where topic = $1 and partition = $2 order by id",
            [.text(partition.topic), .int(Int64(partition.partition))]
        ).rows.map { $0.text(0) }
    }

    package func forgetParked(_ identities: [String], _ watermark: Watermark) async throws {
        _ = try await pool.query(
            """
            delete from parked_messages where topic = $1 and partition = $2 and identity = any($4)
                and exists (select from consumer_partitions where topic = $1 and partition = $2 and epoch = $3)
            """, watermark.owner + [.texts(identities.map(Optional.some))])
    }

    package func releasedMessages(_ partition: TopicPartition) async throws -> [ParkedMessage] {
        let rows = try await pool.query(
            """
            select * from (
                select distinct on (key) record_offset, key, headers, value, dropped, identity, release
                from parked_messages where topic = $1 and partition = $2 order by key, id) first
            where release or dropped
            """, [.text(partition.topic), .int(Int64(partition.partition))]
        ).rows
        return try rows.map { row in
            ParkedMessage(
                partition, offset: row.int(0), key: row.text(1), headers: try JSONValue.parse(row.bytes(2)),
                value: row.bytes(3), identity: row.text(5), isDropped: row.bool(4))
        }
    }

    package func partitionsWithReleases() async throws -> [TopicPartition] {
        try await pool.query("select distinct topic, partition from parked_messages where release or dropped").rows
            .map { TopicPartition(topic: $0.text(0), partition: Int32($0.int(1))) }
    }

    package func countTry(_ message: ParkedMessage) async throws -> Int64? {
        try await pool.query(
            """
            update parked_messages set attempts = attempts + 1
            where topic = $1 and partition = $2 and identity = $3 returning attempts
            """, message.place
        ).first?.int(0)
    }

    package func keep(_ message: ParkedMessage) async throws {
        _ = try await pool.query(
            """
            update parked_messages set release = false, attempts = 0
            where topic = $1 and partition = $2 and identity = $3
            """, message.place)
    }
}

extension Watermark {
    /// The partition and its owner's epoch, as the first three parameters of a statement.
    fileprivate var owner: [PostgresValue] { [.text(topic), .int(Int64(partition)), .int(epoch)] }
}

extension ParkedMessage {
    /// The row, as the first three parameters of a statement.
    fileprivate var place: [PostgresValue] {
        [.text(record.topic), .int(Int64(record.partition)), .text(identity)]
    }
}
