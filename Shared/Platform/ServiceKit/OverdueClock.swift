package import EventSourcing
package import EventStore
import JSON
package import Observability
package import Postgres
package import Primitives
package import Runtime

/// Puts a command to every aggregate whose time is up.
///
/// It finds candidates in a read model by PostgreSQL's clock; the decider decides on each, so a late read model does no harm,
/// and instances that find the same one use the same command id.
@Loop package final class OverdueClock<A: Aggregate> {
    /// The command for a candidate's row.
    package struct Due {
        let stream: StreamName
        let owner: UUID
        let id: UUID
        let command: A.Command

        /// - Parameter id: the same for the same row in every round.
        package init(_ command: A.Command, on stream: StreamName, owner: UUID, id: UUID) {
            self.stream = stream
            self.owner = owner
            self.id = id
            self.command = command
        }
    }

    private let store: EventStore
    private let log: Logger
    private let actor: String
    private let candidates: String
    private let due: (PostgresRow) -> Due?

    /// - Parameters:
    ///   - actor: who is recorded as having done it.
    ///   - candidates: a statement that finds a few rows that are due.
    package init(
        _: A.Type, _ store: EventStore, _ log: Logger, actor: String, candidates: String,
        due: @escaping (PostgresRow) -> Due?
    ) {
        self.store = store
        self.log = log
        self.actor = actor
        self.candidates = candidates
        self.due = due
    }

    /// Looks every second until the task is cancelled. A failure is logged once and tried again.
    package func run() async {
        await RepeatedWork(log, orElse: "what is overdue could not be ended").run(every: .seconds(1)) {
            try await look()
        }
    }

    private func look() async throws {
        for row in try await store.pool.query(candidates).rows {
            guard let due = due(row) else { continue }
            _ = try await CommandHandler<A>(store).handle(
                due.command, on: due.stream, id: due.id, requestHash: due.id.bytes,
                metadata: EventMetadata(owner: due.owner, correlation: .v7(), actor: actor))
        }
    }
}
