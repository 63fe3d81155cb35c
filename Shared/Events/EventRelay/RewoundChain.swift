import Contracts
import EventSourcing
import EventStore
import Postgres
import Runtime

/// Finds the ends of the partitions' chains as they were at an earlier position.
@Loop struct RewoundChain {
    let store: EventStore
    let connection: PostgresConnection
    let topic: Topic
    let publication: (RecordedEvent) throws(EventDecodingError) -> Outgoing?
    /// Called for every step, so that a long reading is known to be alive.
    let progress: @Loop () -> Void

    /// The tails with the positions that they had when the cursor stood there, so that all behind it is published again.
    ///
    /// - Throws: ``RelayTrouble/unreadableEvent(position:_:)`` or `PostgresError`.
    func tails(_ tails: [PartitionTail], at position: Int64) async throws -> [PartitionTail] {
        var result = tails
        for index in result.indices { result[index].position = 0 }
        var place: Int64 = 0
        while place < position {
            let events = try await store.readLog(after: place, limit: 1000, on: connection)
            guard let last = events.last else { break }
            for event in events where event.position <= position {
                do throws(EventDecodingError) {
                    guard let outgoing = try publication(event) else { continue }
                    result[Int(topic.partition(of: outgoing.key))].position = event.position
                } catch {
                    throw RelayTrouble.unreadableEvent(position: event.position, error)
                }
            }
            place = last.position
            progress()
        }
        return result
    }
}
