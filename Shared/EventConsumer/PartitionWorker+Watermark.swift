import EventStore
import Runtime

extension PartitionWorker {
    /// Stores the progress over records that needed nothing.
    func flush() async throws {
        guard alarm == nil, current.nextOffset != committed.nextOffset || current.seen != committed.seen else { return }
        try await move(to: current)
    }

    /// Moves the stored watermark without an effect.
    func move(to next: Watermark) async throws {
        let from = committed
        if try await !retrying({ try await from.move(self.store.pool, to: next) }) { throw LostPartition() }
        committed = next
        current = next
    }
}

/// Another owner has moved the partition's watermark.
struct LostPartition: Error {}

/// The message itself is the trouble.
struct Unhandled: Error {
    let code: String
}
