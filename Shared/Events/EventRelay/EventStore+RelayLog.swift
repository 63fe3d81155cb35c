package import EventSourcing
package import EventStore
package import Postgres
package import Primitives
import Runtime

extension EventStore: RelayLog {
    package func withLeaseConnection<T>(_ work: (any LeaseConnection) async throws -> T) async throws -> T {
        try await pool.withConnection { try await work($0) }
    }

    package func readLog<T: Sendable>(
        after position: Int64, limit: Int, under lease: RelayLease,
        _ work: @escaping @Sendable ([RecordedEvent]) throws -> T
    ) async throws -> T {
        // One row without an event at the end of the log, none without the lease.
        let result = try await pool.query(
            """
            select \(RecordedEvent.columns) from relay r join head h on r.epoch = $3 and h.incarnation = $4
            left join lateral (select * from events where position > $1 order by position limit $2) e on true
            """, [.int(position), .int(Int64(limit)), .int(lease.epoch), .uuid(lease.lineage.incarnation)])
        guard let first = result.first else { throw RelayTrouble.leaseLost }
        if first.isNull(0) { return try work([]) }
        // A hop between threads costs more than a few events.
        if result.count < 32 { return try work(result.rows.map { try RecordedEvent($0) }) }
        return try await Offload.shared.run { try work(result.rows.map { try RecordedEvent($0) }) }
    }

    package func isHeld(_ epoch: Int64, renewing: Bool, isRewinding: Bool) async throws -> Bool {
        let sql =
            renewing
            ? """
            update relay set lease_until = clock_timestamp() + $2 * interval '1 millisecond'
            where epoch = $1 and ($3 or rewind_to is null)
            """
            : "select from relay where epoch = $1 and $2 > 0 and ($3 or rewind_to is null)"
        let result = try await pool.query(
            sql, [.int(epoch), .int(RelayLease.duration.milliseconds), .bool(isRewinding)])
        return renewing ? result.affected == 1 : result.count == 1
    }

    package func release(_ epoch: Int64) async throws {
        _ = try await pool.query("update relay set lease_until = '-infinity' where epoch = $1", [.int(epoch)])
    }

    package func rewind(to position: Int64) async throws {
        _ = try await pool.query(
            """
            update relay set rewind_to = least(rewind_to, $1), epoch = epoch + 1, holder = null,
                lease_until = '-infinity'
            """, [.int(position)])
    }

    package func lineage() async throws -> Lineage { try await pool.withConnection { try await Lineage.read($0) } }

    package func eventIDs(at positions: [Int64]) async throws -> [Int64: UUID] {
        if positions.isEmpty { return [:] }
        let rows = try await pool.query(
            "select position, id from events where position = any($1)", [.ints(positions)]
        ).rows
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.int(0), $0.uuid(1)) })
    }

    package func begin(
        _ incarnation: UUID, fork: Int64, published: Int64, topEpoch: Int64, found: [UUID],
        disowning disowned: [DisownedRecord]
    ) async throws {
        _ = try await pool.query(
            "select begin_incarnation($1, $2, $3, $4, $5), disown_records($1, $6, $7)",
            [
                .uuid(incarnation), .int(fork), .int(published), .int(topEpoch), .uuids(found.map(Optional.some)),
                .ints(disowned.map(\.position)), .uuids(disowned.map(\.id)),
            ])
    }
}

extension PostgresConnection: LeaseConnection {
    package func refusal() async throws -> String? {
        try await query("select refused from head").first?.optional(0, PostgresRow.text)
    }

    package func takeLease(_ holder: UUID) async throws -> RelayLease? {
        let taken = try await query(
            """
            update relay set epoch = epoch + 1, holder = $1,
                lease_until = clock_timestamp() + $2 * interval '1 millisecond'
            where lease_until < clock_timestamp() or holder = $1
                -- So far ahead no lease reaches: the clock was set back, or it is another server's.
                or lease_until > clock_timestamp() + 2 * $2 * interval '1 millisecond'
            returning epoch, cursor, rewind_to
            """, [.uuid(holder), .int(RelayLease.duration.milliseconds)])
        guard let row = taken.first else { return nil }
        // In a later statement, with a later snapshot: a restore confirmed before the lease became ours must be seen.
        let lineage = try await Lineage.read(self)
        return RelayLease(
            epoch: row.int(0), cursor: row.int(1), rewindTo: row.optional(2, PostgresRow.int), lineage: lineage)
    }

    package func advance(
        _ epoch: Int64, from old: Int64, to new: Int64, _ tails: [PartitionTail], rewound: Int64?
    ) async throws -> Bool {
        let result = try await query(
            """
            with moved as (
                update relay set cursor = $3, rewind_to = nullif(rewind_to, $9::bigint),
                    lease_until = clock_timestamp() + $4 * interval '1 millisecond'
                where epoch = $1 and cursor = $2 returning 1),
            tails as (
                insert into relay_partitions (partition, last_offset, last_position, last_epoch)
                select t.partition, t.last_offset, t.last_position, t.last_epoch
                from unnest($5, $6, $7, $8) as t (partition, last_offset, last_position, last_epoch)
                where exists (select from moved)
                on conflict (partition) do update set last_offset = excluded.last_offset,
                    last_position = excluded.last_position, last_epoch = excluded.last_epoch)
            select count(*), set_config('synchronous_commit', 'off', true) from moved
            """,
            [
                .int(epoch), .int(old), .int(new), .int(RelayLease.duration.milliseconds),
                .ints(tails.map { Int64($0.partition) }), .ints(tails.map(\.offset)), .ints(tails.map(\.position)),
                .ints(tails.map(\.epoch)), .optional(rewound, PostgresValue.int),
            ])
        return result.first?.int(0) == 1
    }

    package func raise(_ epoch: Int64, to higher: Int64) async throws -> Bool {
        try await query("update relay set epoch = $2 where epoch = $1", [.int(epoch), .int(higher)]).affected == 1
    }

    package func refuseAppends(_ reason: String, _ epoch: Int64, _ incarnation: UUID) async throws {
        _ = try await query("select refuse_appends($1, $2, $3)", [.text(reason), .int(epoch), .uuid(incarnation)])
    }

    package func end() async throws -> Int64 {
        try await query("select coalesce(max(position), 0) from events").rows[0].int(0)
    }

    package func cursor() async throws -> Int64 { try await query("select cursor from relay").rows[0].int(0) }

    package func notedTails() async throws -> [PartitionTail] {
        try await query("select partition, last_offset, last_position, last_epoch from relay_partitions").rows.map {
            PartitionTail(partition: Int32($0.int(0)), offset: $0.int(1), position: $0.int(2), epoch: $0.int(3))
        }
    }

    package func eventID(at position: Int64) async throws -> UUID? {
        try await query("select id from events where position = $1", [.int(position)]).first?.uuid(0)
    }
}
