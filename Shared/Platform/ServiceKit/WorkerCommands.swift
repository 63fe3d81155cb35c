package import EventSourcing
package import EventStore
import JSON
package import Observability
import Postgres
package import Primitives
package import Runtime

/// Puts the commands of one worker to one aggregate, and does not give up while the database is unreachable.
@Loop package struct WorkerCommands<A: Aggregate> {
    package typealias Outcome = CommandHandler<A>.Outcome

    package let store: EventStore
    package let stream: StreamName
    package let metadata: EventMetadata

    package init(store: EventStore, stream: StreamName, metadata: EventMetadata) {
        self.store = store
        self.stream = stream
        self.metadata = metadata
    }

    /// The current time by PostgreSQL's clock, which leases are measured with.
    ///
    /// - Throws: `PostgresError`, `CancellationError` if the task is cancelled.
    package static func now(_ store: EventStore) async throws -> Timestamp {
        try await store.pool.query("select clock_timestamp()").rows[0].time(0)
    }

    /// Puts a command, once.
    ///
    /// - Throws: the domain's refusal (`A.Refusal`), `AppendError` or `PostgresError`.
    @discardableResult
    package func put(
        _ command: A.Command, id: UUID = .v7(), calls: ([A.Event]) -> [RowCall] = { _ in [] }
    ) async throws -> Outcome {
        try await CommandHandler<A>(store).handle(
            command, on: stream, id: id, requestHash: id.bytes, metadata: metadata
        ) { _, events in calls(events) }
    }

    /// Puts a command that reports an outcome: again and again while the database is unreachable, for up to five minutes.
    ///
    /// - Parameter command: made from the current time by PostgreSQL's clock.
    /// - Throws: as ``put(_:id:calls:)``.
    package func insist(
        on command: (Timestamp) -> A.Command, calls: ([A.Event]) -> [RowCall] = { _ in [] }
    ) async throws {
        try await persisting { id in
            let now = try await Self.now(store)
            try await put(command(now), id: id, calls: calls)
        }
    }

    /// Puts a command at intervals until it is refused, the owner is erased or the task is cancelled. Any
    /// other failure is logged; the next command makes up for it.
    ///
    /// - Parameter command: made from the current time by PostgreSQL's clock.
    /// - Throws: `CancellationError`.
    package func repeating(every interval: Duration, log: Logger, _ command: (Timestamp) -> A.Command) async throws {
        while true {
            try await Loop.sleep(for: interval)
            do {
                try await put(command(try await Self.now(store)))
            } catch is A.Refusal {
                return
            } catch AppendError.erased {
                return
            } catch {
                try Task.checkCancellation()
                log.warning(
                    "a repeated command was lost",
                    ["stream": .string(stream.description), "reason": .string("\(error)")])
            }
        }
    }

    /// Waits until the aggregate is no longer in a wanted state.
    ///
    /// - Throws: `CancellationError`; while the database is unreachable, the wait continues.
    package func wait(while isWanted: (A.State) -> Bool) async throws {
        while true {
            let mark = store.head.position
            do {
                if try await !isWanted(CommandHandler<A>(store).load(stream).state) { return }
            } catch {
                try Task.checkCancellation()
            }
            try await store.head.wait(for: stream, since: mark, atMost: .seconds(1))
        }
    }

    /// Writes rows without an event.
    ///
    /// - Throws: `AppendError`, such as `erased` when the owner is and `thoughErased` is false.
    package func write(_ calls: [RowCall], thoughErased: Bool = false) async throws {
        try await store.append(
            Append(
                id: .v7(), requestHash: [], metadata: metadata, writes: [], calls: calls, thoughErased: thoughErased))
    }

    /// Does something that matters, again and again while the database is unreachable, for up to five minutes.
    ///
    /// - Parameter work: gets the same id each time, so that what took effect without an answer is not done twice.
    func persisting(_ work: @Loop (_ id: UUID) async throws -> Void) async throws {
        let id = UUID.v7()
        let end = ContinuousClock.now + .seconds(300)
        var pause = Duration.milliseconds(100)
        while true {
            do {
                return try await work(id)
            } catch let error where Self.isPassing(error) && ContinuousClock.now < end {
                try await Loop.sleep(for: pause)
                pause = min(pause * 2, .seconds(5))
            }
        }
    }

    private static func isPassing(_ error: any Error) -> Bool {
        switch error {
        case AppendError.unavailable, AppendError.storeRefused, AppendError.conflict: true
        case let error as PostgresError: error.isRetriable
        default: false
        }
    }
}
