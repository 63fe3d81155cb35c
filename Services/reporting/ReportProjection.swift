package import Primitives

/// A row of `report_history`: what lists and progress show of a report.
package struct ReportHistoryRow: Sendable, Equatable {
    package var sessionId: UUID
    package var reportId: UUID
    package var ownerId: UUID
    /// When the report was written.
    package var createdAt: Timestamp
    package var summary: ReportSummary

    package init(
        sessionId: UUID, reportId: UUID, ownerId: UUID, createdAt: Timestamp, summary: ReportSummary
    ) {
        self.sessionId = sessionId
        self.reportId = reportId
        self.ownerId = ownerId
        self.createdAt = createdAt
        self.summary = summary
    }
}

/// The fold of the service's own log into `report_history`; the same functions live and in a rebuild.
package enum ReportProjection {
    /// The rows that an event changes: their session ids.
    package static func keys(of event: ReportEvent) -> [UUID] { event.report.map { [$0.sessionId] } ?? [] }

    /// The row after an event; nothing when there is none or none any more.
    ///
    /// - Parameters:
    ///   - row: the row before it.
    ///   - recordedAt: when the event was recorded.
    package static func evolve(
        _ row: ReportHistoryRow?, _ event: ReportEvent, recordedAt: Timestamp
    ) -> ReportHistoryRow? {
        switch event {
        case .written(let report, _, let summary):
            ReportHistoryRow(
                sessionId: report.sessionId, reportId: report.reportId, ownerId: report.ownerId, createdAt: recordedAt,
                summary: summary)
        case .deleted, .erased: nil
        case .failed, .subjectErased: row
        }
    }
}
