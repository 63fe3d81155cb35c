package import Configuration
package import Contracts
package import EventSourcing
package import EventStore
import History
import ObjectStorage
import Observability
import Processes
import Projections
import Runtime
package import ServiceKit

/// The service that turns recordings into coaching reports.
package enum AnalysisService: Service {
    package static let name = ServiceName.analysis
    package static let migrations = [
        Migration("job_queue", PackageResources.job_queue_sql),
        Migration("job_owners", PackageResources.job_owners_sql),
    ]
    package static let reads: [ServiceName] = [.identity, .sessions]

    package static let publication = ServiceParts.publishing(JobMessages.outgoing)

    package static func check(_ environment: Environment) { _ = AnalysisSettings(environment) }

    @Loop package static func build(_ context: ServiceContext) async throws -> ServiceParts {
        let settings = AnalysisSettings(context.environment)
        try context.environment.finish()
        ProviderCalls.announce()
        let objects = settings.objects.makeStore()
        let sweeper = ObjectSweeper(context.store, objects, log: Logger(label: "sweeper"))
        let projector = Projector(
            JobProjection.self, store: context.store, log: Logger(label: "job_queue"), foreign: KeyEvent.isOne)
        let drift = DriftWatch(
            JobHistory.history.readModels[0], store: context.store, log: Logger(label: "job_queue"))
        let tools = WorkerTools(
            store: context.store, objects: objects,
            scratch: try await ScratchSpace.open(settings.scratch, for: "analysis"), settings: settings,
            log: Logger(label: "worker"))
        let worker = AnalysisWorker(tools: tools, queue: projector)
        return ServiceParts(
            routes: { _ in }, publication: publication,
            handler: JobHandling.handler(context.store, sweeper), objects: objects,
            background: [
                { await projector.run() }, { await drift.run() }, { await worker.run() }, { await sweeper.run() },
            ])
    }
}
