package import Configuration
package import Contracts
import EventConsumer
import EventStore
package import HTTPServer
import History
import JSON
package import ObjectStorage
package import Observability
package import Projections
package import Runtime

/// A service put together over its schema from its declaration: everything but its ports and the broker. Production and
/// tests use the same.
@Loop package final class ServiceAssembly<S: Service> {
    package let context: ServiceContext
    /// Handles the messages of other services.
    package let handler: ReactionHandler<S>
    /// The object store, when the service has one.
    package let objects: (any ObjectStore)?
    /// The routes of the public port.
    package let router: Router
    /// The read models as they are folded live, in the order of the service's list.
    package let projectors: [any LiveReadModel]
    /// What runs in the background: folds, drift watches, the sweeper, the service's own work. Each ends when its task is
    /// cancelled.
    package let background: [@Loop () async -> Void]
    /// Writes the service's parts of exports, when it has any.
    package let exports: ExportParts?
    /// Which announcements of identity are believed.
    package let trust: AnnouncementTrust
    /// Signs announcements; only identity makes any.
    package var seal: AnnouncementSeal? { parts.seal }
    private let parts: ServiceParts<S.Resources>

    /// Builds the service; its schema must be up to date.
    ///
    /// - Parameter securityLog: where the lines of the security log are written.
    /// - Throws: `ConfigurationError` with all that is wrong with the variables, `PostgresError`, or what the service's
    ///   `build` throws.
    package init(
        _: S.Type, _ settings: ServiceSettings, _ environment: Environment, log: Logger,
        securityLog: Logger = Logger(label: "security")
    ) async throws {
        let store = EventStore(settings.database)
        let owners = OwnerReads(settings.database)
        do {
            let models = S.readModels.map { model in
                (model: model, live: model.makeProjector(store, log: Logger(label: model.name)))
            }
            let ended = EndedLogins(store, log: Logger(label: "logins"))
            let hearsOfLogins = S.reads.contains(.identity)
            if hearsOfLogins { try await ended.fill() }
            let hashes = try await RequestHashes(store)
            let security = SecurityLog(hashes, securityLog)
            let refusal: TokenVerifier.Refusal = { try await S.refusal(of: $0, ended, store) }
            let context = ServiceContext(
                settings: settings, environment: environment, store: store, owners: owners,
                tokens: TokenVerifier(store.pool, wait: settings.keyWait, security, refusal: refusal),
                compatibleTokens: TokenVerifier(
                    store.pool, of: .compatible(issuer: settings.compatibleIssuer), wait: settings.keyWait, security,
                    refusal: refusal),
                appTokens: AppTokens(
                    store.pool, wait: S.name == .identity ? .zero : settings.keyWait, security, refusal: refusal),
                ended: ended,
                hashes: hashes, security: security,
                projectors: Dictionary(uniqueKeysWithValues: models.map { ($0.model.name, $0.live) }), log: log)
            let parts = try await S.build(context)
            try environment.finish()
            let sweeper = parts.objects.map { ObjectSweeper(store, $0, log: Logger(label: "sweeper")) }
            let router = Router()
            router.use(AccessMetrics.middleware())
            router.use(security.refusedRequests)
            router.use(Problem.middleware(refusals: S.problem(of:)))
            parts.routes(router)
            if let documents = settings.documents { DocumentRoutes(documents, S.name).add(to: router) }

            self.context = context
            self.parts = parts
            self.router = router
            objects = parts.objects
            trust = AnnouncementTrust(store.pool, settings.announcementKeys)
            let exports = parts.objects.flatMap { objects in
                parts.export.map { ExportParts(context, objects, S.name, notice: parts.exportNotice, source: $0) }
            }
            self.exports = exports
            handler = ReactionHandler(
                S.self, store: store, resources: parts.resources, sweeper: sweeper, trust: trust, exports: exports,
                exportParts: parts.exportParts)
            projectors = models.map(\.live)
            var background = models.flatMap { model, live -> [@Loop () async -> Void] in
                let drift = DriftWatch(model, store: store, log: Logger(label: model.name))
                return [{ await live.run() }, { await drift.run() }]
            }
            if let sweeper { background.append { await sweeper.run() } }
            if let exports { background.append { await exports.run() } }
            let appTokens = context.appTokens
            let expired = ExpirySweeper([("tokens of apps", { try await appTokens.sweep() })])
            background.append { await expired.run() }
            if hearsOfLogins { background.append { await ended.run() } }
            self.background = background + parts.background
        } catch {
            await store.close()
            owners.close()
            throw error
        }
    }

    /// Adds the routes of operators to a router of the admin port, if there is a key that opens them.
    package func addOperators(to router: Router) {
        router.use(Problem.middleware(refusals: S.problem(of:)))
        guard let key = context.settings.operatorKey else { return }
        parts.operators(OperatorRoutes(router, key: key, context.security))
    }

    /// Waits for queued appends and closes all connections.
    package func close() async {
        await context.store.close()
        context.owners.close()
    }
}

extension ServiceContext {
    /// What a service's own commands get: a store and no read models that are folded.
    ///
    /// - Throws: `PostgresError`.
    static func forCommand(_ settings: ServiceSettings, _ environment: Environment, _ log: Logger) async throws -> Self
    {
        let store = EventStore(settings.database)
        let hashes = try await RequestHashes(store)
        let security = SecurityLog(hashes, Logger(label: "security"))
        return ServiceContext(
            settings: settings, environment: environment, store: store, owners: OwnerReads(settings.database),
            tokens: TokenVerifier(store.pool, security) { _ in nil },
            compatibleTokens: TokenVerifier(
                store.pool, of: .compatible(issuer: settings.compatibleIssuer), security
            ) { _ in nil },
            appTokens: AppTokens(store.pool, wait: .zero, security) { _ in nil }, ended: EndedLogins(store, log: log),
            hashes: hashes, security: security, projectors: [:], log: log)
    }
}
