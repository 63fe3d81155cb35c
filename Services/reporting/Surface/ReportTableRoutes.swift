import CompatibleSurface
import EventStore
import HTTPServer
import Primitives
import RestTables
import Runtime
import ServiceKit

/// The table `analysis_reports` of `/rest/v1`.
///
/// | Caller | Sees |
/// |---|---|
/// | somebody who is signed in | their own reports |
/// | anon key | the report of the one session whose id they name, for an hour after the session was created |
/// | service key | all |
@Loop struct ReportTableRoutes {
    private let context: ServiceContext
    private let reader: RestReader

    init(_ context: ServiceContext) {
        self.context = context
        reader = RestReader(CompatibleReport.table, context) { try CompatibleReport.row($0) }
    }

    func add(to routes: CompatibleRoutes) {
        routes.on("GET", "/analysis_reports", read)
        for method in ["POST", "PATCH", "PUT", "DELETE"] {
            routes.on(method, "/analysis_reports") { _, caller in
                throw CompatibleError.forbidden(table: "analysis_reports", isSignedIn: caller != .anon)
            }
        }
    }

    /// From the rows that are committed atomically with the reports' events, so that one is there as soon as its session is complete.
    private func read(_ request: Request, _ caller: CompatibleCaller) async throws -> Response {
        let query = try reader.query(request)
        let scope: RestReader.Scope? =
            switch caller {
            case .user(let user): .owner(user.user)
            case .service: .everybody
            case .anon: try await capability(query)
            }
        return try await reader.answer(request, query, in: scope)
    }

    /// Whose report it is that an anonymous caller names by its session, and may read.
    private func capability(_ query: RestQuery) async throws -> RestReader.Scope? {
        guard context.settings.hasAnonymousReads, let id = query.pinned("session_id"),
            SessionCapability.isCompatible(id),
            case .written(let report, _, let recording?) = try await CommandHandler<Report>(context.store)
                .load(Report.stream(id)).state,
            SessionCapability.isOpen(id, createdAt: recording.begunAt, now: .now())
        else { return nil }
        return .owner(report.ownerId)
    }
}
