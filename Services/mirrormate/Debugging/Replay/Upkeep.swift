package import Contracts
import Postgres
package import Primitives
import Runtime

/// What was done to a service's store on purpose, and is no event: a restore that was confirmed, forged records left behind, a
/// read model made anew.
package struct Upkeep: Sendable, Equatable, CustomStringConvertible {
    /// What it was; the raw value is the stable name.
    package enum Kind: String, Sendable {
        /// A new incarnation of the store began: behind it lies what a restore has taken away, or what nobody here wrote.
        case incarnation
        /// A read model was built anew beside the live one.
        case rebuild
    }

    package let service: ServiceName
    package let kind: Kind
    package let at: Timestamp
    /// What happened, without service and time.
    package let words: String

    package init(service: ServiceName, kind: Kind, at: Timestamp, words: String) {
        self.service = service
        self.kind = kind
        self.at = at
        self.words = words
    }

    package var description: String { "\(service.rawValue) at \(at): \(words)" }
}

extension HistoryStore {
    /// What was done to the store since a moment, the first first.
    ///
    /// - Throws: `PostgresError`.
    package func upkeep(since moment: Timestamp) async throws -> [Upkeep] {
        let incarnations = try await pool.query(
            """
            select started_at, fork from incarnations where parent is not null and started_at >= $1
            """, [.time(moment)]
        ).rows.map { row in
            Upkeep(
                service: service, kind: .incarnation, at: row.time(0),
                words:
                    "a new incarnation began behind position \(row.int(1)): a restore was confirmed, or forged records were "
                    + "disowned")
        }
        let rebuilds = try await pool.query(
            """
            select started_at, model, state, started_by, events, differences from rebuilds where started_at >= $1
            """, [.time(moment)]
        ).rows.map { row in
            let found = row.optional(5, PostgresRow.int).map { ", \($0) rows differed" } ?? ""
            return Upkeep(
                service: service, kind: .rebuild, at: row.time(0),
                words:
                    "\(row.text(1)) was made anew from \(row.int(4)) events by \(row.text(3))\(found): \(row.text(2))")
        }
        return (incarnations + rebuilds).sorted { $0.at < $1.at }
    }
}
