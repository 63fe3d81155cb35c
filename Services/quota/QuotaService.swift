package import Configuration
package import Contracts
package import EventSourcing
package import EventStore
import History
import Observability
import Projections
import Runtime
package import ServiceKit

/// How often somebody may do something: reserves on creation, settles on the session's ending.
package enum QuotaService: Service {
    package static let name = ServiceName.quota

    package static let migrations = [
        Migration("allowances", PackageResources.allowances_sql),
        Migration("allowance_windows", PackageResources.allowance_windows_sql),
        Migration("defined_plans", PackageResources.defined_plans_sql),
    ]

    package static let reads: [ServiceName] = [.identity, .sessions]

    package static let publication = ServiceParts.publishing(QuotaMessages.outgoing)

    package static func check(_ environment: Environment) { _ = QuotaSettings(environment) }

    @Loop package static func build(_ context: ServiceContext) async throws -> ServiceParts {
        let settings = QuotaSettings(context.environment)
        // They are recorded right below, so mistakes must be said here.
        try context.environment.finish()
        let plans = try await PlansInForce(context.store, settings, log: Logger(label: "plans"))
        let routes = QuotaRoutes(context, plans)
        let projector = Projector(
            AllowanceProjection.self, store: context.store, log: context.log, foreign: KeyEvent.isOne)
        let drift = DriftWatch(QuotaHistory.history.readModels[0], store: context.store, log: context.log)
        return ServiceParts(
            routes: { routes.add(to: $0) },
            publication: publication,
            handler: QuotaInbox(context, plans).handler,
            operators: { QuotaOperators(context, plans).add(to: $0) },
            background: [{ await projector.run() }, { await drift.run() }, { await plans.run() }])
    }
}
