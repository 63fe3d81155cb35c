import Contracts
import EventSourcing
import EventStore
import Runtime

/// Reads the log as drafts, one ahead of what is being sent: the database and another thread work meanwhile.
@Loop final class DraftReader {
    private static let batchSize = 500

    private let store: EventStore
    private let records: RelayRecords
    private let publication: @Sendable (RecordedEvent) throws(EventDecodingError) -> Outgoing?
    private var ahead: Task<Draft, any Error>?

    init(
        _ store: EventStore, _ records: RelayRecords,
        _ publication: @escaping @Sendable (RecordedEvent) throws(EventDecodingError) -> Outgoing?
    ) {
        self.store = store
        self.records = records
        self.publication = publication
    }

    /// The log behind a position: that of the last draft's end, or any at first. Empty when nothing is there.
    func next(after position: Int64) async throws -> Draft {
        var draft = try await (ahead ?? read(after: position)).value
        // What was read ahead may have come to the log's end of that time.
        if ahead != nil, draft.isEmpty { draft = try await read(after: position).value }
        ahead = nil
        if let last = draft.last, draft.isFull(Self.batchSize) { ahead = read(after: last) }
        return draft
    }

    /// Gives up what is being read.
    func stop() { ahead?.cancel() }

    private func read(after position: Int64) -> Task<Draft, any Error> {
        Loop.task { [store, records, publication] in
            try await store.readLog(after: position, limit: Self.batchSize) { Draft($0, records, publication) }
        }
    }
}
