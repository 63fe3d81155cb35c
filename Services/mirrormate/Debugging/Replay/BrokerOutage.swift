package import Contracts
import Postgres
package import Primitives
import Runtime

/// A time in which services could not reach Kafka, as they told when it answered again.
package struct BrokerOutage: Sendable, Equatable, CustomStringConvertible {
    package let from: Timestamp
    package let until: Timestamp
    /// Those that told it.
    package let services: [ServiceName]

    package init(from: Timestamp, until: Timestamp, services: [ServiceName]) {
        self.from = from
        self.until = until
        self.services = services
    }

    package var description: String {
        let isEverybody = services.count == ServiceName.allCases.count
        let names = isEverybody ? "all services" : services.map(\.rawValue).joined(separator: ", ")
        return "Kafka could not be reached from \(from) to \(until) (by \(names))"
    }

    /// What several services tell of one time, as one: their clocks and looks differ by a few seconds.
    package static func merged(_ told: [BrokerOutage]) -> [BrokerOutage] {
        told.sorted { ($0.from, $0.until) < ($1.from, $1.until) }.reduce(into: []) { merged, next in
            guard let last = merged.last, next.from < last.until else { return merged.append(next) }
            let services = ServiceName.allCases.filter { last.services.contains($0) || next.services.contains($0) }
            merged[merged.count - 1] = BrokerOutage(
                from: last.from, until: max(last.until, next.until), services: services)
        }
    }
}

extension HistoryStore {
    /// When the service could not reach Kafka, since a moment, as it told.
    ///
    /// - Throws: `PostgresError`.
    package func brokerOutages(since moment: Timestamp) async throws -> [BrokerOutage] {
        try await pool.query(
            """
            select (data ->> 'awaySince')::timestamptz, (data ->> 'until')::timestamptz from events
            where stream like 'life-%' and type = 'BrokerReturned' and recorded_at >= $1 order by position
            """, [.time(moment)]
        ).rows.map { BrokerOutage(from: $0.time(0), until: $0.time(1), services: [service]) }
    }
}
