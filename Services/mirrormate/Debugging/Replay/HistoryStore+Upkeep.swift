import Postgres
package import Primitives
import Runtime

extension HistoryStore {
    /// What was done to the store on purpose since a moment, and is no event: restores that were confirmed, forged records that were
    /// left behind, read models made anew; the first first.
    ///
    /// - Throws: `PostgresError`.
    package func upkeep(since moment: Timestamp) async throws -> [ServiceChange] {
        let incarnations = try await pool.query(
            """
            select started_at, fork from incarnations where parent is not null and started_at >= $1
            """, [.time(moment)]
        ).rows.map { row in
            ServiceChange(
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
            return ServiceChange(
                service: service, kind: .rebuild, at: row.time(0),
                words:
                    "\(row.text(1)) was made anew from \(row.int(4)) events by \(row.text(3))\(found): \(row.text(2))")
        }
        return (incarnations + rebuilds).sorted { $0.at < $1.at }
    }
}
