import Contracts
import History
import Kafka
import Postgres
import Primitives
import Runtime

extension Ledger {
    /// One consumer against one topic.
    func compare(
        _ consumer: HistoryStore, _ source: HistoryStore, _ marks: [ConsumerMark], _ scans: [PartitionScan],
        isReset: Bool
    ) async throws {
        var line = ConsumerLedger(source: source.service)
        let byPartition = Dictionary(uniqueKeysWithValues: marks.map { ($0.partition, $0) })
        // One moved offset is an accident of one row; a topic in which nothing is where it was is another topic.
        let remembered = scans.compactMap { scan in byPartition[scan.place.partition].map { ($0, scan) } }
            .filter { $0.0.lastIdentity != nil }
        let isAnother = remembered.count > 1 && remembered.allSatisfy { !$0.0.stands(in: $0.1) }
        if isAnother, !isReset {
            findings.faults.append(
                LedgerFault(
                    kind: .topicReset, place: "\(consumer.service.rawValue) ← \(Topic(source.service).name)",
                    detail: "none of \(remembered.count) partitions holds the record that it remembers: the topic was "
                        + "deleted and made anew"))
        }
        for scan in scans {
            let mark = byPartition[scan.place.partition]
            if let mark {
                findings.faults += mark.faults(consumer.service, scan, isReset: isReset || isAnother)
                line.seen = max(line.seen, mark.seen)
            }
            let unseen = scan.messages.filter { $0.position > mark?.seen ?? 0 && $0.offset >= mark?.nextOffset ?? 0 }
            guard let first = unseen.min(by: { $0.position < $1.position }) else { continue }
            line.behind += unseen.count
            let wait = try await source.waiting(behind: first.position - 1)
            line.late = max(line.late, wait)
            if wait > patience {
                let cause = try await mark?.cause(consumer) ?? "it was never claimed: is the service running?"
                line.cause = cause
                late("\(consumer.service.rawValue) ← \(scan.place)", wait, cause)
            }
        }
        var row = row(of: consumer.service)
        row.consumers.append(line)
        put(row)
    }

    func parked(_ store: HistoryStore) async throws -> Int64 {
        let rows = try await store.pool.query(
            """
            select topic, partition, key, count(*), (array_agg(reason order by id))[1], min(record_offset)
            from parked_messages group by 1, 2, 3 order by 1, 2, 3
            """
        ).rows
        for row in rows {
            let successors = row.int(3) - 1
            findings.faults.append(
                LedgerFault(
                    kind: .parked, place: "\(store.service.rawValue) ← \(row.text(0))[\(row.int(1))]@\(row.int(5))",
                    detail: "key \(row.text(2)): \(row.text(4))"
                        + (successors > 0 ? "; \(successors) more of that key wait behind it" : "")))
        }
        return rows.reduce(0) { $0 + $1.int(3) }
    }
}
