import EventSourcing
import Postgres
import Primitives
package import Runtime

/// Commits appends in groups: while one batch is being flushed to disk the next one collects, so that many callers share
/// one commit and nobody holds the head lock during a round trip.
@Loop package final class Appender {
    /// Appends that are committed atomically; usually one.
    private struct Pending {
        let appends: [Append]
        let answer: AppendAnswer

        @Loop func refuse(_ error: AppendError) { answer.give(appends.map { _ in .failure(error) }) }
    }

    /// A connection with one batch under way at a time.
    private final class Lane {
        var connection: (any AppendConnection)?
        var isBusy = false
    }

    /// The number of appends at which a batch is full.
    private static let batchLimit = 128

    private let connect: @Loop () async throws -> any AppendConnection
    private let deadline: Duration
    private let committed: @Loop (Int64) -> Void
    private var queue: [Pending] = []
    // One batch is made and sent while the other one is written. A third connection would only queue at the head lock.
    private let lanes = [Lane(), Lane()]
    private var isClosed = false

    /// - Parameters:
    ///   - deadline: how long an append may wait for the database before it fails with `unavailable`.
    ///   - committed: called with the highest position of every batch that was committed.
    ///   - connect: opens a connection.
    package init(
        deadline: Duration, committed: @escaping @Loop (Int64) -> Void,
        connect: @escaping @Loop () async throws -> any AppendConnection
    ) {
        self.connect = connect
        self.deadline = deadline
        self.committed = committed
    }

    /// Appends all of a group or nothing, and answers once it is durable; the results are in the group's order. Cancelling
    /// the caller does not withdraw an append.
    package func append(_ appends: [Append]) async -> [AppendResult] {
        if let refused = refusedBefore(appends) { return refused }
        let pending = Pending(appends: appends, answer: AppendAnswer())
        queue.append(pending)
        if let lane = lanes.first(where: { !$0.isBusy }) {
            lane.isBusy = true
            Loop.task { await self.flush(lane) }
        }
        // Even while a batch is stuck on a dead connection, no caller waits longer than the deadline.
        let timer = EventLoop.shared.schedule(after: deadline) { pending.refuse(.unavailable) }
        defer { EventLoop.shared.cancel(timer) }
        return await pending.answer.value()
    }

    /// What can be answered without the database.
    private func refusedBefore(_ appends: [Append]) -> [AppendResult]? {
        if isClosed { return appends.map { _ in .failure(.unavailable) } }
        let problems = appends.map(\.dataProblem)
        if problems.allSatisfy({ $0 == nil }) { return nil }
        return problems.map { .failure($0.map { .data($0) } ?? .groupRefused) }
    }

    /// Waits for what is queued and closes the connection.
    package func close() async {
        isClosed = true
        // Not with a cancellable sleep: the closing task may have been cancelled, and would spin.
        while lanes.contains(where: \.isBusy) { await LoopWait.pause(.milliseconds(5)) }
        for lane in lanes { lane.connection?.close() }
    }

    private func flush(_ lane: Lane) async {
        defer { lane.isBusy = false }
        var pause = Duration.milliseconds(20)
        while true {
            let batch = takeBatch()
            if batch.isEmpty { return }
            do {
                try await commit(batch, on: lane)
                pause = .milliseconds(20)
            } catch let error as PostgresError where error.code != .connection && batch.count > 1 {
                // One append may have made the statement fail: they are tried separately, so that the others succeed.
                await commitApart(batch, on: lane)
            } catch let error as PostgresError where !error.isRetriable {
                refuse(batch, error)
            } catch {
                // Unknown outcome: the ids make repeating safe. Those past their deadline have had their answer.
                queue.insert(contentsOf: batch, at: 0)
                await LoopWait.pause(pause)
                pause = min(pause * 2, .milliseconds(500))
            }
        }
    }

    /// The longest run from the front without a repeated id; the rest keeps its order for the next batch.
    private func takeBatch() -> [Pending] {
        var ids = Set<UUID>()
        var batch: [Pending] = []
        var taken = 0
        for pending in queue {
            if ids.count >= Self.batchLimit { break }
            // No caller waits for it any more, and callers repeat what matters.
            if pending.answer.isGiven {
                taken += 1
                continue
            }
            if pending.appends.contains(where: { ids.contains($0.id) }) { break }
            for append in pending.appends { ids.insert(append.id) }
            batch.append(pending)
            taken += 1
        }
        queue.removeFirst(taken)
        return batch
    }

    private func commit(_ batch: [Pending], on lane: Lane) async throws {
        let connection = try await openConnection(of: lane)
        let appends = batch.flatMap(\.appends)
        let call = AppendBatch(appends: appends, groupSizes: batch.map(\.appends.count))
        CrashPoint.reached("append.before-commit")
        let results = try await connection.append(call)
        var highest: Int64 = 0
        for (append, answer) in zip(appends, results) {
            if case .success(let receipt) = answer, !receipt.isRepeat, receipt.position > 0 {
                let count = append.writes.reduce(0) { $0 + $1.events.count }
                highest = max(highest, receipt.position + Int64(count) - 1)
            }
        }
        var place = 0
        for pending in batch {
            pending.answer.give(Array(results[place..<(place + pending.appends.count)]))
            place += pending.appends.count
        }
        CrashPoint.reached("append.after-commit")
        if highest > 0 { committed(highest) }
    }

    /// Commits a batch that failed as a whole in halves, down to the append that is the reason.
    private func commitApart(_ batch: [Pending], on lane: Lane) async {
        let middle = batch.count / 2
        for half in [Array(batch[..<middle]), Array(batch[middle...])] where !half.isEmpty {
            do {
                try await commit(half, on: lane)
            } catch let error as PostgresError where error.code != .connection && half.count > 1 {
                await commitApart(half, on: lane)
            } catch let error as PostgresError where !error.isRetriable {
                refuse(half, error)
            } catch {
                // At the end, so that an append which always fails holds up nobody while it waits for its deadline.
                queue.append(contentsOf: half)
            }
        }
    }

    private func refuse(_ batch: [Pending], _ error: PostgresError) {
        for pending in batch { pending.refuse(.data(error.reason)) }
    }

    private func openConnection(of lane: Lane) async throws -> any AppendConnection {
        if let connection = lane.connection, !connection.isStale { return connection }
        let opened = try await connect()
        lane.connection = opened
        return opened
    }
}
