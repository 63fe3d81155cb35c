import Contracts
import EventSourcing
import EventStore
import Runtime

/// Reads the log as drafts, some of them ahead of what is being sent: the database and other threads work meanwhile.
@Loop final class DraftReader {
    private static let batchSize = 1_000
    private static let depth = 3

    private struct Reading {
        /// The position behind which it begins.
        let start: Int64
        let draft: Task<Draft, any Error>
    }

    private let store: EventStore
    private let records: RelayRecords
    private let publication: @Sendable (RecordedEvent) throws(EventDecodingError) -> Outgoing?
    private var ahead: [Reading] = []

    init(
        _ store: EventStore, _ records: RelayRecords,
        _ publication: @escaping @Sendable (RecordedEvent) throws(EventDecodingError) -> Outgoing?
    ) {
        self.store = store
        self.records = records
        self.publication = publication
    }

    /// The log behind a position. Empty when nothing is there.
    func next(after position: Int64) async throws -> Draft {
        if ahead.first?.start != position { ahead = [] }
        let isAhead = !ahead.isEmpty
        var draft = try await (isAhead ? ahead.removeFirst() : read(after: position)).draft.value
        // What was read ahead may have come to the log's end of that time.
        if isAhead, draft.isEmpty {
            ahead = []
            draft = try await read(after: position).draft.value
        }
        if let last = draft.last, draft.isFull(Self.batchSize) {
            // The log has no gaps: where a full piece ends is known before it is read.
            while ahead.count < Self.depth {
                ahead.append(read(after: ahead.last.map { $0.start + Int64(Self.batchSize) } ?? last))
            }
        }
        return draft
    }

    /// Gives up what is being read.
    func stop() { for reading in ahead { reading.draft.cancel() } }

    private func read(after position: Int64) -> Reading {
        Reading(
            start: position,
            draft: Loop.task { [store, records, publication] in
                try await store.readLog(after: position, limit: Self.batchSize) { Draft($0, records, publication) }
            })
    }
}
