package import Configuration
package import Contracts
package import EventSourcing
package import EventStore
import History
import ObjectStorage
import Projections
import Runtime
package import ServiceKit

/// Keeps the reports and what is read over many of them.
///
/// Its variables are those of ``ObjectStoreSettings``: where analysis leaves its documents.
package enum ReportingService: Service {
    package static let name = ServiceName.reporting

    package static let migrations = [
        Migration("reports", PackageResources.reports_sql),
        Migration("report_history", PackageResources.report_history_sql),
    ]

    package static let reads: [ServiceName] = [.identity, .sessions, .analysis]

    package static let publication = ServiceParts.publishing(ReportMessages.outgoing)

    package static func check(_ environment: Environment) { _ = ObjectStoreSettings(environment) }

    @Loop package static func build(_ context: ServiceContext) async throws -> ServiceParts {
        let objects = ObjectStoreSettings(context.environment).makeStore()
        let documents = ReportDocuments(objects)
        let routes = ReportRoutes(context)
        let projector = Projector(
            ReportProjection.self, store: context.store, log: context.log, foreign: KeyEvent.isOne)
        let drift = DriftWatch(ReportHistory.history.readModels[0], store: context.store, log: context.log)
        return ServiceParts(
            routes: { routes.add(to: $0) },
            publication: publication,
            handler: ReportInbox(context.store, documents),
            objects: objects, background: [{ await projector.run() }, { await drift.run() }])
    }
}
