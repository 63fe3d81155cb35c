import EventStore
import Postgres
import Primitives
import Runtime

/// The right to publish a service's log, held by one process at a time; it lives in PostgreSQL and counts its holders.
@Loop struct RelayLease {
    /// How long a lease lasts without being renewed, by PostgreSQL's clock.
    static let duration = Duration.seconds(6)

    /// Rises with every take-over; stands on every record.
    let epoch: Int64
    /// All up to here is published.
    let cursor: Int64
    /// Publish again all behind this position, when an operator asked for it.
    let rewindTo: Int64?
    /// The store's identity.
    let incarnation: UUID
    let parent: UUID?
    /// The last position shared with the parent; 0 for the first incarnation.
    let fork: Int64
    /// Why appends are refused, when they are.
    let refused: String?
    /// Every incarnation that this store has had, with the last position of it that is still its history.
    let lineage: [UUID: Int64]

    /// Takes the lease when it is free or our own; nothing while another holder renews it.
    static func take(_ pool: PostgresPool, holder: UUID) async throws -> RelayLease? {
        let taken = try await pool.query(
            """
            update relay set epoch = epoch + 1, holder = $1,
                lease_until = clock_timestamp() + $2 * interval '1 millisecond'
            where lease_until < clock_timestamp() or holder = $1
            returning epoch, cursor, rewind_to
            """, [.uuid(holder), .int(duration.milliseconds)])
        guard let row = taken.first else { return nil }
        let store = try await pool.query(
            """
            select h.incarnation, i.parent, i.fork, h.refused from head h join incarnations i using (incarnation)
            """)
        let identity = store.rows[0]
        let ancestors = try await pool.query(
            """
            with recursive line (incarnation, parent, fork, shared) as (
                select i.incarnation, i.parent, i.fork, 9223372036854775807 from head h join incarnations i using (incarnation)
                union all
                select i.incarnation, i.parent, i.fork, least(l.shared, l.fork)
                from line l join incarnations i on i.incarnation = l.parent)
            select incarnation, shared from line
            """)
        return RelayLease(
            epoch: row.int(0), cursor: row.int(1), rewindTo: row.optional(2, PostgresRow.int),
            incarnation: identity.uuid(0), parent: identity.optional(1, PostgresRow.uuid), fork: identity.int(2),
            refused: identity.optional(3, PostgresRow.text),
            lineage: Dictionary(uniqueKeysWithValues: ancestors.rows.map { ($0.uuid(0), $0.int(1)) }))
    }

    /// Moves the cursor and renews the lease, if it is still ours and the cursor is where we left it.
    ///
    /// - Throws: ``RelayTrouble/leaseLost``.
    func advance(_ pool: PostgresPool, from old: Int64, to new: Int64, _ tails: [PartitionTail]) async throws {
        let result = try await pool.query(
            """
            with moved as (
                update relay set cursor = $3, rewind_to = null,
                    lease_until = clock_timestamp() + $4 * interval '1 millisecond'
                where epoch = $1 and cursor = $2 returning 1),
            tails as (
                insert into relay_partitions (partition, last_offset, last_position, last_epoch)
                select t.partition, t.last_offset, t.last_position, $1
                from unnest($5, $6, $7) as t (partition, last_offset, last_position) where exists (select from moved)
                on conflict (partition) do update set last_offset = excluded.last_offset,
                    last_position = excluded.last_position, last_epoch = excluded.last_epoch)
            select count(*) from moved
            """,
            [
                .int(epoch), .int(old), .int(new), .int(Self.duration.milliseconds),
                .ints(tails.map { Int64($0.partition) }), .ints(tails.map(\.offset)), .ints(tails.map(\.position)),
            ])
        if result.first?.int(0) != 1 { throw RelayTrouble.leaseLost }
    }

    /// Gives the lease back, so that another instance need not wait for its end.
    func release(_ pool: PostgresPool) async {
        _ = try? await pool.query(
            "update relay set lease_until = '-infinity' where epoch = $1", [.int(epoch)])
    }
}

/// The last record of the chain in a partition.
struct PartitionTail: Sendable {
    var partition: Int32
    /// The record's offset; -1 when there is none.
    var offset: Int64
    /// The record's position in the log; what the next record names as its previous.
    var position: Int64
    /// Bytes in the partition, as far as read or written; counted for the development broker, which drops the oldest.
    var bytes = 0
}
