import Contracts
import EventSourcing
import EventStore
import Runtime

/// Finds the ends of the partitions' chains as they were at an earlier position.
@Loop struct RewoundChain {
    let connection: any LeaseConnection
    let topic: Topic
    let publication: (RecordedEvent) throws(EventDecodingError) -> Outgoing?
    /// Called at every step, to show that a long read is alive.
    let progress: @Loop () -> Void

    /// The tails with the positions they had when the cursor was at `position`, so that everything after it is published
    /// again.
    ///
    /// - Throws: ``RelayTrouble/unreadableEvent(position:_:)`` or `PostgresError`.
    func tails(_ tails: [PartitionTail], at position: Int64) async throws -> [PartitionTail] {
        var result = tails
        for index in result.indices { (result[index].position, result[index].id) = (0, nil) }
        var read: Int64 = 0
        while read < position {
            let events = try await connection.readLog(after: read, limit: 1000)
            guard let last = events.last else { break }
            for event in events where event.position <= position {
                do throws(EventDecodingError) {
                    guard let outgoing = try publication(event) else { continue }
                    result[Int(topic.partition(of: outgoing.key))].position = event.position
                } catch {
                    throw RelayTrouble.unreadableEvent(position: event.position, error)
                }
            }
            read = last.position
            progress()
        }
        return result
    }
}
