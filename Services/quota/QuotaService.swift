import CompatibleSurface
package import Configuration
package import Contracts
package import EventSourcing
package import EventStore
package import HTTPServer
package import History
import ObjectStorage
import Observability
import Postgres
import Primitives
import Runtime
package import ServiceKit

/// How often somebody may do something: reserves on creation, settles on the session's ending.
package enum QuotaService: Service {
    package typealias Root = Allowance
    package typealias Resources = QuotaResources

    package static let name = ServiceName.quota
    package static let migrations = [
        Migration("allowances", PackageResources.allowances_sql),
        Migration("allowance_windows", PackageResources.allowance_windows_sql),
        Migration("defined_plans", PackageResources.defined_plans_sql),
        Migration("allowances_registered", PackageResources.allowances_registered_sql),
        Migration("allowance_unusable", PackageResources.allowance_unusable_sql),
        Migration("purchases", PackageResources.purchases_sql),
        Migration("purchase_pages", PackageResources.purchase_pages_sql),
    ]
    package static let rowFunctions = PlanRows.all + PurchaseRows.all + PurchasePageRows.all
    package static let problems = ProblemCode.quota + ProblemCode.checkout
    package static let objectAccess = ObjectAccess(owns: [.exportsOfQuota])
    package static let reactions = Allowance.reactions
    package static let publication = publishing(PublishedByQuota.outgoing)
    package static let readModels = [
        ReadModelHistory.readModel(AllowanceProjection.self) { key in
            [StreamName(rawValue: "\(Allowance.category)-\(key.prefix { $0 != "/" })")]
        }
    ]
    package static let aggregates = [
        AggregateHistory(
            Allowance.self, categories: [Allowance.category], owners: [Allowance.category],
            reactions: Allowance.reactions,
            command: AllowanceCommand.recalled),
        AggregateHistory(PlanRecord.self, categories: [PlanRecord.category], command: PlanCommand.recalled),
    ]

    /// All that this service has of a user is one stream of numbers and of what shops told, the rows folded from it, and what is
    /// kept of shops. The rows are what its receipt counts.
    package static let erasure: Erasure<Allowance>? = Erasure(
        belongings: { subject, store in
            let rows = try await store.pool.query(
                """
                select (select count(*) from allowances where owner_id = $1)
                    + (select count(*) from purchase_customers where owner_id = $1)
                    + (select count(*) from purchase_notices where owner_id = $1)
                """, [.uuid(subject)])
            return .init(streams: [], rows: rows.first?.int(0) ?? 0)
        }, forget: nil, record: AllowanceCommand.recordErasure, on: Allowance.stream,
        last: { [PurchaseRows.forget($0), PurchasePageRows.forget($0)] })

    /// The restored store of `sessions` does not know the creation any more: what it holds is given back; other effects
    /// stand.
    package static func compensation(for event: QuotaEvent) -> Reaction<AllowanceCommand> {
        switch event {
        case .reserved(let session, _, _, _, _):
            .apply(Allowance.stream(session.ownerId), .orphan(sessionId: session.sessionId))
        case .refused, .committed, .released, .endingNoted, .planChanged, .extraGranted, .purchaseNoted, .refundNoted,
            .subjectErased, .planDefined:
            .ignore
        }
    }

    package static func words(_ event: RecordedEvent) throws(EventDecodingError) -> String? {
        try event.decoded(as: QuotaEvent.self).words
    }

    package static func check(_ environment: Environment) { _ = QuotaSettings(environment) }

    @Loop package static func build(_ context: ServiceContext) async throws -> ServiceParts<QuotaResources> {
        let settings = QuotaSettings(context.environment)
        // They are recorded right below, so mistakes must be said here.
        try context.environment.finish()
        let plans = try await PlansInForce(context.store, settings, log: Logger(label: "plans"))
        let days = LocalDays(context.store.pool, context.zones, log: context.log)
        let routes = QuotaRoutes(context, plans)
        let operators = QuotaOperators(context, plans)
        let export = QuotaExport(context, plans)
        let intake = PurchaseIntake(context.store, settings.purchases.terms, log: Logger(label: "purchases"))
        let purchases =
            settings.purchases.isSelling ? PurchaseRoutes(context, settings.purchases.stripe, intake) : nil
        let apple = settings.purchases.appStore.map { AppleRoutes(context, $0, intake) }
        let store = context.store
        let checkout = CheckoutRoutes(
            context, CheckoutPages(store, settings.purchases.checkout, Logger(label: "purchases")))
        let sweeper = ExpirySweeper([
            ("notifications of shops", { try await PurchaseIntake.sweep(store) }),
            ("limits of shops' pages", { try await PurchasePageRows.sweep(store.pool) }),
        ])
        var parts = ServiceParts(
            resources: QuotaResources { created in
                ReservationTerms(
                    localDayEndsAt: try await days.end(of: created.createdAt, in: created.timeZone), plans: plans.now)
            },
            routes: {
                routes.add(to: $0)
                EntitlementRoutes(context).add(to: $0)
                purchases?.add(to: $0)
                checkout.add(to: $0)
                apple?.add(to: $0)
                guard context.settings.hasCompatibleSurface else { return }
                QuotaTableRoutes(context).add(to: CompatibleRoutes($0, context, .rest, refusals: problem(of:)))
                checkout.add(to: CompatibleRoutes($0, context, .functions, refusals: problem(of:)))
            },
            operators: {
                operators.add(to: $0)
                purchases?.add(to: $0)
            },
            objects: settings.objects.makeStore(), background: [{ await plans.run() }, { await sweeper.run() }])
        parts.export = { try await export.write($0) }
        return parts
    }
}

/// What reactions look things up in.
package struct QuotaResources: Sendable {
    private let look: @Loop @Sendable (SessionCreated) async throws -> ReservationTerms

    package init(_ look: @escaping @Loop @Sendable (SessionCreated) async throws -> ReservationTerms) {
        self.look = look
    }

    /// The terms of the reservation for a session.
    ///
    /// - Throws: `PostgresError` or `CancellationError` when the end of the local day cannot be looked up.
    package func terms(of created: SessionCreated) async throws -> ReservationTerms { try await look(created) }
}
