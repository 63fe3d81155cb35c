import Configuration
import Contracts
import EventConsumer
import EventRelay
import EventStore
import Glibc
import HTTPServer
import JSON
import Kafka
import ObjectStorage
import Observability
import Postgres
import Primitives
import Runtime

/// One run of a service from its start to a clean shutdown.
///
/// Start: store, parts, relay, consumer, background work, HTTP last. End, in reverse and each with a deadline: not ready,
/// no new requests, running ones finish, consumer, background work, relay, store.
@Loop final class ServiceRun<S: Service> {
    private let settings: ServiceSettings
    private let environment: Environment
    private let log: Logger
    private var isEnding = false
    private var missingMigrations: [String]?

    /// This process.
    private let instance = UUID.v7()

    init(_ settings: ServiceSettings, _ environment: Environment, _ log: Logger) {
        var settings = settings
        settings.database.applicationName += " \(instance)"
        self.settings = settings
        self.environment = environment
        self.log = log
    }

    func serve() async throws {
        let signals = TerminationSignals()
        try await waitForSchema()
        let service = try await ServiceAssembly(S.self, settings, environment, log: log)
        if let objects = service.objects { try await waitForObjects(objects) }
        let store = service.context.store
        let life = ServiceLife(instance, store, log: log)
        BrokerCertificate.announce(settings.kafka.security)

        let relay = Relay(
            store: store, service: S.name, topic: Topic(S.name), kafka: settings.kafka, log: Logger(label: "relay"),
            seal: service.seal, tell: { life.note($0) }, publication: S.publication)
        let consumer = EventConsumer(
            store: store, group: ServiceProgram.consumerGroup(S.self), topics: S.reads.map { Topic($0) },
            kafka: settings.kafka, log: Logger(label: "consumer"), handler: service.handler)
        let relaying = Loop.task { await relay.run() }
        let consuming = Loop.task {
            if S.reads.contains(.identity) {
                await service.trust.seek(self.settings.kafka) { message in
                    try await service.handler.handle(message, through: store)
                }
            }
            await consumer.run()
        }
        let lag = LagWatch(store, settings.kafka, S.reads.map { Topic($0) })
        let broker = BrokerWatch(settings.kafka, Topic(S.name).name) { absence in
            try await life.tellBrokerReturned(awaySince: absence.from, until: absence.until)
        }
        let watches: [@Loop () async -> Void] = [
            { await lag.run() }, { await broker.look() }, { await broker.report() },
        ]
        let background = (service.background + watches).map { work in Loop.task { await work() } }

        let admin = HTTPServer(
            ServerConfiguration(host: settings.adminHost, port: settings.adminPort),
            router: adminRouter(service, consumer, relay))
        let server = HTTPServer(
            ServerConfiguration(
                host: settings.httpHost, port: settings.httpPort, trustedProxies: settings.trustedProxies,
                proxyKey: settings.gatewayKey.map { key in { @Sendable shown in key.fits(shown) } }),
            router: service.router)
        let adminPort = try admin.start()
        let port = try server.start()
        log.info("serving", ["port": .int(Int64(port)), "adminPort": .int(Int64(adminPort))])
        // Only now: what fails to start again and again leaves nothing in the log.
        let living = Loop.task { await life.run() }

        try await signals.next()
        log.info("ending")
        isEnding = true
        // A second signal ends the process at once.
        Loop.task {
            try await signals.next()
            exit(1)
        }
        _ = await server.stop(deadline: settings.shutdownDeadline)
        await end([consuming], "consumer")
        await end(background, "background work")
        await end([relaying], "relay")
        await end([living], "heartbeat")
        await life.end()
        await service.close()
        _ = await admin.stop(deadline: .seconds(1))
        log.info("ended")
    }

    private func end(_ tasks: [Task<Void, any Error>], _ what: String) async {
        for task in tasks { task.cancel() }
        do {
            try await Loop.withDeadline(settings.shutdownDeadline) { for task in tasks { _ = await task.result } }
        } catch {
            log.warning("did not end in time", ["part": .string(what)])
        }
    }

    /// A service may start before its database or its migrations; it logs what it waits for.
    private func waitForSchema() async throws {
        let migrator = Migrator(
            schema: S.name.rawValue, role: settings.database.user, migrations: ServiceProgram.migrations(S.self))
        let pool = PostgresPool(settings.database, size: 1)
        defer { pool.close() }
        var said = ""
        while true {
            let waiting: String
            do {
                let missing = try await migrator.missing(pool)
                missingMigrations = missing
                if missing.isEmpty { return }
                waiting = "migrations are missing: run the command migrate (\(missing.joined(separator: ", ")))"
            } catch let error as PostgresError where error.code == .undefinedTable {
                waiting = "the schema is empty: run the command migrate"
            } catch let error as PostgresError where error.isRetriable {
                waiting = error.description
            }
            if waiting != said { log.warning("waiting for the database", ["reason": .string(waiting)]) }
            said = waiting
            try await Loop.sleep(for: .milliseconds(250))
        }
    }

    /// As with the database; settings that the store refuses end the start.
    private func waitForObjects(_ objects: any ObjectStore) async throws {
        var said = ""
        while true {
            do {
                return try await objects.prepare(writing: S.objectAccess.owns.map { $0.key("") })
            } catch let error as ObjectStoreError where error.isRetryable {
                if "\(error)" != said { log.warning("waiting for the object store", ["reason": .string("\(error)")]) }
                said = "\(error)"
            }
            try await Loop.sleep(for: .seconds(1))
        }
    }

    private func adminRouter(
        _ service: ServiceAssembly<S>, _ consumer: EventConsumer, _ relay: Relay
    ) -> Router {
        let store = service.context.store
        let router = Router()
        service.addOperators(to: router)
        router.on("GET", "/health/live") { _ in .json(["status": "live"]) }
        router.on("GET", "/health/ready") { _ in
            var problems: [String] = []
            if self.isEnding { problems.append("ending") }
            if !consumer.isAssigned { problems.append("the consumer group has not answered yet") }
            let behind = consumer.behindStart
            if behind > 0 { problems.append("\(behind) records that were there at the start are to be read") }
            do {
                // Whoever signs in as soon as all are ready must not be told that the key is unknown.
                let keys = try await store.pool.query("select from good_signing_keys limit 1")
                if keys.count == 0 { problems.append("no signing key of identity has arrived yet") }
            } catch {
                problems.append("the database cannot be reached")
            }
            return .json(
                [
                    "status": problems.isEmpty ? "ready" : "not ready",
                    "waitingFor": .array(problems.map(JSONValue.string)),
                    "recordsToRead": .int(behind),
                ],
                status: problems.isEmpty ? 200 : 503)
        }
        router.on("GET", "/metrics") { _ in
            await StoreFigures(store: store, relay: relay, consumer: consumer).measure()
            return .text(Metrics.shared.text(), contentType: Metrics.contentType)
        }
        if let key = settings.operatorKey {
            // What a log says may be about people, so only operators choose how much of it is written.
            OperatorRoutes(router, key: key, service.context.security).on("PUT", "/operator/log-level") { request in
                let body = try await request.jsonObject()
                try body.allow("level")
                guard let level = LogLevel(rawValue: try body.string("level")) else {
                    throw Problem.invalidRequest("The level is one of debug, info, notice, warning and error.")
                }
                Logger.level = level
                return .noContent
            }
        }
        return router
    }
}
