import Contracts
import EventSourcing
import Kafka

/// A piece of the log as it will go out. It says nothing yet of what came before it in its partitions, so it can be made
/// away from the loop, while the piece before it is on its way.
struct Draft: Sendable {
    /// An event, and the record that it is published as, if it is.
    struct Entry: Sendable {
        let position: Int64
        var record: OutgoingRecord?
    }

    private(set) var entries: [Entry] = []
    /// Why the event behind the entries cannot go out.
    private(set) var trouble: RelayTrouble?

    /// The position of the last entry.
    var last: Int64? { entries.last?.position }

    /// Whether there was nothing to read.
    var isEmpty: Bool { entries.isEmpty && trouble == nil }

    /// Whether a limit of events was reached, so that there may be more.
    func isFull(_ limit: Int) -> Bool { entries.count == limit }

    init(
        _ events: [RecordedEvent], _ records: RelayRecords,
        _ publication: (RecordedEvent) throws(EventDecodingError) -> Outgoing?
    ) {
        entries.reserveCapacity(events.count)
        for event in events {
            do throws(EventDecodingError) {
                let record = try publication(event).map { records.message($0, of: event) }
                entries.append(Entry(position: event.position, record: record))
            } catch {
                trouble = .unreadableEvent(position: event.position, error)
                return
            }
        }
    }
}
