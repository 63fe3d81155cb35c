import EventStore
import JSON
import ObjectStorage
import Observability
import Postgres
import Primitives
import Processes
import Projections
import Runtime

/// What every attempt of a worker works with.
@Loop struct WorkerTools {
    let store: EventStore
    let objects: any ObjectStore
    let scratch: ScratchSpace
    let settings: AnalysisSettings
    let log: Logger
    /// The name under which this instance holds leases.
    let name = "analysis-\(UUID.v7())"
}

/// Looks for jobs that may begin and works on a few at a time.
@Loop final class AnalysisWorker {
    private let tools: WorkerTools
    private let queue: Projector<JobQueueModel>
    private var running: [UUID: Attempt] = [:]
    private let freed = Signal()

    init(
        store: EventStore, objects: any ObjectStore, scratch: ScratchSpace, queue: Projector<JobQueueModel>,
        settings: AnalysisSettings, log: Logger
    ) {
        tools = WorkerTools(store: store, objects: objects, scratch: scratch, settings: settings, log: log)
        self.queue = queue
    }

    /// Works until the task is cancelled; then running children are killed and their jobs are given back.
    package func run() async {
        let asking = Loop.task { await self.logEngines() }
        defer { asking.cancel() }
        var trouble = ""
        while !Task.isCancelled {
            do {
                try await look()
                trouble = ""
            } catch is CancellationError {
                break
            } catch {
                if trouble != "\(error)" {
                    tools.log.warning("jobs cannot be looked for", ["reason": .string("\(error)")])
                }
                trouble = "\(error)"
                try? await Loop.sleep(for: .milliseconds(250))
            }
        }
        for attempt in running.values { attempt.interrupt(.ending) }
        // Not a cancellable wait: the attempts give their jobs back first.
        while !running.isEmpty { _ = await Loop.task { try await self.freed.wait(atMost: .seconds(1)) }.result }
        await tools.scratch.close()
    }

    /// One look at the queue, and a wait for the next one.
    private func look() async throws {
        let mark = queue.position
        let room = tools.settings.workers - running.count
        if room > 0 {
            for session in try await runnable(room) { begin(session) }
        }
        if running.count >= tools.settings.workers {
            try await freed.wait(atMost: .milliseconds(250))
        } else if queue.position == mark {
            try await queue.folded.wait(atMost: .milliseconds(250))
        }
    }

    private func runnable(_ limit: Int) async throws -> [UUID] {
        try await tools.store.pool.query(
            """
            select session_id from job_queue
            where state <> 'done' and runnable_at <= clock_timestamp() and session_id <> all($1)
            order by runnable_at limit $2
            """, [.uuids(Array(running.keys)), .int(Int64(limit))]
        ).rows.map { $0.uuid(0) }
    }

    private func begin(_ session: UUID) {
        let attempt = Attempt(tools, session)
        running[session] = attempt
        measure()
        Loop.task {
            await attempt.run()
            self.running[session] = nil
            self.measure()
            self.freed.raise()
        }
    }

    private func measure() {
        Metrics.shared.gauge("analysis_running_jobs", help: "Jobs that this instance works on.").set(
            Double(running.count))
    }

    private func logEngines() async {
        if let engines = await MediaHelper(settings: tools.settings).engines() {
            tools.log.info("engines of analysis", ["engines": .object(engines)])
        } else if !Task.isCancelled {
            tools.log.error(
                "media helper cannot be asked",
                ["reason": "MEDIA_HELPER did not answer to `version`; see that it is the program mirrormate-media."])
        }
    }
}
