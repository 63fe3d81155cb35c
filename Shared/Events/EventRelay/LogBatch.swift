import Contracts
import EventSourcing
import Kafka
import Primitives

/// A batch of the log as it will be published. It does not yet name the preceding messages of its partitions, so it can be
/// built off the loop while the batch before it is in flight.
struct LogBatch: Sendable {
    /// An event and the record that it is published as; nil for a private event.
    struct Entry: Sendable {
        let position: Int64
        let id: UUID
        var record: OutgoingRecord?
    }

    /// The id of the event before the entries; nil when the log has none there.
    private(set) var anchor: UUID?
    private(set) var entries: [Entry] = []
    /// Why the event after the entries cannot be published.
    private(set) var trouble: RelayTrouble?

    /// The position of the last entry.
    var last: Int64? { entries.last?.position }

    /// Whether there was nothing left to read.
    var isEmpty: Bool { entries.isEmpty && trouble == nil }

    /// Whether the limit of events was reached, so that there may be more.
    func isFull(_ limit: Int) -> Bool { entries.count == limit }

    private static func record(
        of event: RecordedEvent, _ records: RelayRecords,
        _ publication: (RecordedEvent) throws(EventDecodingError) -> Outgoing?
    ) throws(RelayTrouble) -> OutgoingRecord? {
        let outgoing: Outgoing?
        do throws(EventDecodingError) { outgoing = try publication(event) } catch {
            throw .unreadableEvent(position: event.position, error)
        }
        guard let outgoing else { return nil }
        return try records.message(outgoing, of: event)
    }

    /// - Parameter position: where the batch begins; an event at it is the anchor.
    init(
        _ events: [RecordedEvent], after position: Int64, _ records: RelayRecords,
        _ publication: (RecordedEvent) throws(EventDecodingError) -> Outgoing?
    ) {
        entries.reserveCapacity(events.count)
        for event in events {
            if event.position <= position {
                anchor = event.id
                continue
            }
            do throws(RelayTrouble) {
                let record = try Self.record(of: event, records, publication)
                entries.append(Entry(position: event.position, id: event.id, record: record))
            } catch {
                trouble = error
                return
            }
        }
    }
}
