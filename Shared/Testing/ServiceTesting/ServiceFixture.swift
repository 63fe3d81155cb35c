import Configuration
package import Contracts
package import Crypto
import EventConsumer
import EventSourcing
import EventStore
package import HTTPClient
import HTTPServer
package import JSON
import Kafka
import Observability
package import Postgres
import PostgresTesting
package import Primitives
import Projections
package import Runtime
package import ServiceKit

/// One service in this process: its real parts over a real PostgreSQL and a real port. Messages of other services are
/// handed to its handler as records; nothing is published.
@Loop package final class ServiceFixture<S: Service> {
    package let administrator: PostgresSettings
    package let settings: PostgresSettings
    package let context: ServiceContext
    package let parts: ServiceParts
    package let url: String
    private let server: HTTPServer
    private let key: ES256PrivateKey
    private let keyID: UUID
    private var position: Int64 = 0
    private let incarnation = UUID.v7()
    private var background: [Task<Void, any Error>] = []

    /// Makes a database, migrates it, builds the service and serves its routes on a free port.
    package init(_: S.Type, environment variables: [String: String] = [:]) async throws {
        let name = S.name.rawValue
        let database = try await TestPostgres.makeDatabase(schemas: [name])
        administrator = database.administrator
        settings = database.roles[name]!
        _ = try await Migrator(schema: name, role: name, migrations: ServiceProgram.migrations(S.self))
            .run(administrator)
        var all = variables
        all["DATABASE_HOST"] = settings.host
        all["DATABASE_PASSWORD"] = "0123456789abcdef0123456789abcdef"
        all["KAFKA_BOOTSTRAP_SERVERS"] = "127.0.0.1:1"
        let environment = Environment(all)
        let store = EventStore(settings)
        context = ServiceContext(
            settings: ServiceSettings(S.name, environment), environment: environment, store: store,
            owners: OwnerReads(settings), tokens: TokenVerifier(store.pool, wait: .zero),
            hashes: try await RequestHashes(store), log: Logger(label: "test"))
        parts = try await S.build(context)
        let router = Router()
        router.use(Problem.middleware)
        parts.routes(router)
        server = HTTPServer(ServerConfiguration(host: "127.0.0.1", port: 0), router: router)
        url = "http://127.0.0.1:\(try server.start())"
        key = try ES256PrivateKey.generate()
        keyID = UUID.v7()
        background = parts.background.map { work in Loop.task { await work() } }
        let published = SigningKeyPublished(
            kid: keyID.description, x: key.publicKey.jwkX, y: key.publicKey.jwkY, notBefore: .now(),
            expiresAt: .now() + .seconds(3600))
        if S.name != .identity { _ = try await deliver(published, from: .identity) }
    }

    /// Ends the service's work and closes what it holds.
    package func stop() async {
        _ = await server.stop(deadline: .seconds(2))
        for task in background { task.cancel() }
        for task in background { _ = await task.result }
        await context.store.close()
        context.owners.close()
    }

    /// An access token of a user.
    package func token(_ user: UUID, kind: AccessTokenClaims.Kind = .user) throws -> String {
        let claims = AccessTokenClaims(
            subject: user, issuer: TokenVerifier.issuer, audience: [TokenVerifier.audience], issuedAt: .now(),
            expiresAt: .now() + .seconds(600), id: .v7(), session: .v7(), kind: kind)
        return try AccessToken.issue(claims, key: key, keyID: keyID.description)
    }

    /// Sends a request and gives status, JSON (null when there is none) and headers.
    package func call(
        _ method: String, _ path: String, as user: UUID? = nil, headers: [(String, String)] = [],
        json: JSONValue? = nil, bytes: [UInt8]? = nil
    ) async throws -> (status: Int, json: JSONValue, response: HTTPClientResponse) {
        var all = headers
        if let user { all.append(("Authorization", "Bearer \(try token(user))")) }
        if json != nil { all.append(("Content-Type", "application/json")) }
        let body = json?.bytes ?? bytes
        let address = path.hasPrefix("http") ? path : url + path
        let request = HTTPClientRequest(
            method, address, headers: all, body: body.map { .bytes($0) } ?? .none)
        let response = try await HTTPClient.shared.send(request)
        SeenAnswers.note(request, response)
        return (response.status, (try? JSONValue.parse(response.body)) ?? .null, response)
    }

    /// Hands a message of another service to the handler, as its consumer would, without a watermark.
    ///
    /// - Parameter position: a position that was delivered before, for a repeat; by default the next one.
    @discardableResult
    package func deliver(
        _ message: some PublishedMessage, from service: ServiceName, position repeated: Int64? = nil
    ) async throws -> Int64 {
        position += 1
        let place = repeated ?? position
        let record = Self.record(Outgoing(message), service, place, incarnation)
        try await parts.handler.handle(try ReceivedMessage(record), calls: [])
        return place
    }

    private static func record(
        _ outgoing: Outgoing, _ service: ServiceName, _ position: Int64, _ incarnation: UUID
    ) -> KafkaRecord {
        let key = outgoing.key.description
        let headers = [
            (MessageHeaders.id, UUID.v5(namespace: incarnation, name: String(position)).description),
            (MessageHeaders.type, outgoing.type.description), (MessageHeaders.subject, outgoing.subject),
            (MessageHeaders.time, Timestamp.now().rfc3339), (MessageHeaders.correlationID, UUID.v7().description),
            (MessageHeaders.position, String(position)), (MessageHeaders.previous, String(position - 1)),
            (MessageHeaders.incarnation, incarnation.description), (MessageHeaders.epoch, "1"),
        ]
        return KafkaRecord(
            topic: Topic(service).name, partition: 0, offset: position, timestampMs: 0, key: Array(key.utf8),
            value: JSONValue.object(outgoing.data).bytes, headers: headers.map { ($0.0, Array($0.1.utf8)) })
    }
}
