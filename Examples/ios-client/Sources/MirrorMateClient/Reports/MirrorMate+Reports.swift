import Foundation

extension MirrorMate {
    public func report(of session: UUID) async throws -> Report {
        try await answer(.get("/v1/reports/\(session.inPath)"))
    }

    /// The reports so far, the newest first.
    ///
    /// - Parameter cursor: `nextCursor` of the part before.
    public func history(after cursor: String? = nil, limit: Int = 20) async throws -> ReportPage {
        try await answer(.get("/v1/reports", ["limit": "\(limit)", "cursor": cursor]))
    }

    /// What changed over all reports.
    public func progress() async throws -> OverallProgress {
        try await answer(.get("/v1/progress", ["timeZone": TimeZone.current.identifier]))
    }
}
