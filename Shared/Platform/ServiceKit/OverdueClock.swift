package import EventSourcing
package import EventStore
import JSON
import Observability
package import Postgres
package import Primitives
package import Runtime

/// Puts a command to every aggregate whose time is up.
///
/// It finds candidates in a read model by PostgreSQL's clock; the decider decides on each, so a late read model does no harm,
/// and instances that find the same one use the same command id. One that fails holds up no other (``RowByRow``).
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
    private let rows: RowByRow
    private let actor: String
    private let candidates: String
    private let due: (PostgresRow) -> Due?
    /// Whether a row may be noted that is done, or found no more.
    private var mayBeStuck = true
    /// Whether the last round found anything: there may be more.
    private var hasFound = false

    /// - Parameters:
    ///   - name: of its lines in the log, and of its rows that fail; never rename it.
    ///   - actor: who is recorded as having done it.
    ///   - candidates: a statement that finds a few rows that are due, and none that has failed within the last half minute: so many
    ///     of them would leave no room for others.
    package init(
        _: A.Type, _ store: EventStore, name: String, actor: String, candidates: String,
        due: @escaping (PostgresRow) -> Due?
    ) {
        self.store = store
        log = Logger(label: name)
        rows = RowByRow(name, store, log)
        self.actor = actor
        self.candidates = candidates
        self.due = due
    }

    /// Looks until the task is cancelled. A failure is logged once and tried again.
    ///
    /// - Parameter pause: between looks that find nothing; as long as there is something to do or to try again it is a second.
    package func run(every pause: Duration = .seconds(1)) async {
        let work = RepeatedWork(log, orElse: "what is overdue could not be ended")
        await work.run(pausing: {
            try await Loop.sleep(for: hasFound || mayBeStuck ? min(.seconds(1), pause) : pause)
        }) {
            // A round that failed is tried again soon.
            hasFound = true
            try await look()
        }
    }

    /// One round over all that is due.
    ///
    /// - Throws: what meets all of them alike, such as `PostgresError` of a database that is away.
    package func look() async throws {
        let found = try await store.pool.query(candidates).rows.compactMap(due)
        hasFound = !found.isEmpty
        guard !found.isEmpty || mayBeStuck else { return }
        mayBeStuck = true
        try await rows.run(found, key: { $0.stream.description }) { due, _ in
            _ = try await CommandHandler<A>(store).handle(
                due.command, on: due.stream, id: due.id, requestHash: due.id.bytes,
                metadata: EventMetadata(owner: due.owner, correlation: .v7(), actor: actor))
        }
        mayBeStuck = try await rows.forget(allBut: found.map(\.stream.description))
    }
}
