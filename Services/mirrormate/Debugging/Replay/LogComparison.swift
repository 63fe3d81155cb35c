import Contracts
import EventSourcing
import History
import Kafka
import Postgres
import Primitives
import Runtime

/// Compares what a log says was published with what its topic holds.
@Loop struct LogComparison {
    let store: HistoryStore
    let scans: [PartitionScan]
    let cursor: Int64
    let head: Int64

    private static let batchSize = 5_000

    func faults() async throws -> [LedgerFault] {
        let topic = Topic(store.service)
        let shared = try await lineage()
        var inTopic = scans.map { scan in
            Dictionary(scan.messages.map { ($0.position, $0) }, uniquingKeysWith: { _, last in last })
        }
        // The development broker drops its oldest records, and retention may have been set.
        let firstKept = scans.map { $0.low > 0 ? ($0.messages.first?.position ?? .max) : 0 }
        var faults: [LedgerFault] = []
        var place: Int64 = 0
        while place < cursor {
            let events = try await store.events(
                where: "position > $1 and position <= $2", [.int(place), .int(cursor)], limit: Self.batchSize)
            guard let last = events.last else { break }
            for event in events {
                guard let outgoing = try store.history.publication(event) else { continue }
                let partition = Int(topic.partition(of: outgoing.key))
                let found = inTopic[partition].removeValue(forKey: event.position)
                if let found, found.id != event.id {
                    faults.append(
                        wentBack(scans[partition].place, found, "another event is in the log at that position"))
                } else if found == nil, event.position >= firstKept[partition] {
                    faults.append(
                        LedgerFault(
                            kind: .lost, place: "\(scans[partition].place)",
                            detail:
                                "\(store.service.rawValue)/\(event.position) \(outgoing.type.name) was published by "
                                + "the log's account and is not there"))
                }
            }
            place = last.position
        }
        for (partition, rest) in inTopic.enumerated() {
            for message in rest.values.sorted(by: { $0.position < $1.position }) {
                guard let fork = shared[message.incarnation] else {
                    faults.append(
                        wentBack(scans[partition].place, message, "it is of an incarnation that it never had"))
                    continue
                }
                // Beyond a fork lies what a confirmed restore has undone.
                if message.position <= fork, message.position > head {
                    faults.append(wentBack(scans[partition].place, message, "the log ends at \(head)"))
                }
            }
        }
        return faults
    }

    private func wentBack(_ place: TopicPartition, _ message: PartitionScan.Message, _ why: String) -> LedgerFault {
        LedgerFault(
            kind: .databaseWentBack, place: "\(place)@\(message.offset)",
            detail: "the topic holds position \(message.position) of \(store.service.rawValue), but \(why)")
    }

    /// The incarnations of the store with the last position of each that still is history.
    private func lineage() async throws -> [UUID: Int64] {
        let rows = try await store.pool.query(
            """
            with recursive line (incarnation, parent, fork, shared) as (
                select i.incarnation, i.parent, i.fork, 9223372036854775807
                from head h join incarnations i using (incarnation)
                union all
                select i.incarnation, i.parent, i.fork, least(l.shared, l.fork)
                from line l join incarnations i on i.incarnation = l.parent)
            select incarnation, shared from line
            union all
            select c.incarnation, least(l.shared, l.fork) from line l join cut_incarnations c on c.successor = l.incarnation
            """
        ).rows
        return Dictionary(rows.map { ($0.uuid(0), $0.int(1)) }, uniquingKeysWith: min)
    }
}
