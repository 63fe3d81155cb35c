package import Contracts
package import EventSourcing
package import EventStore
import History
import Projections
import Runtime
package import ServiceKit

/// How often somebody may do something: reserves on creation, settles on the session's ending.
package enum QuotaService: Service {
    package static let name = ServiceName.quota

    package static let migrations = [Migration("allowances", PackageResources.allowances_sql)]

    package static let reads: [ServiceName] = [.identity, .sessions]

    package static let publication = ServiceParts.publishing(QuotaMessages.outgoing)

    @Loop package static func build(_ context: ServiceContext) async throws -> ServiceParts {
        let routes = QuotaRoutes(context)
        let projector = Projector(
            AllowanceProjection.self, store: context.store, log: context.log, foreign: KeyEvent.isOne)
        let drift = DriftWatch(QuotaHistory.history.readModels[0], store: context.store, log: context.log)
        return ServiceParts(
            routes: { routes.add(to: $0) },
            publication: publication,
            handler: QuotaInbox(context).handler,
            operators: { QuotaOperators(context).add(to: $0) },
            background: [{ await projector.run() }, { await drift.run() }])
    }
}
