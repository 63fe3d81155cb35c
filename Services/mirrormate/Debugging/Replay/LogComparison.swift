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
    /// The publisher's incarnations, each with its last position that is history.
    let shared: [UUID: Int64]
    /// Whether the relay publishes, and so has found that the database was not set back.
    let isPublishing: Bool

    private static let batchSize = 5_000

    func faults() async throws -> [LedgerFault] {
        let topic = Topic(store.service)
        var inTopic = scans.map { scan in
            Dictionary(scan.messages.map { ($0.position, $0) }, uniquingKeysWith: { _, last in last })
        }
        // The development broker drops its oldest records, and retention may have been set.
        let firstKept = scans.map { $0.low > 0 ? ($0.messages.first?.position ?? .max) : 0 }
        var doubted = scans.map(\.doubted)
        var faults: [LedgerFault] = []
        var read: Int64 = 0
        while read < head {
            let events = try await store.events(
                where: "position > $1 and position <= $2", [.int(read), .int(head)], limit: Self.batchSize)
            guard let last = events.last else { break }
            for event in events {
                guard let outgoing = try store.history.publication(event) else { continue }
                let partition = Int(topic.partition(of: outgoing.key))
                var found = inTopic[partition].removeValue(forKey: event.position)
                // Only the key that signed it is not known: it was dropped, and what still holds was announced again.
                let isSaid = doubted[partition][event.position]?.contains { $0.says(outgoing, of: event) } == true
                if isSaid { doubted[partition][event.position]?.removeAll { $0.says(outgoing, of: event) } }
                // Beyond a fork lies what a confirmed restore has undone.
                if let message = found, message.position > shared[message.incarnation] ?? .max { found = nil }
                if let found, found.id != event.id {
                    faults.append(
                        contradiction(
                            scans[partition], found, "the log has another event at that position",
                            isShadowing: scans[partition].passedOver[event.position]?.contains(event.id) == true))
                } else if found == nil, !isSaid, event.position <= cursor, event.position >= firstKept[partition] {
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
        faults += doubted.flatMap { $0.values.flatMap { $0 } }.sorted { $0.fault.place < $1.fault.place }.map(\.fault)
        for (partition, rest) in inTopic.enumerated() {
            for message in rest.values.sorted(by: { $0.position < $1.position }) {
                guard let fork = shared[message.incarnation] else {
                    faults.append(contradiction(scans[partition], message, "the log never had its incarnation"))
                    continue
                }
                if message.position > fork { continue }
                let why = message.position > head ? "the log ends at \(head)" : "the log publishes nothing like it"
                faults.append(contradiction(scans[partition], message, why))
            }
        }
        return faults
    }

    /// - Parameter isShadowing: whether the topic holds the log's own event of that position too, which consumers passed over.
    private func contradiction(
        _ scan: PartitionScan, _ message: PartitionScan.Message, _ why: String, isShadowing: Bool = false
    ) -> LedgerFault {
        let detail = "the topic holds position \(message.position) of \(store.service.rawValue), but \(why)"
        let isForged = isShadowing || isPublishing
        return LedgerFault(
            kind: isForged ? .forged : .databaseWentBack, place: "\(scan.topicPartition)@\(message.offset)",
            detail: isForged
                ? detail + ": somebody else wrote it, and consumers believed it"
                : detail + ": unless the database was restored, somebody else wrote it")
    }
}
