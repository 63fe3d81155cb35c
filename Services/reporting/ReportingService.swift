import Configuration
package import Contracts
package import EventStore
import ObjectStorage
import Projections
import Runtime
package import ServiceKit

/// Keeps the reports and what is read over many of them.
///
/// | Variable | Meaning |
/// |---|---|
/// | `OBJECTS_DIR` | the folder of the object storage that analysis writes its documents to |
package enum ReportingService: Service {
    package static let name = ServiceName.reporting

    package static let migrations = [
        Migration("reports", PackageResources.reports_sql),
        Migration("report_history", PackageResources.report_history_sql),
    ]

    package static let reads: [ServiceName] = [.identity, .sessions, .analysis]

    @Loop package static func build(_ context: ServiceContext) async throws -> ServiceParts {
        let documents = ReportDocuments(FileObjectStore(root: context.environment.string("OBJECTS_DIR")))
        let routes = ReportRoutes(context)
        let projector = Projector(
            ReportReadModel.self, store: context.store, log: context.log, foreign: { KeyEvent.isOne($0) })
        return ServiceParts(
            routes: { routes.add(to: $0) },
            publication: ServiceParts.publishing { ReportMessages.outgoing(for: $0) },
            handler: ReportInbox(context.store, documents),
            background: [{ await projector.run() }])
    }
}
