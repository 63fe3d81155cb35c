import EventStore
import JSON
import Postgres
import Primitives
import Projections
import Runtime
import ServiceKit

/// Finds how an owner's last report is worded.
@Loop struct LastWordings {
    private let store: EventStore
    private let owners: OwnerReads
    private let history: any LiveReadModel

    init(_ context: ServiceContext) {
        store = context.store
        owners = context.owners
        history = context.live(ReportProjection.self)
    }

    /// The wording of an owner's newest report, of all that were written before the call; nil if there is none.
    ///
    /// An owner's messages are handled one after another, so no other report of the owner is on its way. The read model is
    /// waited for until it has the whole log, so that a replay finds the same.
    ///
    /// - Throws: `PostgresError`, `JSONError` for a row that cannot be read, as `Projector.step()`, `CancellationError`.
    func of(_ owner: UUID) async throws -> ReportWording? {
        let end = try await store.pool.end()
        while true {
            let row = try await owners.query(of: owner, Self.statement, [.uuid(owner)]).first
            if let row, row.int(0) >= end {
                return try row.optional(1, PostgresRow.bytes).map { try ReportWording(JSONObject.parse($0)) }
            }
            if try await !history.step() { try await history.folded.wait(atMost: .milliseconds(25)) }
        }
    }

    /// How far the read model is, and what it has, in one look.
    private static let statement = """
        select p.position, (
            select wording from report_history where owner_id = $1 and wording is not null
            order by created_at desc, session_id desc limit 1)
        from projections p where p.name = '\(ReportProjection.name)'
        """
}
