import Configuration
import Contracts
import EventStore
import ObjectStorage
import Projections
import Runtime
import ServiceKit

/// Keeps the reports and what is read over many of them.
///
/// Its variables are those of ``ObjectStoreSettings``: where analysis leaves its documents.
enum ReportingService: Service {
    static let name = ServiceName.reporting

    static let migrations = [
        Migration("reports", PackageResources.reports_sql),
        Migration("report_history", PackageResources.report_history_sql),
    ]

    static let reads: [ServiceName] = [.identity, .sessions, .analysis]

    static func check(_ environment: Environment) { _ = environment.string("OBJECTS_DIR") }

    @Loop static func build(_ context: ServiceContext) async throws -> ServiceParts {
        let objects = ObjectStoreSettings(context.environment).makeStore()
        let documents = ReportDocuments(objects)
        let routes = ReportRoutes(context)
        let projector = Projector(
            ReportReadModel.self, store: context.store, log: context.log, foreign: { KeyEvent.isOne($0) })
        return ServiceParts(
            routes: { routes.add(to: $0) },
            publication: ServiceParts.publishing { ReportMessages.outgoing(for: $0) },
            handler: ReportInbox(context.store, documents),
            objects: objects, background: [{ await projector.run() }])
    }
}
