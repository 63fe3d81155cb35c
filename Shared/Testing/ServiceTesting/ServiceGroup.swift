import Configuration
import Contracts
package import Crypto
import EventConsumer
package import EventStore
import HTTPServer
import JSON
import Observability
package import Postgres
import PostgresTesting
package import Primitives
package import Runtime
package import ServiceKit

/// A service over a database of its own: instances that share it, each with its own store, handler and port. Nothing
/// runs in the background; messages are delivered and read models folded when a test says so.
@Loop package final class ServiceGroup<S: Service> {
    /// One process's worth of the service.
    @Loop package struct Instance {
        package let store: EventStore
        package let owners: OwnerReads
        package let parts: ServiceParts
        package let port: Int
        /// The port of the operators' routes.
        package let adminPort: Int
        /// All routes of the public port.
        package let routes: [(method: String, pattern: String)]
        fileprivate let server: HTTPServer
        fileprivate let admin: HTTPServer
    }

    /// The database as its administrator sees it, with the service's schema as search path.
    package let administrator: PostgresPool
    /// The login role, without a row-level security scope.
    package let unscoped: PostgresPool
    package private(set) var instances: [Instance] = []

    private let settings: PostgresSettings
    private let variables: [String: String]
    private let key: ES256PrivateKey

    /// The first instance.
    package var first: Instance { instances[0] }

    /// Makes a database, migrates it, starts one instance, runs `body` and takes all down again.
    ///
    /// - Parameter variables: the service's own environment variables.
    package static func run(
        _: S.Type, _ variables: [String: String] = [:], instances: Int = 1,
        _ body: @Loop (ServiceGroup<S>) async throws -> Void
    ) async throws {
        let group = try await ServiceGroup(variables)
        do {
            for _ in 0..<instances { try await group.addInstance() }
            try await body(group)
        } catch {
            await group.stop()
            throw error
        }
        await group.stop()
    }

    private init(_ variables: [String: String]) async throws {
        let schema = S.name.rawValue
        let database = try await TestPostgres.makeDatabase(schemas: [schema])
        _ = try await Migrator(schema: schema, role: schema, migrations: ServiceProgram.migrations(S.self))
            .run(database.administrator)
        settings = database.roles[schema]!
        administrator = PostgresPool(database.administrator.with("search_path", schema), size: 2)
        unscoped = PostgresPool(settings, size: 2)
        var all = [
            "DATABASE_HOST": settings.host, "DATABASE_PASSWORD": "\(UUID.v4())", "PUBLIC_URL": "http://localhost",
            "KAFKA_BOOTSTRAP_SERVERS": "localhost:1",
        ]
        for (name, value) in variables { all[name] = value }
        self.variables = all
        key = try .generate()
        _ = try await administrator.query(
            """
            insert into signing_keys (kid, x, y, not_before, expires_at)
            values ($1, $2, $3, now() - interval '1 hour', now() + interval '1 day')
            """, [.text(key.publicKey.thumbprint), .text(key.publicKey.jwkX), .text(key.publicKey.jwkY)])
    }

    private func addInstance() async throws {
        let environment = Environment(variables)
        let store = EventStore(settings)
        let owners = OwnerReads(settings)
        let context = ServiceContext(
            settings: ServiceSettings(S.name, environment), environment: environment, store: store, owners: owners,
            tokens: TokenVerifier(store.pool, wait: .zero), hashes: try await RequestHashes(store),
            log: Logger(label: "test"))
        let parts = try await S.build(context)
        try environment.finish()
        let router = Router()
        router.use(Problem.middleware)
        parts.routes(router)
        let server = HTTPServer(ServerConfiguration(host: "127.0.0.1", port: 0), router: router, metrics: Metrics())
        let operators = Router()
        operators.use(Problem.middleware)
        if let key = context.settings.operatorKey { parts.operators(OperatorRoutes(operators, key: key)) }
        let admin = HTTPServer(ServerConfiguration(host: "127.0.0.1", port: 0), router: operators, metrics: Metrics())
        instances.append(
            Instance(
                store: store, owners: owners, parts: parts, port: try server.start(), adminPort: try admin.start(),
                routes: router.routes, server: server, admin: admin))
    }

    private func stop() async {
        for instance in instances {
            await instance.server.stop(deadline: .zero)
            await instance.admin.stop(deadline: .zero)
            await instance.store.close()
            instance.owners.close()
        }
        administrator.close()
        unscoped.close()
    }

    /// A good access token.
    package func token(for user: UUID, kind: AccessTokenClaims.Kind = .user) throws -> String {
        let now = Timestamp.now()
        let claims = AccessTokenClaims(
            subject: user, issuer: TokenVerifier.issuer, audience: [TokenVerifier.audience], issuedAt: now,
            expiresAt: now.adding(seconds: 900), id: .v7(), session: .v7(), kind: kind)
        return try sign(claims)
    }

    /// A token with any claims, signed with the key that the service knows.
    package func sign(_ claims: AccessTokenClaims) throws -> String {
        try AccessToken.issue(claims, key: key, keyID: key.publicKey.thumbprint)
    }
}
