import JSON
package import Observability
package import Primitives
package import Projections
package import Runtime

/// One piece of work under way.
@Loop package protocol Work: AnyObject {
    /// Does the work to its end; handles its own errors.
    ///
    /// - Returns: false when it failed, or found nothing to do, and would do so again at once: then it rests for a while.
    func run() async -> Bool
    /// The process ends: stop soon and release the claim, so that another process can go on at once.
    func releaseClaim()
}

/// Looks for work in a queue that the service's own log is folded into, and does a few pieces at a time. Those that fail rest, so that
/// however many of them hold up no other.
@Loop package final class WorkerPool {
    private let queue: any LiveReadModel
    private let size: Int
    private let metric: String
    private let log: Logger
    private let runnable: @Loop (_ except: [UUID], _ limit: Int) async throws -> [UUID]
    private let begin: @Loop (UUID) -> any Work
    private var running: [UUID: any Work] = [:]
    private var failed = FailedWork()
    private let freed = Signal()

    /// - Parameters:
    ///   - queue: whose changes are waited for.
    ///   - size: how many pieces are done at a time.
    ///   - metric: the gauge that shows how many are.
    ///   - runnable: finds work that may begin, except what runs or rests here.
    ///   - begin: makes a piece of work; it is run right away.
    package init(
        _ queue: any LiveReadModel, size: Int, metric: String, log: Logger,
        runnable: @escaping @Loop (_ except: [UUID], _ limit: Int) async throws -> [UUID],
        begin: @escaping @Loop (UUID) -> any Work
    ) {
        self.queue = queue
        self.size = size
        self.metric = metric
        self.log = log
        self.runnable = runnable
        self.begin = begin
    }

    /// Works until the task is cancelled, and waits until the claims of what runs are released.
    package func run() async {
        var trouble = ""
        while !Task.isCancelled {
            do {
                try await look()
                trouble = ""
            } catch is CancellationError {
                break
            } catch {
                if trouble != "\(error)" {
                    log.warning("jobs cannot be looked for", ["reason": .string("\(error)")])
                }
                trouble = "\(error)"
                try? await Loop.sleep(for: .milliseconds(250))
            }
        }
        for work in running.values { work.releaseClaim() }
        // Not a cancellable wait: the claims are released first.
        while !running.isEmpty { _ = await Loop.task { try await self.freed.wait(atMost: .seconds(1)) }.result }
    }

    /// One look at the queue, and a wait for the next one.
    private func look() async throws {
        let mark = queue.position
        let room = size - running.count
        if room > 0 {
            let resting = failed.resting(at: monotonicNanoseconds())
            for id in try await runnable(Array(running.keys) + resting, room) { start(id) }
        }
        if running.count >= size {
            try await freed.wait(atMost: .milliseconds(250))
        } else if queue.position == mark {
            try await queue.folded.wait(atMost: .milliseconds(250))
        }
    }

    private func start(_ id: UUID) {
        let work = begin(id)
        running[id] = work
        measure()
        Loop.task {
            let isDone = await work.run()
            self.failed.note(id, isDone: isDone, at: monotonicNanoseconds())
            self.running[id] = nil
            self.measure()
            self.freed.raise()
        }
    }

    private func measure() {
        Metrics.shared.gauge(metric, help: "Jobs that this instance works on.").set(Double(running.count))
    }
}

/// Pieces of work that failed: each rests, and twice as long each time, up to a minute.
struct FailedWork {
    private static let first: Int64 = 2_000_000_000
    private static let longest: Int64 = 60_000_000_000

    private struct Rest {
        var end: Int64
        var length: Int64
    }

    private var rests: [UUID: Rest] = [:]

    /// Notes how a piece of work has ended.
    ///
    /// - Parameter now: on the monotonic clock, in nanoseconds.
    mutating func note(_ id: UUID, isDone: Bool, at now: Int64) {
        guard !isDone else { return rests[id] = nil }
        let length = rests[id].map { min($0.length * 2, Self.longest) } ?? Self.first
        rests[id] = Rest(end: now + length, length: length)
    }

    /// Those that rest. One that nobody has begun again for long is forgotten: others have done it.
    mutating func resting(at now: Int64) -> [UUID] {
        rests = rests.filter { now < $0.value.end + Self.longest }
        return rests.filter { now < $0.value.end }.map(\.key)
    }
}
