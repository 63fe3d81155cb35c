import EventStore
import JSON
import Measuring
import ObjectStorage
import Observability
import Postgres
import Primitives
import Processes
import Projections
import Providers
import Runtime
import ServiceKit

/// What every attempt of a worker works with.
@Loop struct WorkerTools {
    let store: EventStore
    let objects: any ObjectStore
    let scratch: ScratchSpace
    let settings: AnalysisSettings
    /// Those that write down what is said or look at pictures, in the order in which they are asked.
    let providers: [Provider]
    /// Waits until the service knows what was said when it did not run, as long as somebody wants that; whether it knows.
    let isUpToDate: @Loop (_ isWanted: () -> Bool) async throws -> Bool
    let log: Logger
    /// The name under which this instance holds leases.
    let name = "analysis-\(UUID.v7())"
    /// Where the helper runs.
    let helpers: Places
    /// Where each provider is waited for, by its name. They are not those of the helper, nor of another provider, and whoever finds none asks
    /// another one or nobody: else a provider that does not answer would hold up everybody's recordings, also of those who let nobody, or only
    /// others, have theirs.
    let outside: [String: Places]

    init(
        store: EventStore, objects: any ObjectStore, scratch: ScratchSpace, settings: AnalysisSettings,
        providers: [Provider], isUpToDate: @escaping @Loop (_ isWanted: () -> Bool) async throws -> Bool, log: Logger
    ) {
        self.store = store
        self.objects = objects
        self.scratch = scratch
        self.settings = settings
        self.providers = providers
        self.isUpToDate = isUpToDate
        self.log = log
        helpers = Places(settings.workers)
        let asked = providers.map(\.declaration).filter(\.isAskedForRecordings).map(\.name)
        outside = Dictionary(asked.map { ($0, Places(settings.workers)) }) { first, _ in first }
    }

    /// How many attempts are made at a time: as many may wait for each provider as use the helper.
    var attemptsAtOnce: Int { helpers.count + outside.values.reduce(0) { $0 + $1.count } }
}

extension ProviderDeclaration {
    /// Whether it is asked for anything here.
    fileprivate var isAskedForRecordings: Bool {
        !isOff && (transcription != nil || vision != nil || video != nil || emotions != nil)
    }
}

/// Takes jobs that may begin from the queue and makes attempts at them.
@Loop struct AnalysisWorker {
    let tools: WorkerTools
    let queue: any LiveReadModel

    /// Works until the task is cancelled; then running children are killed and the claims on their jobs are released.
    func run() async {
        let asking = Loop.task { await logEngines() }
        defer { asking.cancel() }
        let pool = WorkerPool(
            queue, size: tools.attemptsAtOnce, metric: "analysis_running_jobs", log: tools.log,
            runnable: { running, limit in
                try await tools.store.pool.query(
                    """
                    select session_id from job_queue
                    where state <> 'done' and runnable_at <= clock_timestamp() and session_id <> all($1)
                    order by runnable_at limit $2
                    """, [.uuids(running), .int(Int64(limit))]
                ).rows.map { $0.uuid(0) }
            },
            begin: { Attempt(tools, $0) })
        await pool.run()
        await tools.scratch.close()
    }

    private func logEngines() async {
        if let engines = await tools.settings.mediaHelper.engines() {
            tools.log.info("engines of analysis", ["engines": .object(engines)])
        } else if !Task.isCancelled {
            tools.log.error(
                "media helper cannot be asked",
                [
                    "reason":
                        "MEDIA_HELPER did not answer to `version`; see that it is mirrormate-media, or mirrormate-media-client with MEDIA_SOCKET."
                ])
        }
    }
}
