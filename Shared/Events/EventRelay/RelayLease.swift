import EventStore
import Postgres
import Primitives
import Runtime

/// The right to publish a service's log, held by one process at a time; kept in PostgreSQL, with an epoch that counts its
/// holders.
@Loop struct RelayLease {
    /// How long a lease lasts without renewal, by PostgreSQL's clock.
    static let duration = Duration.seconds(6)

    /// Rises with every takeover; in every record's headers.
    let epoch: Int64
    /// Everything up to here is published.
    let cursor: Int64
    /// The position after which an operator asked to publish everything again; usually nil.
    let rewindTo: Int64?
    /// The store's identity.
    let incarnation: UUID
    let parent: UUID?
    /// The last position shared with the parent; 0 for the first incarnation.
    let fork: Int64
    /// Every incarnation that this store has had or a restore has cut off, each with its last position that is history.
    let lineage: [UUID: Int64]
    /// What somebody else wrote into the topic and made this incarnation begin; usually nil.
    let disowned: Set<DisownedRecord>?

    /// Takes the lease if it is free or already ours; nil while another holder renews it.
    ///
    /// The connection belongs to the lease: if it breaks, the lease ends, because a new one may lead to another database.
    static func take(_ connection: PostgresConnection, holder: UUID) async throws -> RelayLease? {
        let taken = try await connection.query(
            """
            update relay set epoch = epoch + 1, holder = $1,
                lease_until = clock_timestamp() + $2 * interval '1 millisecond'
            where lease_until < clock_timestamp() or holder = $1
            returning epoch, cursor, rewind_to
            """, [.uuid(holder), .int(duration.milliseconds)])
        guard let row = taken.first else { return nil }
        // In a later statement, with a later snapshot: a restore confirmed before the lease became ours must be seen.
        let lineage = try await Lineage.read(connection)
        return RelayLease(
            epoch: row.int(0), cursor: row.int(1), rewindTo: row.optional(2, PostgresRow.int),
            incarnation: lineage.incarnation, parent: lineage.parent, fork: lineage.fork, lineage: lineage.shared,
            disowned: lineage.disowned)
    }

    /// Moves the cursor and renews the lease, if it is still ours and the cursor is where we left it.
    ///
    /// Does not wait for the disk: if a crash of PostgreSQL sets the cursor back, the next lease finds in the topic what is
    /// already there.
    ///
    /// - Throws: ``RelayTrouble/leaseLost``.
    func advance(
        _ connection: PostgresConnection, from old: Int64, to new: Int64, _ tails: [PartitionTail],
        rewindIsDone: Bool = false
    ) async throws {
        let result = try await connection.query(
            """
            with moved as (
                update relay set cursor = $3, rewind_to = case when $9 then null else rewind_to end,
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
                .int(epoch), .int(old), .int(new), .int(Self.duration.milliseconds),
                .ints(tails.map { Int64($0.partition) }), .ints(tails.map(\.offset)), .ints(tails.map(\.position)),
                .ints(tails.map(\.epoch)), .bool(rewindIsDone),
            ])
        if result.first?.int(0) != 1 { throw RelayTrouble.leaseLost }
    }

    /// Whether the lease is still ours; renews it if asked to.
    func isHeld(_ pool: PostgresPool, renewing: Bool) async throws -> Bool {
        let sql =
            renewing
            ? "update relay set lease_until = clock_timestamp() + $2 * interval '1 millisecond' where epoch = $1"
            : "select from relay where epoch = $1 and $2 > 0"
        let result = try await pool.query(sql, [.int(epoch), .int(Self.duration.milliseconds)])
        return renewing ? result.affected == 1 : result.count == 1
    }

    /// Reacts to a higher epoch in the topic. Ours is void then; but if the database knows of no such epoch, it went back in
    /// time and must continue from there, or consumers would take the new records for a zombie's.
    func settle(_ connection: PostgresConnection, with epoch: Int64) async throws -> RelayTrouble {
        let raised = try await connection.query(
            "update relay set epoch = $2 where epoch = $1", [.int(self.epoch), .int(epoch)])
        return raised.affected == 1 ? .epochBehind(epoch) : .leaseLost
    }

    /// Refuses appends until a restore is confirmed, because topic and log disagree; without effect when the lease is not ours
    /// any more, or history has gone on under another name since.
    ///
    /// - Parameter connection: the lease's own, because another may lead to another database.
    func refuseAppends(_ connection: PostgresConnection, because reason: String) async throws {
        _ = try await connection.query(
            "select refuse_appends($1, $2, $3)", [.text(reason), .int(epoch), .uuid(incarnation)])
    }

    /// Releases the lease, so that another instance need not wait for it to expire.
    func release(_ pool: PostgresPool) async {
        _ = try? await pool.query(
            "update relay set lease_until = '-infinity' where epoch = $1", [.int(epoch)])
    }
}
