import JSON
package import Observability
package import Primitives
package import Projections
package import Runtime

/// One piece of work under way.
@Loop package protocol Work: AnyObject {
    /// Does the work to its end; handles its own errors.
    func run() async
    /// The process ends: stop soon and release the claim, so that another process can go on at once.
    func releaseClaim()
}

/// Looks for work in a queue that the service's own log is folded into, and does a few pieces at a time.
@Loop package final class WorkerPool {
    private let queue: any LiveReadModel
    private let size: Int
    private let metric: String
    private let log: Logger
    private let runnable: @Loop (_ running: [UUID], _ limit: Int) async throws -> [UUID]
    private let begin: @Loop (UUID) -> any Work
    private var running: [UUID: any Work] = [:]
    private let freed = Signal()

    /// - Parameters:
    ///   - queue: whose changes are waited for.
    ///   - size: how many pieces are done at a time.
    ///   - metric: the gauge that shows how many are.
    ///   - runnable: finds work that may begin, except what runs here already.
    ///   - begin: makes a piece of work; it is run right away.
    package init(
        _ queue: any LiveReadModel, size: Int, metric: String, log: Logger,
        runnable: @escaping @Loop (_ running: [UUID], _ limit: Int) async throws -> [UUID],
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
            for id in try await runnable(Array(running.keys), room) { start(id) }
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
            await work.run()
            self.running[id] = nil
            self.measure()
            self.freed.raise()
        }
    }

    private func measure() {
        Metrics.shared.gauge(metric, help: "Jobs that this instance works on.").set(Double(running.count))
    }
}
