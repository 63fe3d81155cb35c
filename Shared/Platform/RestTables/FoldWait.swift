package import EventStore
import Postgres
package import Projections
package import Runtime

/// Waits until a read model has what the log had when somebody asked: clients of the compatible surface know no "not yet".
@Loop package struct FoldWait {
    private static let most = Duration.seconds(1)
    /// Another instance may fold, of which this one hears nothing.
    private static let pace = Duration.milliseconds(20)

    private let store: EventStore
    private let model: any LiveReadModel
    private let name: String

    /// - Parameter name: the read model's table.
    package init(_ model: any LiveReadModel, _ name: String, _ store: EventStore) {
        self.model = model
        self.name = name
        self.store = store
    }

    /// Returns when the rows hold it all, or after a second at most: then they are as old as they are.
    ///
    /// - Throws: `PostgresError`, or `CancellationError`.
    package func settled() async throws {
        let head = try await store.pool.query("select coalesce(max(position), 0) from events").rows[0].int(0)
        let end = monotonicNanoseconds() + Self.most.nanosecondsClamped
        while model.position < head {
            let known = try await store.pool.query(
                "select position from projections where name = $1", [.text(name)]
            ).first?.int(0)
            if known ?? 0 >= head || monotonicNanoseconds() >= end { return }
            try await model.folded.wait(atMost: Self.pace)
        }
    }
}
