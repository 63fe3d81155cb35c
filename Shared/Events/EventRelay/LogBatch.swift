import Contracts
import EventSourcing
import Kafka

/// A batch of the log as it will be published. It does not yet name the preceding messages of its partitions, so it can be
/// built off the loop while the batch before it is in flight.
struct LogBatch: Sendable {
    /// An event and the record that it is published as; nil for a private event.
    struct Entry: Sendable {
        let position: Int64
        var record: OutgoingRecord?
    }

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

    init(
        _ events: [RecordedEvent], _ records: RelayRecords,
        _ publication: (RecordedEvent) throws(EventDecodingError) -> Outgoing?
    ) {
        entries.reserveCapacity(events.count)
        for event in events {
            do throws(RelayTrouble) {
                entries.append(
                    Entry(position: event.position, record: try Self.record(of: event, records, publication)))
            } catch {
                trouble = error
                return
            }
        }
    }
}
