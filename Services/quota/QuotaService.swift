import Contracts
import EventStore
import Projections
import Runtime
import ServiceKit

/// How often somebody may do something: reserves on creation, settles on the session's ending.
enum QuotaService: Service {
    static let name = ServiceName.quota

    static let migrations = [Migration("allowances", PackageResources.allowances_sql)]

    static let reads: [ServiceName] = [.identity, .sessions]

    @Loop static func build(_ context: ServiceContext) async throws -> ServiceParts {
        let routes = QuotaRoutes(context)
        let projector = Projector(
            AllowanceReadModel.self, store: context.store, log: context.log, foreign: { KeyEvent.isOne($0) })
        return ServiceParts(
            routes: { routes.add(to: $0) },
            publication: ServiceParts.publishing { QuotaMessages.outgoing(for: $0) },
            handler: QuotaInbox(context).handler,
            operators: { QuotaOperators(context).add(to: $0) },
            background: [{ await projector.run() }])
    }
}
