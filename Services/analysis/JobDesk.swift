import EventSourcing
import EventStore
import Postgres
import Primitives
import Runtime

/// Puts a worker's commands to one job.
@Loop struct JobDesk {
    typealias Outcome = CommandHandler<Job>.Outcome

    let store: EventStore
    let stream: StreamName
    let metadata: EventMetadata

    /// The present by PostgreSQL's clock, the one that leases are judged by.
    static func now(_ store: EventStore) async throws -> Timestamp {
        try await store.pool.query("select clock_timestamp()").rows[0].time(0)
    }

    /// Puts a command, once.
    ///
    /// - Throws: ``JobRefusal``, `AppendError` or `PostgresError`.
    func put(
        _ command: JobCommand, id: UUID = .v7(), calls: ([JobEvent]) -> [RowCall] = { _ in [] }
    ) async throws -> Outcome {
        try await CommandHandler<Job>(store).handle(
            command, on: stream, id: id, requestHash: id.bytes, metadata: metadata
        ) { _, events in calls(events) }
    }

    /// Writes rows without an event.
    func write(_ calls: [RowCall], thoughErased: Bool = false) async throws {
        try await store.append(
            Append(
                id: .v7(), requestHash: [], metadata: metadata, writes: [], calls: calls, thoughErased: thoughErased))
    }

    /// Does something that matters, again and again while the database is away, for up to five minutes.
    ///
    /// - Parameter work: gets the same id each time, so that what took effect without an answer is not done twice.
    func persisting<T: Sendable>(_ work: @Loop (_ id: UUID) async throws -> T) async throws -> T {
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
