import Contracts
import EventRelay
import EventSourcing
import EventStore
import Glibc
import History
import JSON
import Observability
import Postgres
import PostgresTesting
import Primitives
import Projections
import Replay
import Runtime
import ServiceKit
import TestingSupport

@testable import analysis
@testable import identity
@testable import notifications
@testable import quota
@testable import reporting
@testable import sessions

/// The schemas of all services in a database of their own, with no service running.
@Loop final class AllSchemas {
    let administrator: PostgresSettings
    let roles: [String: PostgresSettings]
    let logs: [ServiceName: EventStore]
    let stores: [HistoryStore]
    let log = Logger(label: "test", descriptor: open("/dev/null", O_WRONLY))

    nonisolated static let histories: [ServiceHistory] = [
        IdentityService.history, SessionsService.history, QuotaService.history, AnalysisService.history,
        ReportingService.history, NotificationsService.history,
    ]

    /// - Parameters:
    ///   - database: the name of the database, for the tool, which requires a fixed one.
    ///   - release: the release whose data is in the database before today's migrations run; nil for an empty one.
    static func run(
        database: String? = nil, release: String? = nil, _ body: @Loop (AllSchemas) async throws -> Void
    ) async throws {
        let schemas = try await AllSchemas(database, release)
        do { try await body(schemas) } catch {
            await schemas.close()
            throw error
        }
        await schemas.close()
    }

    private init(_ name: String?, _ release: String?) async throws {
        let database = try await TestPostgres.makeDatabase(
            schemas: ServiceName.allCases.map(\.rawValue), named: name)
        administrator = database.administrator
        roles = database.roles
        if let release { try await ReleasedData(release).load(administrator) }
        for (schema, migrations) in [
            ("identity", ServiceProgram.migrations(IdentityService.self)),
            ("sessions", ServiceProgram.migrations(SessionsService.self)),
            ("quota", ServiceProgram.migrations(QuotaService.self)),
            ("analysis", ServiceProgram.migrations(AnalysisService.self)),
            ("reporting", ServiceProgram.migrations(ReportingService.self)),
            ("notifications", ServiceProgram.migrations(NotificationsService.self)),
        ] {
            _ = try await Migrator(schema: schema, role: schema, migrations: migrations).run(administrator)
        }
        logs = Dictionary(
            uniqueKeysWithValues: ServiceName.allCases.map {
                ($0, EventStore(database.roles[$0.rawValue]!, poolSize: 2))
            })
        var reader = administrator
        reader.user = "mirrormate_reader"
        stores = Self.histories.map { HistoryStore($0, reader: reader) }
    }

    private func close() async {
        for store in stores { store.close() }
        for log in logs.values { await log.close() }
    }

    func store(_ service: ServiceName) -> HistoryStore { stores.first { $0.service == service }! }

    /// The settings with which an operator writes: the service's login role.
    func writer(_ service: ServiceName) -> PostgresSettings {
        roles[service.rawValue]!.with("mirrormate.scope", "system")
    }

    /// Appends events to streams, in one append for each stream.
    func append(
        _ service: ServiceName, _ stream: StreamName, _ events: [any PrivateEvent], from version: Int64 = 0,
        id: UUID = .v7(), metadata: EventMetadata = EventMetadata(owner: nil, correlation: .v7(), actor: "test")
    ) async throws -> Int64 {
        let new = events.map { event in NewEvent(event) }
        return try await logs[service]!.append(
            Append(
                id: id, requestHash: [], metadata: metadata,
                writes: [StreamWrite(stream, expectedVersion: version, events: new)])
        ).position
    }

    /// Appends what a service decides in response to another one's event, as its consumer would.
    func answer(
        _ service: ServiceName, _ stream: StreamName, _ events: [any PrivateEvent], from version: Int64 = 0,
        to source: ServiceName, _ position: Int64
    ) async throws -> Int64 {
        let incarnation = try await store(source).incarnations()[0]
        let cause = try await store(source).events(where: "position = $1", [.int(position)])[0]
        return try await append(
            service, stream, events, from: version,
            id: UUID.v5(namespace: incarnation, name: "\(source.rawValue)/\(position)"),
            metadata: EventMetadata(
                owner: nil, correlation: cause.metadata.correlation, causation: cause.id, actor: service.rawValue,
                origin: "\(source.rawValue)/\(incarnation)/\(position)"))
    }

    /// Folds a read model up to the end of the log, as its service does.
    func fold<Model: ReadModel>(_: Model.Type, of service: ServiceName) async throws {
        let projector = Projector(Model.self, store: logs[service]!, log: log, foreign: { KitEvents.isOne($0) })
        let head = try await store(service).head()
        while projector.position < head { _ = try await projector.step() }
    }

    /// Runs statements as the administrator.
    func script(_ service: ServiceName, _ statements: String) async throws {
        let connection = try await PostgresConnection.open(administrator.with("search_path", service.rawValue))
        defer { connection.close() }
        try await connection.script(statements)
    }

    func number(_ service: ServiceName, _ sql: String) async throws -> Int64 {
        let connection = try await PostgresConnection.open(administrator.with("search_path", service.rawValue))
        defer { connection.close() }
        return try await connection.query(sql).rows[0].int(0)
    }
}

extension AllSchemas {
    /// Runs 29,000 random commands on all services with read models, and folds these.
    func live(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        try await RandomHistory<Session>.sessions.write(5_000, to: logs[.sessions]!, &random)
        try await RandomHistory<Allowance>.allowances.write(5_000, to: logs[.quota]!, &random)
        try await RandomHistory<Job>.jobs.write(5_000, to: logs[.analysis]!, &random)
        try await RandomHistory<Report>.reports.write(5_000, to: logs[.reporting]!, &random)
        try await RandomHistory<LoggedSession>.logged.write(2_000, to: logs[.sessions]!, &random)
        try await RandomHistory<Report>.practisedDays.write(2_000, to: logs[.reporting]!, &random)
        try await RandomHistory<Practitioner>.practitioners.write(2_000, to: logs[.reporting]!, &random)
        try await RandomHistory<Goals>.goals.write(2_000, to: logs[.reporting]!, &random)
        try await RandomHistory<Shares>.shares.write(1_000, to: logs[.reporting]!, &random)
        try await fold(SessionProjection.self, of: .sessions)
        try await fold(PracticeProjection.self, of: .sessions)
        try await fold(PracticeDayProjection.self, of: .reporting)
        try await fold(PractitionerProjection.self, of: .reporting)
        try await fold(GoalsProjection.self, of: .reporting)
        try await fold(AllowanceProjection.self, of: .quota)
        try await fold(JobProjection.self, of: .analysis)
        try await fold(ReportProjection.self, of: .reporting)
    }
}
