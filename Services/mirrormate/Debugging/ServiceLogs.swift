import Configuration
import Contracts
import EventSourcing
import History
import Kafka
import Postgres
import Primitives
import Replay
import Runtime
import ServiceKit
import analysis
import identity
import notifications
import quota
import reporting
import sessions

/// What the commands that look at history work with: the logs of all services, and where Kafka is.
@Loop final class ServiceLogs {
    /// What each service's code makes of its log.
    nonisolated static let histories: [ServiceHistory] = [
        IdentityService.history, SessionsService.history, QuotaService.history, AnalysisService.history,
        ReportingService.history, NotificationsService.history,
    ]

    let stores: [HistoryStore]
    let kafka: KafkaSettings
    let arguments: Arguments
    private let access: DeploymentAccess

    /// Opens the logs; the stack need not run, but PostgreSQL must.
    ///
    /// - Throws: a failure with the exit code 3 when there is no stack or no database.
    init(_ arguments: Arguments) async throws {
        let access = try DeploymentAccess(arguments)
        self.access = access
        self.arguments = arguments
        // Before anybody waits for an answer: one that stands still takes connections and says nothing.
        if let trouble = try Self.engineTroubles(arguments).first(where: { $0.part == "postgres" }) {
            throw Failure(.configuration, "no-database", "\(trouble.sentence).", advice: trouble.advice)
        }
        kafka = access.kafka
        let reader = try access.role("mirrormate_reader", secret: "db-reader")
        stores = Self.histories.map { HistoryStore($0, reader: reader) }
        do {
            _ = try await stores[0].head()
        } catch {
            close()
            throw Failure(
                .configuration, "no-database", "PostgreSQL cannot be asked: \(error)",
                advice: ComposeDeployment.isHere
                    ? "`docker compose up -d --wait` starts it."
                    : "`mirrormate up` starts it; one that an older build made needs `mirrormate up` once more.")
        }
    }

    /// Why a Kafka that was started here does not run now; nil when it does, and where that cannot be seen.
    var broker: PartTrouble? { get throws { try Self.engineTroubles(arguments).first { $0.part == "kafka" } } }

    /// The services all of whose processes stand still now, by what this machine says of them; none where that cannot be seen.
    var standing: [ServiceName: String] {
        get throws {
            guard let stack = try Self.stack(arguments) else { return [:] }
            var standing: [ServiceName: String] = [:]
            for (name, copies) in Dictionary(grouping: stack.services, by: \.service) {
                let troubles = copies.compactMap(\.part.trouble)
                guard let service = ServiceName(rawValue: name), troubles.count == copies.count,
                    let stopped = troubles.first(where: { $0.kind == .stopped })
                else { continue }
                standing[service] = stopped.sentence
            }
            return standing
        }
    }

    private static func engineTroubles(_ arguments: Arguments) throws -> [PartTrouble] {
        (try stack(arguments)?.engineTroubles ?? []).filter { $0.kind != .notStarted }
    }

    /// The stack of this machine; nil where it is one of containers.
    private static func stack(_ arguments: Arguments) throws -> Stack? {
        ComposeDeployment.isHere ? nil : try Stack(Settings(arguments, for: .look), Console())
    }

    /// Which announcements of identity services believe; nil where there are no public announcement keys.
    var trust: AnnouncementTrust? {
        guard let text = access.announcementKeys else { return nil }
        let keys = AnnouncementKeys(Environment(["ANNOUNCEMENT_KEYS": text]), isNeeded: false)
        return AnnouncementTrust(store(.quota).pool, keys)
    }

    func close() { for store in stores { store.close() } }

    /// A service's log.
    func store(_ service: ServiceName) -> HistoryStore {
        guard let store = stores.first(where: { $0.service == service }) else {
            preconditionFailure("\(service.rawValue) has no history.")
        }
        return store
    }

    /// The failure of a stream that belongs to no aggregate.
    nonisolated static func noAggregate(_ service: ServiceName, _ stream: StreamName) -> Failure {
        .usage("No aggregate of \(service.rawValue) has streams like \(stream).")
    }

    /// A service's log with one of its read models.
    func readModel(_ name: ReadModelName) -> (HistoryStore, ReadModelHistory) {
        let store = store(name.service)
        guard let model = store.history.readModel(name.name) else { preconditionFailure("There is no \(name).") }
        return (store, model)
    }

    /// A service's own login role, for what an operator does on purpose: release what is parked, mend a row, rebuild.
    func writer(_ store: HistoryStore) throws -> PostgresSettings {
        try access.role(store.service.rawValue, secret: "db-\(store.service.rawValue)")
            .with("search_path", store.service.rawValue).with("mirrormate.scope", "system")
    }
}
