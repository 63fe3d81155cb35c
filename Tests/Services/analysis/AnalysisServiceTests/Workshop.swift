import Configuration
import Contracts
import EventSourcing
import EventStore
import Glibc
import JSON
import ObjectStorage
import Observability
import Postgres
import Primitives
import Processes
import Projections
import Runtime
import ServiceTesting
import Testing

@testable import ServiceKit
@testable import analysis

/// The service's parts over a database, an object store and a helper of their own.
@Loop final class Workshop {
    let helper: FakeHelper
    let service: ServiceUnderTest<AnalysisService>
    let objects: FileObjectStore
    let sweeper: ObjectSweeper
    var settings: AnalysisSettings
    /// Processes that end with the test, however it ends.
    var children: [ChildProcess] = []
    private var tasks: [Task<Void, any Error>] = []

    var store: EventStore { service.store }
    var role: PostgresSettings { service.role }

    /// The variables of the service.
    let variables: [String: String]

    private init(
        _ helper: FakeHelper, _ service: ServiceUnderTest<AnalysisService>, _ variables: [String: String]
    ) {
        self.variables = variables
        self.helper = helper
        self.service = service
        objects = FileObjectStore(root: "\(helper.home)/objects")
        sweeper = ObjectSweeper(service.store, objects, log: Logger(label: "test"))
        // The assembly, whose worker does not run, keeps the other scratch folder open.
        settings = AnalysisSettings(Environment(variables)).with(scratch: "\(helper.home)/scratch")
    }

    /// Runs a test with a workshop and stops all of it afterwards.
    ///
    /// - Parameter more: gives further variables, and may put files into the helper's folder.
    static func run(
        _ behaviour: FakeHelper.Behaviour, _ more: (FakeHelper) throws -> [String: String] = { _ in [:] },
        _ body: @Loop (Workshop) async throws -> Void
    ) async throws {
        let helper = try FakeHelper(behaviour)
        defer { helper.remove() }
        let variables = helper.variables.merging(try more(helper)) { $1 }
        try await withService(AnalysisService.self, variables) { service in
            let workshop = Workshop(helper, service, variables)
            do {
                try await body(workshop)
            } catch {
                await workshop.close()
                throw error
            }
            await workshop.close()
        }
    }

    private func close() async {
        for child in children {
            child.kill(SIGKILL)
            _ = try? await child.wait()
        }
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
    }

    // MARK: Instances

    /// Starts an instance: a projector and a worker; cancel it to end it as SIGTERM does.
    @discardableResult
    func startInstance() async throws -> Task<Void, any Error> {
        let queue = Projector(JobProjection.self, store: store, log: Logger(label: "test"), foreign: KitEvents.isOne)
        let worker = AnalysisWorker(tools: try await tools(), queue: queue)
        let folding = Loop.task { await queue.run() }
        let working = Loop.task { await worker.run() }
        tasks += [folding, working]
        return working
    }

    // MARK: Jobs

    /// Puts a recording into the store and orders its analysis, with what happened since, if anything.
    func order(
        _ later: [JobEvent] = [], media: Bool = true, job: SessionReference, sizeBytes: Int64 = 7
    ) async throws {
        let key = "sealed/\(job.ownerId)/\(job.sessionId)"
        if media {
            try await objects.write(Array("a video".utf8), to: key)
        }
        let reference = MediaReference(
            key: key, sha256: String(repeating: "ab", count: 32), sizeBytes: sizeBytes, contentType: "video/mp4")
        let brief = RecordingBrief(language: "en-GB", scenario: .pitch)
        let order = JobOrder(kind: .mirrormate, media: reference, maxDurationSeconds: 60, brief: brief)
        let queued = JobEvent.queued(job, order, maxAttempts: Job.initialMaxAttempts)
        try await append([queued] + later, job)
    }

    private func append(_ events: [JobEvent], _ job: SessionReference) async throws {
        try await store.append(
            Append(
                id: .v7(), requestHash: [1], metadata: metadata(job),
                writes: [StreamWrite(Job.stream(job.sessionId), expectedVersion: 0, events: events.map(NewEvent.init))],
                calls: Job.rowCalls(for: .erase, .initial, events)))
    }

    func metadata(_ job: SessionReference) -> EventMetadata {
        EventMetadata(owner: job.ownerId, correlation: job.sessionId, actor: "test")
    }

    /// Puts a command of another part of the service.
    func put(_ command: JobCommand, _ job: SessionReference) async throws {
        let id = UUID.v7()
        _ = try await CommandHandler<Job>(store).handle(
            command, on: Job.stream(job.sessionId), id: id, requestHash: id.bytes, metadata: metadata(job))
    }

    func history(_ job: SessionReference) async throws -> [JobEvent] {
        try await store.read(Job.stream(job.sessionId)).map { try $0.decoded(as: JobEvent.self) }
    }

    /// The names of the job's events but for leases and stages.
    func story(_ job: SessionReference) async throws -> [String] {
        try await history(job).map(\.type.name).filter { $0 != "LeaseExtended" && $0 != "StageReached" }
    }

    /// Waits until the job's last event has one of these names.
    func wait(_ job: SessionReference, until names: Set<String>) async throws {
        try await eventually { names.contains(try await self.history(job).last?.type.name ?? "") }
    }

    /// Rows of `object_intents`: key, whether unwanted, whether a deadline runs.
    func intents() async throws -> [(key: String, isUnwanted: Bool, hasDeadline: Bool)] {
        try await store.pool.query(
            "select object_key, unwanted, deadline is not null from object_intents order by object_key"
        ).rows.map { ($0.text(0), $0.bool(1), $0.bool(2)) }
    }
}

extension AnalysisSettings {
    /// The same with other values, also ones that no variable may have.
    func with(
        scratch: String? = nil, workers: Int? = nil, lease: Duration? = nil, maxVideoSeconds: Int64? = nil,
        grace: Duration? = nil
    ) -> AnalysisSettings {
        AnalysisSettings(
            objects: objects, scratch: scratch ?? self.scratch, models: models, sphinxModels: sphinxModels,
            helper: helper, socket: socket, workers: workers ?? self.workers, lease: lease ?? self.lease,
            maxVideoSeconds: maxVideoSeconds ?? self.maxVideoSeconds, grace: grace ?? self.grace,
            providers: providers)
    }
}

extension FakeHelper {
    /// The service's variables: short times, everything in the helper's folder.
    var variables: [String: String] {
        [
            "OBJECT_STORE": "file://\(home)/objects", "SCRATCH_DIR": "\(home)/idle",
            "MODELS_DIR": "\(home)/models", "MEDIA_HELPER": program, "WORKERS": "2",
        ]
    }
}

/// Waits for something that must come about; the test's own time limit ends a wait in vain.
@Loop func eventually(_ condition: () async throws -> Bool) async throws {
    while try await !condition() { try await Loop.sleep(for: .milliseconds(20)) }
}

extension SessionReference {
    /// A job that no other test uses.
    static func fresh(owner: UUID = .v7()) -> SessionReference { SessionReference(sessionId: .v7(), ownerId: owner) }
}

/// Whether a process is there.
func isAlive(_ process: Int32) -> Bool { kill(process, 0) == 0 }
