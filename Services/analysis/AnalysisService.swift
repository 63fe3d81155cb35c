import Configuration
import Contracts
import EventStore
import ObjectStorage
import Observability
import Projections
import Runtime
import ServiceKit

/// The service that turns recordings into coaching reports.
enum AnalysisService: Service {
    static let name = ServiceName.analysis
    static let migrations = [
        Migration("job_queue", PackageResources.job_queue_sql),
        Migration("job_owners", PackageResources.job_owners_sql),
    ]
    static let reads: [ServiceName] = [.identity, .sessions]

    static func check(_ environment: Environment) { _ = AnalysisSettings(environment) }

    @Loop static func build(_ context: ServiceContext) async throws -> ServiceParts {
        let settings = AnalysisSettings(context.environment)
        try context.environment.finish()
        let objects = settings.objects.makeStore()
        let sweeper = ObjectSweeper(context.store, objects, log: Logger(label: "sweeper"))
        let projector = Projector(
            JobQueueModel.self, store: context.store, log: Logger(label: "job_queue"), foreign: KeyEvent.isOne)
        let worker = AnalysisWorker(
            store: context.store, objects: objects, scratch: try await ScratchSpace.open(settings.scratch),
            queue: projector, settings: settings, log: Logger(label: "worker"))
        return ServiceParts(
            routes: { _ in }, publication: ServiceParts.publishing(JobMessages.outgoing),
            handler: JobHandling.handler(context.store, sweeper), objects: objects,
            background: [{ await projector.run() }, { await worker.run() }, { await sweeper.run() }])
    }
}
