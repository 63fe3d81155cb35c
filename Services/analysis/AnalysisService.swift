package import Configuration
package import Contracts
import EventConsumer
import EventSourcing
package import EventStore
package import HTTPServer
package import History
import ObjectStorage
import Observability
import Postgres
import Primitives
import Processes
import Providers
import Runtime
package import ServiceKit

/// The service that measures recordings: what a report is made of.
package enum AnalysisService: Service {
    package typealias Root = Job
    package typealias Resources = NoResources

    package static let name = ServiceName.analysis
    package static let migrations =
        [
            Migration("job_queue", PackageResources.job_queue_sql),
            Migration("job_owners", PackageResources.job_owners_sql),
            Migration("job_queue_registered", PackageResources.job_queue_registered_sql),
        ] + ProviderTables.migrations + [Migration("lent_files", PackageResources.lent_files_sql)]
    package static let rowFunctions = JobOwners.all + ProviderTables.rowFunctions + LentFiles.all
    package static let problems: [ProblemCode] = []
    package static let objectAccess = ObjectAccess(owns: [.documents], reads: [.media])
    package static let reactions = Job.reactions
    package static let publication = publishing(PublishedByAnalysis.outgoing)
    package static let readModels = [ReadModelHistory.readModel(JobProjection.self, of: Job.category)]
    package static let aggregates = [
        AggregateHistory(
            Job.self, categories: [Job.category, StreamName.subjectCategory], owners: [StreamName.subjectCategory],
            reactions: Job.reactions,
            command: JobCommand.recalled)
    ]

    package static let erasure: Erasure<Job>? = Erasure(
        belongings: { try await .streams(of: $0, [Job.category], $1) }, forget: .erase,
        record: JobCommand.recordErasure, last: { [JobOwners.forget($0), Spending.forget($0)] })

    /// Nobody waits for the analysis of a recording that the restored store of `sessions` has forgotten; an ending stands.
    package static func compensation(for event: JobEvent) -> Reaction<JobCommand> {
        switch event {
        case .queued(let job, _, _): .apply(Job.stream(job.sessionId), .cancel(job, .orphaned))
        case .attemptStarted, .leaseExtended, .stageReached, .completed, .attemptFailed, .attemptReturned, .failed,
            .callBegun, .callEnded, .cancelled, .resultDiscarded, .erased, .subjectErased:
            .ignore
        }
    }

    package static func check(_ environment: Environment) { _ = AnalysisSettings(environment) }

    @Loop package static func build(_ context: ServiceContext) async throws -> ServiceParts<NoResources> {
        let settings = AnalysisSettings(context.environment)
        try context.environment.finish()
        ProviderCalls.announce()
        let objects = settings.objects.makeStore()
        let providers = settings.providers.declarations.map { Provider($0) }
        let catchUp = context.catchUp(with: reads, log: Logger(label: "worker"))
        let tools = WorkerTools(
            store: context.store, objects: objects,
            scratch: try await ScratchSpace.open(settings.scratch, for: "analysis"), settings: settings,
            providers: providers, isUpToDate: { try await catchUp.wait(while: $0) }, log: Logger(label: "worker"))
        let worker = AnalysisWorker(tools: tools, queue: context.live(JobProjection.self))
        let sweeper = ProviderTables.sweeper(context.store)
        let keeper = LentFileKeeper(store: context.store, providers: providers, log: Logger(label: "lent-files"))
        return parts(
            routes: { _ in }, operators: { ProviderOperators(providers, settings.providers.budget).add(to: $0) },
            objects: objects,
            background: [
                { await worker.run() }, { await sweeper.run() }, { if !providers.isEmpty { await catchUp.run() } },
                { if !providers.isEmpty { await keeper.run() } },
            ])
    }
}
