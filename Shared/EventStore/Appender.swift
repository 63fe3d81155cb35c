import EventSourcing
import Postgres
import Primitives
import Runtime

/// Commits appends in groups: while one batch is being flushed to disk the next one collects, so that many callers share
/// one commit and nobody holds the head lock during a round trip.
///
/// It owns two connections. With many callers each takes half of what waits: while the server works on one batch, the other
/// is written and already waits for the head lock, so that neither side waits for the other. More would only queue there.
@Loop final class Appender {
    private struct Pending {
        let append: Append
        let answer: AppendAnswer
    }

    /// The largest number of appends in one call.
    private static let batchLimit = 128
    /// A second batch under way pays from so many appends on; below, one larger batch is cheaper for the server.
    private static let secondBatch = 16

    private let deadline: Duration
    private let committed: @Loop (Int64) -> Void
    private var queue: [Pending] = []
    private let first: AppendLane
    private let second: AppendLane
    private var isClosed = false

    /// - Parameters:
    ///   - deadline: how long an append may wait for the database before its caller hears `unavailable`.
    ///   - committed: told the highest position of every batch that was committed.
    init(_ settings: PostgresSettings, deadline: Duration, committed: @escaping @Loop (Int64) -> Void) {
        first = AppendLane(settings)
        second = AppendLane(settings)
        self.deadline = deadline
        self.committed = committed
    }

    /// Appends, and answers once it is durable. The caller's cancellation does not take an append back.
    func append(_ append: Append) async throws(AppendError) -> AppendReceipt {
        if let problem = append.dataProblem { throw .data(problem) }
        guard !isClosed else { throw .unavailable }
        let answer = AppendAnswer()
        queue.append(Pending(append: append, answer: answer))
        if !first.isBusy {
            start(first, beside: second)
        } else if !second.isBusy, queue.count >= max(Self.secondBatch, first.load) {
            start(second, beside: first)
        }
        // Also while a batch hangs in a dead connection, nobody waits longer than the deadline.
        let timer = EventLoop.shared.schedule(after: deadline) { answer.give(.failure(.unavailable)) }
        defer { EventLoop.shared.cancel(timer) }
        return try await answer.value()
    }

    /// Waits for what is queued and closes the connection.
    func close() async {
        isClosed = true
        // Not by a cancellable sleep: whoever closes may have been cancelled, and would spin.
        while first.isBusy || second.isBusy { await LoopWait.pause(.milliseconds(5)) }
        first.close()
        second.close()
    }

    private func start(_ lane: AppendLane, beside other: AppendLane) {
        lane.isBusy = true
        Loop.task { await self.flush(lane, beside: other) }
    }

    private func flush(_ lane: AppendLane, beside other: AppendLane) async {
        defer { lane.isBusy = false }
        var pause = Duration.milliseconds(20)
        while true {
            let batch = takeBatch(lane, beside: other)
            if batch.isEmpty { return }
            defer { lane.clear() }
            do {
                try await commit(batch, lane)
                pause = .milliseconds(20)
            } catch let error as PostgresError where error.code != .connection && batch.count > 1 {
                // One append may have spoiled the statement: they are judged apart, so that no neighbour fails.
                await commitApart(batch, lane)
            } catch let error as PostgresError where !error.isRetriable {
                refuse(batch, error)
            } catch {
                // Unknown outcome: the ids make repeating safe. Those whose time is up have heard of it.
                queue.insert(contentsOf: batch, at: 0)
                await LoopWait.pause(pause)
                pause = min(pause * 2, .milliseconds(500))
            }
        }
    }

    /// The longest run from the front without a stream or id that is under way; the rest keeps its order for the next
    /// batch. Beside a batch under way it is half of all, so that both stay of one size.
    private func takeBatch(_ lane: AppendLane, beside other: AppendLane) -> [Pending] {
        let share = other.load == 0 ? queue.count : max(other.load, (queue.count + other.load + 1) / 2)
        let limit = min(Self.batchLimit, share)
        var batch: [Pending] = []
        var taken = 0
        for pending in queue where batch.count < limit {
            // Whose time is up waits no more, and the caller repeats what matters.
            if !pending.answer.isGiven {
                if !lane.take(pending.append, beside: other) { break }
                batch.append(pending)
            }
            taken += 1
        }
        queue.removeFirst(taken)
        return batch
    }

    private func commit(_ batch: [Pending], _ lane: AppendLane) async throws {
        let call = AppendBatch(appends: batch.map(\.append))
        CrashPoint.reached("append.before-commit")
        let result = try await lane.query(AppendBatch.sql, call.parameters)
        guard result.count == batch.count else { throw PostgresError(.wrongAnswer, "a verdict is missing") }
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

    /// Commits a batch that failed as a whole in halves, down to the append that is the reason.
    private func commitApart(_ batch: [Pending], _ lane: AppendLane) async {
        let middle = batch.count / 2
        for half in [Array(batch[..<middle]), Array(batch[middle...])] where !half.isEmpty {
            do {
                try await commit(half, lane)
            } catch let error as PostgresError where error.code != .connection && half.count > 1 {
                await commitApart(half, lane)
            } catch let error as PostgresError where !error.isRetriable {
                refuse(half, error)
            } catch {
                // At the end, so that an append which always fails holds up nobody while it waits for its deadline.
                queue.append(contentsOf: half)
            }
        }
    }

    private func refuse(_ batch: [Pending], _ error: PostgresError) {
        for pending in batch { pending.answer.give(.failure(.data(error.constraint ?? error.code.rawValue))) }
    }
}
