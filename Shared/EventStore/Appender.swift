import EventSourcing
import Postgres
import Primitives
import Runtime

/// Commits appends in groups: while one batch is being flushed to disk the next one collects, so that many callers share
/// one commit and nobody holds the head lock during a round trip.
///
/// It owns one connection: more would only queue at the head lock.
@Loop final class Appender {
    private struct Pending {
        let append: Append
        let deadline: Int64
        let answer: Answer
    }

    /// The largest number of appends in one call.
    private static let batchLimit = 128

    private let settings: PostgresSettings
    private let deadline: Duration
    private let committed: @Loop (Int64) -> Void
    private var queue: [Pending] = []
    private var connection: PostgresConnection?
    private var isFlushing = false
    private var isClosed = false

    /// - Parameters:
    ///   - deadline: how long an append may wait for the database before its caller hears `unavailable`.
    ///   - committed: told the highest position of every batch that was committed.
    init(_ settings: PostgresSettings, deadline: Duration, committed: @escaping @Loop (Int64) -> Void) {
        self.settings = settings
        self.deadline = deadline
        self.committed = committed
    }

    /// Appends, and answers once it is durable. The caller's cancellation does not take an append back.
    func append(_ append: Append) async throws(AppendError) -> AppendReceipt {
        if let problem = append.dataProblem { throw .data(problem) }
        guard !isClosed else { throw .unavailable }
        let answer = Answer()
        queue.append(
            Pending(append: append, deadline: monotonicNanoseconds() + deadline.nanosecondsClamped, answer: answer))
        if !isFlushing {
            isFlushing = true
            Loop.task { await self.flush() }
        }
        return try await answer.value()
    }

    /// Waits for what is queued and closes the connection.
    func close() async {
        isClosed = true
        while isFlushing { try? await Loop.sleep(for: .milliseconds(5)) }
        connection?.close()
    }

    private func flush() async {
        defer { isFlushing = false }
        var pause = Duration.milliseconds(20)
        while !queue.isEmpty {
            let batch = takeBatch()
            do {
                try await commit(batch)
                pause = .milliseconds(20)
            } catch let error as PostgresError where error.isDataError && batch.count > 1 {
                // One append's data spoiled the statement: each is judged alone, so that no neighbour fails.
                for single in batch { await commitAlone(single) }
            } catch let error as PostgresError where !error.isRetriable {
                for pending in batch { pending.answer.give(.failure(.data(error.code.rawValue))) }
            } catch {
                // Unknown outcome: the ids make repeating safe. Those whose time is up hear of it.
                requeue(batch)
                try? await Loop.sleep(for: pause)
                pause = min(pause * 2, .milliseconds(500))
            }
        }
    }

    /// The longest run from the front without a repeated stream or id; the rest keeps its order for the next batch.
    private func takeBatch() -> [Pending] {
        var streams = Set<String>()
        var ids = Set<UUID>()
        var batch: [Pending] = []
        for pending in queue.prefix(Self.batchLimit) {
            let names = pending.append.writes.map(\.stream.description)
            if !streams.isDisjoint(with: names) || !ids.insert(pending.append.id).inserted { break }
            streams.formUnion(names)
            batch.append(pending)
        }
        queue.removeFirst(batch.count)
        return batch
    }

    private func commit(_ batch: [Pending]) async throws {
        let connection = try await openConnection()
        let call = AppendBatch(appends: batch.map(\.append))
        CrashPoint.reached("append.before-commit")
        let result = try await connection.query(call.sql, call.parameters)
        var highest: Int64 = 0
        for (pending, row) in zip(batch, result.rows) {
            let answer = AppendBatch.result(row)
            if case .success(let receipt) = answer, !receipt.isRepeat, receipt.position > 0 {
                let count = pending.append.writes.reduce(0) { $0 + $1.events.count }
                highest = max(highest, receipt.position + Int64(count) - 1)
            }
            pending.answer.give(answer)
        }
        CrashPoint.reached("append.after-commit")
        if highest > 0 { committed(highest) }
    }

    private func commitAlone(_ pending: Pending) async {
        do {
            try await commit([pending])
        } catch let error as PostgresError where !error.isRetriable {
            pending.answer.give(.failure(.data(error.code.rawValue)))
        } catch {
            requeue([pending])
        }
    }

    private func requeue(_ batch: [Pending]) {
        let now = monotonicNanoseconds()
        for pending in batch where pending.deadline <= now { pending.answer.give(.failure(.unavailable)) }
        queue.insert(contentsOf: batch.filter { $0.deadline > now }, at: 0)
    }

    private func openConnection() async throws -> PostgresConnection {
        if let connection, !connection.isBroken { return connection }
        let opened = try await PostgresConnection.open(settings)
        connection = opened
        return opened
    }
}

/// The answer that one caller waits for; deaf to cancellation, because the append happens all the same.
@Loop private final class Answer {
    private var result: Result<AppendReceipt, AppendError>?
    private var continuation: UnsafeContinuation<Void, Never>?

    func give(_ result: Result<AppendReceipt, AppendError>) {
        self.result = result
        continuation?.resume()
        continuation = nil
    }

    func value() async throws(AppendError) -> AppendReceipt {
        if result == nil { await withUnsafeContinuation { continuation = $0 } }
        return try result!.get()
    }
}
