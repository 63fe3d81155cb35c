import Contracts
import EventRelay
import EventSourcing
import History
import Kafka
import Postgres
import Primitives
import Runtime

/// Compares what was published according to a log with what its topic holds.
@Loop struct LogComparison {
    let store: HistoryStore
    let scans: [PartitionScan]
    let cursor: Int64
    let head: Int64

    private static let batchSize = 5_000

    func faults() async throws -> [LedgerFault] {
        let topic = Topic(store.service)
        let shared = try await store.pool.withConnection { try await Lineage.read($0).shared }
        var inTopic = scans.map { scan in
            Dictionary(scan.messages.map { ($0.position, $0) }, uniquingKeysWith: { _, last in last })
        }
        // The development broker drops its oldest records, and retention may have been set.
        let firstKept = scans.map { $0.low > 0 ? ($0.messages.first?.position ?? .max) : 0 }
        var faults: [LedgerFault] = []
        var read: Int64 = 0
        while read < cursor {
            let events = try await store.events(
                where: "position > $1 and position <= $2", [.int(read), .int(cursor)], limit: Self.batchSize)
            guard let last = events.last else { break }
            for event in events {
                guard let outgoing = try store.history.publication(event) else { continue }
                let partition = Int(topic.partition(of: outgoing.key))
                let found = inTopic[partition].removeValue(forKey: event.position)
                if let found, found.id != event.id {
                    faults.append(
                        wentBack(scans[partition].topicPartition, found, "the log has another event at that position"))
                } else if found == nil, event.position >= firstKept[partition] {
                    faults.append(
                        LedgerFault(
                            kind: .lost, place: "\(scans[partition].topicPartition)",
                            detail:
                                "\(store.service.rawValue)/\(event.position) \(outgoing.type.name) was published according to "
                                + "the log, but is missing"))
                }
            }
            read = last.position
        }
        for (partition, rest) in inTopic.enumerated() {
            for message in rest.values.sorted(by: { $0.position < $1.position }) {
                guard let fork = shared[message.incarnation] else {
                    faults.append(
                        wentBack(scans[partition].topicPartition, message, "the log never had its incarnation"))
                    continue
                }
                // Beyond a fork lies what a confirmed restore has undone.
                if message.position <= fork, message.position > head {
                    faults.append(wentBack(scans[partition].topicPartition, message, "the log ends at \(head)"))
                }
            }
        }
        return faults
    }

    private func wentBack(_ partition: TopicPartition, _ message: PartitionScan.Message, _ why: String) -> LedgerFault {
        LedgerFault(
            kind: .databaseWentBack, place: "\(partition)@\(message.offset)",
            detail: "the topic holds position \(message.position) of \(store.service.rawValue), but \(why)")
    }
}
