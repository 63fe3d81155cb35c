package import Primitives
import Projections

/// The fold of the service's own log into `report_history`; the same functions live and in a rebuild.
package enum ReportProjection: ReadModel {
    package static let name = "report_history"

    package static func keys(of event: ReportEvent) -> [UUID] { event.report.map { [$0.sessionId] } ?? [] }

    package static func evolve(
        _ row: ReportHistoryRow?, _ event: ReportEvent, key: UUID, recordedAt: Timestamp
    ) -> ReportHistoryRow? {
        switch event {
        case .written(let report, _, let summary, let wording, let basis, let recording):
            ReportHistoryRow(
                sessionId: report.sessionId, reportId: report.reportId, ownerId: report.ownerId, createdAt: recordedAt,
                summary: summary, wording: wording, basis: basis, recording: recording)
        case .recordingLearned(_, let recording): row?.recorded(recording)
        case .deleted, .erased: nil
        case .failed, .practiceCounted, .practiceWithdrawn, .practiceForgotten, .graceChanged, .dayFrozen, .dayThawed,
            .milestoneReached, .subjectErased:
            row
        case .goalSet, .goalMet, .goalMissed, .goalDropped, .reportShared, .shareRevoked, .uploadNoted, .export: row
        case .wording: row
        case .retentionLearned(_, let until): row?.kept(until)
        }
    }
}
