import Contracts
import EventStore
import JSON
import Postgres
import Primitives
import Progress
import Projections
import Runtime
import ServiceKit

/// Finds an owner's last reports, for the next one.
@Loop struct LastReports {
    private let store: EventStore
    private let owners: OwnerReads
    private let history: any LiveReadModel

    init(_ context: ServiceContext) {
        store = context.store
        owners = context.owners
        history = context.live(ReportProjection.self)
    }

    /// What an owner's next report needs to know of all that were written before the call.
    ///
    /// An owner's messages are handled one after another, so no other report of the owner is on its way. The read model is
    /// waited for until it has the whole log, so that a replay finds the same.
    ///
    /// - Throws: `PostgresError`, `JSONError` for a row that cannot be read, as `Projector.step()`, `CancellationError`.
    func of(_ owner: UUID) async throws -> ReportsBefore {
        let end = try await store.pool.end()
        while true {
            let row = try await owners.query(of: owner, Self.statement, [.uuid(owner)]).first
            if let row, row.int(0) >= end {
                return ReportsBefore(
                    wording: try row.optional(1, PostgresRow.bytes).map { try ReportWording(JSONObject.parse($0)) },
                    rows: try await newest(of: owner), aimed: try await aimed(of: owner))
            }
            if try await !history.step() { try await history.folded.wait(atMost: .milliseconds(25)) }
        }
    }

    /// As many as a trend looks at, of the kind that is analyzed: one of another kind before it says nothing of what changed.
    private func newest(of owner: UUID) async throws -> [ReportHistoryRow] {
        try await owners.query(
            of: owner,
            """
            select row_to_json(r) from report_history r
            where owner_id = $1 and coalesce(kind, '\(ReportHistoryRow.firstKind.rawValue)') = $2
            order by created_at desc, session_id desc limit \(Trend.window)
            """, [.uuid(owner), .text(ReportHistoryRow.firstKind.rawValue)]
        ).rows.reversed().map { try ReportHistoryRow(JSONObject.parse($0.bytes(0))) }
    }

    private func aimed(of owner: UUID) async throws -> Set<String> {
        let goals = try await CommandHandler<Goals>(store).load(Goals.stream(owner)).state.open.values
        return Set(goals.filter { $0.kind == ReportHistoryRow.firstKind }.map(\.target.measure))
    }

    /// How far the read model is, and what it has, in one look.
    private static let statement = """
        select p.position, (
            select wording from report_history where owner_id = $1 and wording is not null
            order by created_at desc, session_id desc limit 1)
        from projections p where p.name = '\(ReportProjection.name)'
        """
}
