package import Contracts
import Primitives
import Runtime

/// Which services do not run: what everything else may follow from.
extension Ledger {
    /// The services that do not run now, the first to end first; those that stand still by what this machine says come last. Needs no
    /// broker.
    ///
    /// - Throws: `PostgresError`.
    package static func down(
        _ stores: [HistoryStore], standing: [ServiceName: String] = [:]
    ) async throws -> [(service: ServiceName, fault: LedgerFault)] {
        let outages = try await outages(stores, standing: Set(standing.keys)).filter { $0.until == nil }
        let told = Set(outages.map(\.service))
        return outages.map { ($0.service, fault($0, standing[$0.service])) }
            + standing.filter { !told.contains($0.key) }.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                ($0.key, LedgerFault(kind: .down, place: $0.key.rawValue, detail: $0.value))
            }
    }

    /// When services did not run, the first time first. Needs no broker.
    ///
    /// - Parameter standing: those that are known to stand still, which needs no second look.
    /// - Throws: `PostgresError`.
    package static func outages(
        _ stores: [HistoryStore], standing: Set<ServiceName> = []
    ) async throws -> [Outage] {
        var lives: [ServiceName: ServiceLives] = [:]
        for store in stores { lives[store.service] = try await store.lives(silentAfter: SilenceWatch.suspicion) }
        // On a machine with much to do a heartbeat may be late: one that stands still is silent at the next look, too.
        var watch = SilenceWatch(known: standing)
        while let patience = watch.next(Array(lives.values)) {
            try await Loop.sleep(for: .seconds(1))
            for store in stores { lives[store.service] = try await store.lives(silentAfter: patience) }
        }
        return lives.values.flatMap(\.outages).sorted {
            ($0.from, $0.service.rawValue) < ($1.from, $1.service.rawValue)
        }
    }

    /// The fault that a service does not run.
    ///
    /// - Parameter standing: what this machine says of one that stands still.
    private static func fault(_ outage: Outage, _ standing: String?) -> LedgerFault {
        let detail =
            switch outage.ending {
            case .silent:
                standing.map { "\($0); it was heard of last at \(outage.from)" }
                    ?? ("its instance is there, and has not been heard of since \(outage.from): it stands still, or cannot reach "
                        + "the database")
            case .clean: "no instance has run since \(outage.from): the last one ended in order"
            case .killed:
                "no instance has run since \(outage.from): the last one was killed, or died with its machine"
            }
        return LedgerFault(kind: .down, place: outage.service.rawValue, detail: detail)
    }
}
