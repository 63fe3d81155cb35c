import Contracts
import EventSourcing
import History
import Kafka
import Postgres
import Primitives
import Runtime

/// A consumer's row for one partition.
struct ConsumerMark: Sendable {
    let topic: String
    let partition: Int32
    let nextOffset: Int64
    let lastIdentity: String?
    let seen: Int64
    /// The record that was begun last after an unclean end, and how often; both stay behind when it is long done.
    let suspect: String?
    let attempts: Int64
    let alarm: String?
    /// Set if the publisher's history was cut off: `seen` is not a message's own position then.
    let fork: Int64?

    @Loop static func all(_ store: HistoryStore) async throws -> [ConsumerMark] {
        try await store.pool.query(
            """
            select topic, partition, next_offset, last_identity, seen, attempts, alarm, fork, suspect
            from consumer_partitions
            """
        ).rows.map { row in
            ConsumerMark(
                topic: row.text(0), partition: Int32(row.int(1)), nextOffset: row.int(2),
                lastIdentity: row.optional(3, PostgresRow.text), seen: row.int(4),
                suspect: row.optional(8, PostgresRow.text), attempts: row.int(5),
                alarm: row.optional(6, PostgresRow.text), fork: row.optional(7, PostgresRow.int))
        }
    }

    /// What is wrong with the row, compared with the partition.
    func faults(_ service: ServiceName, _ scan: PartitionScan, isReset: Bool) -> [LedgerFault] {
        var faults: [LedgerFault] = []
        let place = "\(service.rawValue) ← \(scan.topicPartition)"
        if let alarm { faults.append(LedgerFault(kind: .chainBroken, place: place, detail: alarm)) }
        guard let lastIdentity, nextOffset > scan.low, !isReset else { return faults }
        guard nextOffset <= scan.high else {
            faults.append(
                LedgerFault(
                    kind: .offsetMoved, place: place,
                    detail: "it would continue at offset \(nextOffset), but the partition ends at \(scan.high)"))
            return faults
        }
        let found = scan.identities[nextOffset - 1]
        if found != lastIdentity {
            faults.append(
                LedgerFault(
                    kind: .offsetMoved, place: place,
                    detail: "the record before offset \(nextOffset) is \(found ?? "missing"), not \(lastIdentity)"))
            return faults
        }
        let above = scan.messages.filter { $0.offset < nextOffset }.map(\.position).max() ?? 0
        if seen != above, scan.low == 0, fork == nil {
            faults.append(
                LedgerFault(
                    kind: .offsetMoved, place: place,
                    detail: "it has seen position \(seen), but before offset \(nextOffset) the partition holds \(above)"
                ))
        }
        return faults
    }

    /// Whether the remembered record is still where it was.
    func stands(in scan: PartitionScan) -> Bool {
        nextOffset <= scan.high && scan.identities[nextOffset - 1] == lastIdentity
    }

    /// The record that may end the process, when it is one of those that wait: what lies below the mark is done, and a record of
    /// another incarnation of the topic is not there.
    func suspected(in scan: PartitionScan) -> (offset: Int64, attempts: Int64)? {
        guard let suspect, attempts > 0 else { return nil }
        let offset = scan.identities.first { $0.key >= nextOffset && $0.value == suspect }?.key
        return offset.map { ($0, attempts) }
    }

    /// Why messages after the mark are waiting.
    @Loop func cause(_ store: HistoryStore, _ scan: PartitionScan) async throws -> String {
        if let alarm { return "its chain is broken: \(alarm)" }
        if let suspected = suspected(in: scan) {
            return "the record at offset \(suspected.offset) may end its process: it was begun \(suspected.attempts) "
                + "time\(suspected.attempts == 1 ? "" : "s") after an unclean end"
        }
        if let blocker = try await store.blocker() { return blocker }
        let connections = try await store.pool.query(
            "select count(*) from pg_stat_activity where usename = $1 and application_name <> 'mirrormate'",
            [.text(store.service.rawValue)]
        ).rows[0].int(0)
        return connections == 0 ? "the service does not run: nobody is connected as it" : "its handler is slow or stuck"
    }
}

/// Where a relay last wrote in a partition, as it remembers.
struct RelayTail: Sendable {
    let offset: Int64
    let identitySuffix: String

    @Loop static func all(_ store: HistoryStore) async throws -> [Int32: RelayTail] {
        let rows = try await store.pool.query(
            "select partition, last_offset, last_position from relay_partitions where last_offset >= 0"
        ).rows
        return Dictionary(
            uniqueKeysWithValues: rows.map {
                (Int32($0.int(0)), RelayTail(offset: $0.int(1), identitySuffix: "/\($0.int(2))"))
            })
    }
}

extension PartitionScan {
    /// Whether the partition is a different one than the relay wrote to.
    func isReset(_ tails: [Int32: RelayTail]) -> Bool {
        guard let tail = tails[topicPartition.partition], tail.offset >= low else { return false }
        guard let identity = identities[tail.offset] else { return true }
        return !identity.hasSuffix(tail.identitySuffix)
    }
}

extension HistoryStore {
    /// How long the first event after a position has been waiting, by the database's clock.
    ///
    /// - Parameter publishedOnly: whether to count only events that are published.
    func waiting(behind position: Int64, publishedOnly: Bool = false) async throws -> Duration {
        var read = position
        while true {
            let events = try await events(where: "position > $1", [.int(read)], limit: publishedOnly ? 500 : 1)
            guard let last = events.last else { return .zero }
            for event in events where try !publishedOnly || history.publication(event) != nil {
                let now = try await pool.query("select clock_timestamp()").rows[0].time(0)
                return max(now - event.recordedAt, .zero)
            }
            read = last.position
        }
    }

    /// The process that keeps the service's statements waiting; nil if there is none.
    func blocker() async throws -> String? {
        let row = try await pool.query(
            """
            select b.pid, b.application_name, coalesce(extract(epoch from clock_timestamp() - b.xact_start)::bigint, 0)
            from pg_stat_activity w cross join lateral unnest(pg_blocking_pids(w.pid)) as p (pid)
                join pg_stat_activity b on b.pid = p.pid
            where w.datname = current_database() and w.usename = $1
            order by 3 desc limit 1
            """, [.text(service.rawValue)]
        ).first
        return row.map {
            "process \($0.int(0)) (\($0.text(1))) has held a lock that its statements wait for, for \($0.int(2)) s"
        }
    }
}
