package import CompatibleSurface
import Configuration
package import Contracts
package import Crypto
package import EventConsumer
package import EventStore
import HTTPClient
import HTTPServer
import JSON
package import ObjectStorage
import Observability
package import Postgres
import PostgresTesting
package import Primitives
package import Projections
package import Runtime
package import ServiceKit

/// Runs a test with a service that is assembled as in production, with its own database and ports. The test takes the
/// broker's place. Everything is stopped afterwards, even if the test throws.
///
/// - Parameters:
///   - variables: the service's own environment variables.
///   - instances: how many share the database.
///   - background: whether folds, sweepers, workers and clocks run; otherwise the test folds read models itself.
/// - Throws: what the start throws, such as `ConfigurationError`, `PostgresError` or `ServerError`; otherwise what
///   `body` throws.
@Loop package func withService<S: Service>(
    _: S.Type, _ variables: [String: String] = [:], instances: Int = 1, background: Bool = false,
    _ body: @Loop (ServiceUnderTest<S>) async throws -> Void
) async throws {
    let service = try await ServiceUnderTest<S>(variables)
    do {
        for _ in 0..<instances { try await service.start(background: background) }
        try await body(service)
    } catch {
        await service.stop()
        throw error
    }
    await service.stop()
}

/// A service with its own database: instances that share it, each with its own assembly and ports.
@Loop package final class ServiceUnderTest<S: Service> {
    /// One process's worth of the service.
    @Loop package final class Instance {
        package let assembly: ServiceAssembly<S>
        /// The port of the public routes.
        package let port: Int
        /// The port of the operators' routes.
        package let adminPort: Int
        fileprivate let servers: [HTTPServer]
        fileprivate let background: [Task<Void, any Error>]

        fileprivate init(_ assembly: ServiceAssembly<S>, background: Bool) throws {
            self.assembly = assembly
            let configuration = ServerConfiguration(
                host: "127.0.0.1", port: 0, trustedProxies: assembly.context.settings.trustedProxies)
            let server = HTTPServer(configuration, router: assembly.router, metrics: Metrics())
            let operators = Router()
            assembly.addOperators(to: operators)
            let admin = HTTPServer(configuration, router: operators, metrics: Metrics())
            port = try server.start()
            adminPort = try admin.start()
            servers = [server, admin]
            self.background = background ? assembly.background.map { work in Loop.task { await work() } } : []
        }

        package var url: String { "http://127.0.0.1:\(port)" }
        package var store: EventStore { assembly.context.store }
        package var owners: OwnerReads { assembly.context.owners }
        package var handler: ReactionHandler<S> { assembly.handler }
        package var objects: (any ObjectStore)? { assembly.objects }
        /// All routes of the public port.
        package var routes: [(method: String, pattern: String)] { assembly.router.routes }
    }

    /// The database as its administrator sees it, with the service's schema as search path.
    package let administrator: PostgresPool
    /// The same for a test's own connections.
    package let administratorSettings: PostgresSettings
    /// The login role, without a row-level security scope.
    package let unscoped: PostgresPool
    package private(set) var instances: [Instance] = []
    /// The topics of other services as the test writes them.
    package var topic = TestTopic()

    /// The service's login role.
    package let role: PostgresSettings
    private let variables: [String: String]
    /// Where its objects lie unless the test says otherwise.
    private let folder = TemporaryFolder()
    /// What all instances write into the security log.
    package let security = SecurityLines()
    private let key = ES256PrivateKey.make()
    private var isKeyKnown = false

    /// The first instance.
    package var first: Instance { instances[0] }
    package var store: EventStore { first.store }
    package var context: ServiceContext { first.assembly.context }
    package var url: String { first.url }

    fileprivate init(_ variables: [String: String]) async throws {
        let schema = S.name.rawValue
        let database = try await TestPostgres.makeDatabase(schemas: [schema], kind: schema) {
            _ = try await Migrator(schema: schema, role: schema, migrations: ServiceProgram.migrations(S.self)).run($0)
        }
        role = database.roles[schema]!
        administratorSettings = database.administrator.with("search_path", schema)
        administrator = PostgresPool(administratorSettings, size: 2)
        unscoped = PostgresPool(role, size: 2)
        var all = [
            "DATABASE_HOST": role.host, "DATABASE_PASSWORD": "0123456789abcdef0123456789abcdef",
            "PUBLIC_URL": "http://127.0.0.1", "KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:1", "SIGNING_KEY_WAIT": "0s",
            "TRUSTED_PROXIES": "127.0.0.1", "OBJECT_STORE": "file://\(folder.path)",
        ]
        all.merge(TestAnnouncements.variables) { $1 }
        for (name, value) in variables { all[name] = value }
        self.variables = all
        if S.name != .identity { try await learnKey() }
    }

    /// Starts another instance.
    ///
    /// - Parameter changed: its variables where they differ from those of the others.
    /// - Throws: what the start throws, such as `ConfigurationError`, `PostgresError` or `ServerError`.
    @discardableResult
    package func start(_ changed: [String: String] = [:], background: Bool) async throws -> Instance {
        let environment = Environment(variables.merging(changed) { $1 })
        var settings = ServiceSettings(S.name, environment)
        settings.database = role
        let assembly = try await ServiceAssembly(
            S.self, settings, environment, log: Logger(label: "test"), securityLog: security.logger)
        do {
            try await assembly.objects?.prepare()
            let instance = try Instance(assembly, background: background)
            instances.append(instance)
            return instance
        } catch {
            await assembly.close()
            throw error
        }
    }

    fileprivate func stop() async {
        for instance in instances {
            for server in instance.servers { _ = await server.stop(deadline: .seconds(2)) }
            for task in instance.background { task.cancel() }
            for task in instance.background { _ = await task.result }
            await instance.assembly.close()
        }
        administrator.close()
        unscoped.close()
    }

    // MARK: Tokens

    /// A good access token.
    ///
    /// - Parameters:
    ///   - session: the login session.
    ///   - lifetime: how long the token lasts; whole seconds count.
    ///   - authenticatedAt: when its user has shown who they are.
    /// - Throws: `CryptoError` if it cannot be signed.
    package func token(
        for user: UUID, kind: AccessTokenClaims.Kind = .user, session: UUID = .v7(), lifetime: Duration = .seconds(900),
        isEmailVerified: Bool? = nil, authenticatedAt: Timestamp = .now()
    ) throws -> String {
        let now = Timestamp.now()
        return try sign(
            AccessTokenClaims(
                subject: user, issuer: TokenVerifier.issuer, audience: [TokenVerifier.audience], issuedAt: now,
                expiresAt: now + lifetime, id: .v7(), session: session, kind: kind,
                authenticatedAt: authenticatedAt, isEmailVerified: isEmailVerified))
    }

    /// A good access token of somebody new who is signed in: identity, which asks its own rows, lets a device in.
    ///
    /// - Throws: `CryptoError` if it cannot be signed, `HTTPClientError` or `JSONError` if identity does not answer with one.
    package func signedIn() async throws -> String {
        guard S.name == .identity else { return try token(for: .v7()) }
        let answer = try await send("POST", "/v1/auth/device", json: ["deviceId": .string("\(UUID.v4())")])
        return try answer.json.string("accessToken")
    }

    /// A good token of an app, of somebody new who is signed in.
    ///
    /// - Throws: as ``deliver(_:)``, `HTTPClientError`, `JSONError` or `PostgresError`.
    package func appToken(for surface: AppSurface) async throws -> AppToken {
        let token = AppToken.make()
        guard S.name == .identity else {
            try await deliver(
                AppTokenIssued(
                    userId: .v7(), loginSessionId: .v4(), tokenSHA256: Hex.encode(token.hash), surface: surface,
                    timeZone: "Europe/Berlin", expiresAt: .now() + .seconds(900)))
            return token
        }
        // Identity asks its own rows whether the login session stands.
        let device = try await send("POST", "/v1/auth/device", json: ["deviceId": .string("\(UUID.v4())")])
        let user = try device.json.object("user").uuid("id")
        _ = try await administrator.query(
            """
            insert into app_tokens (hash, owner_id, session, surface, time_zone, expires_at)
            select $1, user_id, session, $2, 'Europe/Berlin', expires_at from logins where user_id = $3
            """, [.bytes(token.hash), .text(surface.rawValue), .uuid(user)])
        return token
    }

    /// A good access token of the compatible surface.
    ///
    /// - Throws: `CryptoError` if it cannot be signed.
    package func compatibleToken(
        for user: UUID, isAnonymous: Bool = false, session: UUID = .v7(), lifetime: Duration = .seconds(3_600),
        issuer: String? = nil, isEmailVerified: Bool? = nil, authenticatedAt: Timestamp = .now()
    ) throws -> String {
        let now = Timestamp.now()
        return try CompatibleAccessToken.issue(
            CompatibleTokenClaims(
                subject: user, issuer: issuer ?? context.settings.compatibleIssuer, issuedAt: now,
                expiresAt: now + lifetime, session: session, isAnonymous: isAnonymous, email: "", appMetadata: [:],
                userMetadata: [:], hasSecondFactor: false,
                methods: [CompatibleTokenClaims.Method("password", at: authenticatedAt)], timeZone: nil,
                isEmailVerified: isEmailVerified), key: key, keyID: key.publicKey.thumbprint)
    }

    /// A good API key, of which the service knows.
    ///
    /// - Throws: `PostgresError`.
    package func apiKey(_ role: APIKeyRole, _ form: APIKeyText.Form = .token) async throws -> String {
        let key = APIKeyText.make(role, form, at: .now())
        _ = try await administrator.query(
            "insert into api_keys (id, hash, role) values ($1, $2, $3)",
            [.uuid(.v4()), .bytes(APIKeyText.hash(of: key.text)), .text(role.rawValue)])
        return key.text
    }

    /// A token with any claims, signed with the key that the service knows.
    ///
    /// - Throws: `CryptoError` if it cannot be signed.
    package func sign(_ claims: AccessTokenClaims) throws -> String {
        try AccessToken.issue(claims, key: key, keyID: key.publicKey.thumbprint)
    }

    /// Lets the service know the key of ``sign(_:)``; identity learns it only when a test says so.
    ///
    /// - Throws: `PostgresError`.
    package func learnKey() async throws {
        if isKeyKnown { return }
        isKeyKnown = true
        _ = try await administrator.query(
            """
            insert into signing_keys (kid, x, y, not_before, expires_at, signed)
            values ($1, $2, $3, now() - interval '1 hour', now() + interval '1 day', true)
            """, [.text(key.publicKey.thumbprint), .text(key.publicKey.jwkX), .text(key.publicKey.jwkY)])
    }

    // MARK: Messages

    /// Passes a message to an instance's handler, again after a conflict, as a consumer does.
    ///
    /// - Returns: whether the log has grown.
    /// - Throws: what the handler throws except conflicts, or `PostgresError`.
    @discardableResult
    package func deliver(_ message: ReceivedMessage, to instance: Instance? = nil) async throws -> Bool {
        let before = try await head
        let instance = instance ?? first
        while true {
            do {
                try await instance.handler.handle(message, through: instance.store)
                return try await head > before
            } catch AppendError.conflict {
                continue
            }
        }
    }

    /// Passes the next message of a service's topic to the first instance.
    ///
    /// - Returns: the message, for a repeat.
    /// - Throws: `UnreadableRecord`, or as ``deliver(_:to:)``.
    @discardableResult
    package func deliver(_ message: some PublishedMessage) async throws -> ReceivedMessage {
        let received = try topic.message(message)
        try await deliver(received)
        return received
    }

    /// Writes the parts of exports that are asked for, and gives what there is to publish of one.
    ///
    /// - Returns: nil when no part was written.
    /// - Throws: as `ExportParts.work()`; `EventDecodingError`.
    package func exportPart(of export: UUID) async throws -> ExportPartWritten? {
        try await first.assembly.exports?.work()
        for event in try await store.read(ExportPartEvent.stream(export)).reversed() {
            if let out = try S.publication(event) { return try ExportPartWritten(out.data) }
        }
        return nil
    }

    /// Folds a read model up to the end of the log.
    ///
    /// - Throws: as `Projector.step()`.
    package func fold<Model: ReadModel>(_: Model.Type) async throws {
        let live = context.live(Model.self)
        let head = try await head
        while live.position < head { _ = try await live.step() }
    }

    /// Folds every read model up to the end of the log.
    ///
    /// - Throws: as `Projector.step()`.
    package func foldAll() async throws {
        let head = try await head
        for live in first.assembly.projectors { while live.position < head { _ = try await live.step() } }
    }

    private var head: Int64 {
        get async throws {
            try await store.pool.query("select coalesce(max(position), 0) from events").rows[0].int(0)
        }
    }

    /// The number that a statement returns, run as the administrator.
    ///
    /// - Throws: `PostgresError`.
    package func count(_ sql: String) async throws -> Int64 { try await administrator.query(sql).rows[0].int(0) }

    /// Waits for something that the service does in the background, for at most 20 s.
    ///
    /// - Returns: whether it happened.
    /// - Throws: what the condition throws, or `CancellationError`.
    package func eventually(_ condition: @Loop () async throws -> Bool) async throws -> Bool {
        let deadline = monotonicNanoseconds() + 20_000_000_000
        while try await !condition() {
            if monotonicNanoseconds() > deadline { return false }
            try await Loop.sleep(for: .milliseconds(20))
        }
        return true
    }
}

extension ES256PrivateKey {
    fileprivate static func make() -> ES256PrivateKey {
        do { return try .generate() } catch { preconditionFailure("No key can be made: \(error)") }
    }
}
