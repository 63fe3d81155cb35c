import Contracts
import History
import Kafka
import Postgres
import Primitives
import Replay
import Runtime
import ServiceKit
import analysis
import identity
import quota
import reporting
import sessions

/// What the commands that look at history work with: the logs of all services, and where Kafka is.
@Loop final class Desk {
    /// What each service's code makes of its log.
    nonisolated static let histories: [ServiceHistory] = [
        IdentityService.history, SessionsService.history, QuotaService.history, AnalysisService.history,
        ReportingService.history,
    ]

    let stores: [HistoryStore]
    let kafka: KafkaSettings
    private let access: DeskAccess

    /// Opens the logs; the stack need not run, but PostgreSQL must.
    ///
    /// - Throws: a failure with the exit code 3 when there is no stack or no database.
    init(_ arguments: Arguments) async throws {
        let access = try DeskAccess(arguments)
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

    /// A service's log by its name.
    func store(_ name: some StringProtocol) throws -> HistoryStore {
        guard let store = stores.first(where: { $0.service.rawValue == name }) else {
            let known = stores.map(\.service.rawValue)
            throw Failure(
                .usage, "no-service",
                "There is no service \(name).\(Suggestion.text(for: String(name), among: known))",
                advice: "The services are \(known.joined(separator: ", ")).")
        }
        return store
    }

    /// A service's log with one of its read models, by `SERVICE/READMODEL`, or by the read model's name alone.
    func readModel(_ name: String) throws -> (HistoryStore, ReadModelHistory) {
        let parts = name.split(separator: "/", maxSplits: 1)
        for store in stores where parts.count == 1 || store.service.rawValue == parts[0] {
            if let model = store.history.readModel(String(parts.last ?? "")) { return (store, model) }
        }
        let known = stores.flatMap { store in store.history.readModels.map { "\(store.service.rawValue)/\($0.name)" } }
        throw Failure(
            .usage, "no-read-model", "There is no read model \(name).\(Suggestion.text(for: name, among: known))",
            advice: "The read models are \(known.joined(separator: ", ")).")
    }

    /// A service's own login role, for what an operator does on purpose: release what is parked, mend a row, rebuild.
    func writer(_ store: HistoryStore) throws -> PostgresSettings {
        try access.role(store.service.rawValue, secret: "db-\(store.service.rawValue)")
            .with("search_path", store.service.rawValue).with("mirrormate.scope", "system")
    }
}
