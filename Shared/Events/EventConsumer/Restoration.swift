import Contracts
import EventRelay
import EventSourcing
import EventStore
import Kafka
import Observability
import Primitives
import Runtime

/// Takes back what followed here from messages that a publisher's restored store never sent.
@Loop struct Restoration {
    let partition: TopicPartition
    let store: any ConsumerLog
    let handler: any MessageHandler
    let retrying: Retrying
    /// What is stored for the partition, and stays there until all is taken back.
    let watermark: Watermark

    /// Goes through the own log and takes back each event that answers a message beyond a fork.
    ///
    /// - Parameters:
    ///   - shared: earlier histories of the publisher, each with its last position that is still history.
    ///   - disowned: where the publisher has named what it never wrote into one of them: that alone is taken back of that one.
    /// - Throws: ``TakingBackRefused``: going on would leave the effect in place for ever, so the partition is held.
    func takeBack(beyond shared: [UUID: Int64], disowned: DisownedRecords?) async throws {
        do {
            try await retrying { try await self.scan(shared, disowned) }
        } catch let trouble as Unhandled {
            throw TakingBackRefused(code: trouble.code)
        }
    }

    private func scan(_ shared: [UUID: Int64], _ disowned: DisownedRecords?) async throws {
        let service = Topic.service(ofName: partition.topic)
        let gate = StandingGate(store, watermark)
        var position: Int64 = 0
        while true {
            let events = try await store.readLog(after: position, limit: 1000)
            guard let last = events.last else { return }
            for event in events {
                guard let origin = event.metadata.origin.flatMap({ MessageOrigin($0) }), origin.service == service,
                    let fork = shared[origin.incarnation], origin.position > fork,
                    disowned?.spares(origin, because: event.metadata.causation) != true
                else { continue }
                try await handler.takeBack(event, through: gate)
            }
            position = last.position
        }
    }
}

/// Lets appends pass only while a watermark stands. It moves with each effect, so whatever the log held behind it is still there.
@Loop private final class StandingGate: AppendGate {
    private let store: any ConsumerLog
    private let watermark: Watermark

    init(_ store: any ConsumerLog, _ watermark: Watermark) {
        self.store = store
        self.watermark = watermark
    }

    func append(_ append: Append) async throws(AppendError) -> AppendReceipt {
        try await store.append(append.adding([watermark.move(to: watermark)]))
    }
}

/// A message's effect could not be taken back.
struct TakingBackRefused: Error {
    let code: String
}

/// What a publisher has disowned of one of its histories.
struct DisownedRecords: Sendable {
    let incarnation: UUID
    let records: Set<DisownedRecord>

    /// Whether a message beyond the fork was the publisher's own all the same.
    func spares(_ origin: MessageOrigin, because id: UUID?) -> Bool {
        guard origin.incarnation == incarnation, let id else { return false }
        return !records.contains(DisownedRecord(position: origin.position, id: id))
    }
}

extension ChainRecord {
    /// What a lease record disowns of the history before.
    var disownedOfParent: DisownedRecords? {
        guard case .lease(let parent?, _) = kind, let disowned else { return nil }
        return DisownedRecords(incarnation: parent, records: disowned)
    }
}
