package import EventSourcing
import Postgres
package import Runtime

/// Tells waiters in this process that the log, or one stream of it, has grown.
///
/// One poll of the database for the whole process, at most every 25 ms and only while a task waits, finds what other
/// instances appended; an append of this process only shortens the wait. Nothing depends on a notification arriving. When nothing has
/// grown for a second and nobody waits for a stream, a poll every 100 ms is enough: a service that rests costs its database little.
/// Whoever begins to wait for a stream ends the rest.
@Loop package final class HeadWatch {
    /// Waits between two polls, for at most a duration or until the signal is raised.
    package typealias Pause = @Loop (_ limit: Duration, _ nudge: Signal) async throws -> Void

    /// The time between two polls of the database.
    package static let interval = Duration.milliseconds(25)
    /// The same when nothing has grown in ``looksUntilRest`` polls and nobody waits for a stream.
    package static let restingInterval = Duration.milliseconds(100)
    /// From how many polls in a row on that found nothing the watch rests.
    package static let looksUntilRest = 40

    /// The highest position known to be committed.
    package private(set) var position: Int64 = 0

    private let log: any GrowingLog
    private let pause: Pause
    private let grown = Signal()
    private var streamWaits: [String: [StreamWait]] = [:]
    private var waiters = 0
    private var poller: Task<Void, any Error>?

    /// - Parameter pause: how it waits between two polls; tests let no time pass.
    package init(
        _ log: any GrowingLog, pausing pause: @escaping Pause = { limit, nudge in try await nudge.wait(atMost: limit) }
    ) {
        self.log = log
        self.pause = pause
    }

    /// Waits until the log reaches beyond `position`, or at most `limit`.
    ///
    /// - Parameter other: a signal that ends the wait as well.
    /// - Throws: `CancellationError` when the task is cancelled.
    package func wait(beyond position: Int64, atMost limit: Duration, or other: Signal? = nil) async throws {
        if self.position > position { return }
        waiters += 1
        defer { waiters -= 1 }
        startPolling()
        try await grown.wait(atMost: limit, or: other)
    }

    /// Waits for news of one stream, or at most `limit`; may wake without news.
    ///
    /// - Parameters:
    ///   - mark: ``position`` from before the caller last read the stream, so that what was appended since is not missed:
    ///     if the log has grown, the wait ends within one poll.
    ///   - other: a signal that ends the wait as well.
    /// - Returns: up to where the log is known to have nothing new of the stream, a mark for the next wait; nil if there may be
    ///   news.
    /// - Throws: `CancellationError` when the task is cancelled.
    @discardableResult
    package func wait(
        for stream: StreamName, since mark: Int64, atMost limit: Duration, or other: Signal? = nil
    ) async throws -> Int64? {
        let isBehind = position > mark
        let limit = isBehind ? min(limit, Self.interval) : limit
        let watched = StreamWait()
        let wait = watched.wait
        streamWaits[stream.description, default: []].append(watched)
        other?.add(wait)
        let timer = EventLoop.shared.schedule(after: limit) { wait.resume() }
        defer {
            EventLoop.shared.cancel(timer)
            streamWaits[stream.description]?.removeAll { $0 === watched }
            if streamWaits[stream.description]?.isEmpty == true { streamWaits[stream.description] = nil }
            other?.remove(wait)
        }
        startPolling()
        if isResting { nudge.raise() }
        try await wait.wait()
        return isBehind || watched.hasNews ? nil : position
    }

    package func raise(to position: Int64) {
        guard position > self.position else { return }
        announced = max(announced, position)
        if streamWaits.isEmpty { advance(to: position) } else { nudge.raise() }
    }

    /// Goes back to where the log ends, for a reader who has found nothing beyond `end` although more was known to be there: the
    /// database was replaced by an older one. Otherwise everyone who waits for growth would be told of it without end.
    ///
    /// - Parameter known: ``position`` from before the reader looked.
    package func lower(from known: Int64, to end: Int64) {
        guard position == known, end < known else { return }
        position = end
        announced = min(announced, end)
    }

    package func stop() {
        poller?.cancel()
        grown.raise()
    }

    // What this process committed itself; a poll that did not reach it is repeated at once.
    private var announced: Int64 = 0
    private let nudge = Signal()
    // Polls in a row that found nothing.
    private var vainLooks = 0
    private var isResting = false

    private func startPolling() {
        guard poller == nil else { return }
        poller = Loop.task { [weak self] in
            while let self, !Task.isCancelled, self.isWatched {
                // An unreachable database is not reported here: the waiters query it themselves and report it.
                do {
                    try await self.look()
                } catch {
                    try await Loop.sleep(for: Self.interval)
                }
                if self.announced <= self.position { try await self.rest() }
            }
            self?.poller = nil
            // A task that began to wait while this poller was ending found one running and started none.
            if let self, !Task.isCancelled, self.isWatched { self.startPolling() }
        }
    }

    private var isWatched: Bool { waiters > 0 || !streamWaits.isEmpty }

    /// Waits until it is time for the next poll. Waiters for streams, who may come one after another, end a rest, but not the pause
    /// that lies between any two polls.
    private func rest() async throws {
        try await pause(Self.interval, nudge)
        guard announced <= position, vainLooks >= Self.looksUntilRest, streamWaits.isEmpty else { return }
        isResting = true
        defer { isResting = false }
        try await pause(Self.restingInterval - Self.interval, nudge)
    }

    private func look() async throws {
        let announced = announced
        vainLooks += 1
        if streamWaits.isEmpty || position == 0 {
            let end = try await log.end()
            // Events before the first poll were never compared with the streams waited for.
            for wait in streamWaits.values.joined() { wait.tell() }
            advance(to: end)
            if end < announced { forget(announced) }
            return
        }
        let news = try await log.growth(after: position)
        for event in news {
            for wait in streamWaits[event.stream] ?? [] { wait.tell() }
        }
        guard let last = news.last else { return forget(announced) }
        advance(to: last.position)
    }

    /// Announced but not there: the log was restored to an earlier state; later announcements count.
    private func forget(_ announced: Int64) {
        if self.announced == announced { self.announced = min(announced, position) }
    }

    private func advance(to position: Int64) {
        guard position > self.position else { return }
        vainLooks = 0
        self.position = position
        grown.raise()
    }
}

/// A wait for news of one stream, which may end for other reasons, too.
@Loop private final class StreamWait {
    let wait = LoopWait()
    private(set) var hasNews = false

    func tell() {
        hasNews = true
        wait.resume()
    }
}
