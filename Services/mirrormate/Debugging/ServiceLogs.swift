import Contracts
import EventSourcing
import History
import Kafka
import Postgres
import Primitives
import Replay
import Runtime
import analysis
import identity
import quota
import reporting
import sessions

/// What the commands that look at history work with: the logs of all services, and where Kafka is.
@Loop final class ServiceLogs {
    /// What each service's code makes of its log.
    nonisolated static let histories: [ServiceHistory] = [
        IdentityHistory.history, SessionHistory.history, QuotaHistory.history, JobHistory.history,
        ReportHistory.history,
    ]

    let stores: [HistoryStore]
    let kafka: KafkaSettings
    private let access: DeploymentAccess

    /// Opens the logs; the stack need not run, but PostgreSQL must.
    ///
    /// - Throws: a failure with the exit code 3 when there is no stack or no database.
    init(_ arguments: Arguments) async throws {
        let access = try DeploymentAccess(arguments)
        self.access = access
        kafka = access.kafka
        let reader = try access.role("mirrormate_reader", secret: "db-reader")
        stores = Self.histories.map { HistoryStore($0, reader: reader) }
        do {
            _ = try await stores[0].head()
        } catch {
            close()
            throw Failure(
                .configuration, "no-database", "PostgreSQL cannot be asked: \(error)",
                advice: "`mirrormate up` starts it; one that an older build made needs `mirrormate up` once more.")
        }
    }

    func close() { for store in stores { store.close() } }

    /// A service's log.
    func store(_ service: ServiceName) -> HistoryStore {
        guard let store = stores.first(where: { $0.service == service }) else {
            preconditionFailure("\(service.rawValue) has no history.")
        }
        return store
    }

    /// A service's log with a stream, by `SERVICE/STREAM`.
    func stream(_ name: String) throws(Failure) -> (HistoryStore, StreamName) {
        let parts = name.split(separator: "/", maxSplits: 1)
        guard parts.count == 2 else {
            throw Failure.usage(
                "“\(name)” is not of the form SERVICE/STREAM.", advice: "A row of a read model needs its key too.")
        }
        do {
            let service = try ValueType<ServiceName>.service.read(String(parts[0]), as: "SERVICE")
            return (store(service), StreamName(rawValue: String(parts[1])))
        } catch { throw Failure.usage(error.message, advice: error.advice ?? "") }
    }

    /// The failure of a stream that belongs to no aggregate.
    nonisolated static func noAggregate(_ store: HistoryStore, _ stream: StreamName) -> Failure {
        .usage("No aggregate of \(store.service.rawValue) has streams like \(stream).")
    }

    /// The names of all read models, as `SERVICE/READMODEL`.
    nonisolated static let readModelNames = histories.flatMap { history in
        history.readModels.map { "\(history.service.rawValue)/\($0.name)" }
    }

    /// A service's log with one of its read models, by `SERVICE/READMODEL`, or by the read model's name alone.
    func readModel(_ name: String) throws(Failure) -> (HistoryStore, ReadModelHistory) {
        do {
            let parts = try ValueType<String>.readModel.read(name, as: "READMODEL").split(separator: "/")
            for store in stores where store.service.rawValue == parts[0] {
                if let model = store.history.readModel(String(parts[1])) { return (store, model) }
            }
            preconditionFailure("\(name) is in the list of read models and has none.")
        } catch { throw Failure.usage(error.message, advice: error.advice ?? "") }
    }

    /// A service's own login role, for what an operator does on purpose: release what is parked, mend a row, rebuild.
    func writer(_ store: HistoryStore) throws -> PostgresSettings {
        try access.role(store.service.rawValue, secret: "db-\(store.service.rawValue)")
            .with("search_path", store.service.rawValue).with("mirrormate.scope", "system")
    }
}
