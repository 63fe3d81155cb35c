package import Primitives
import Projections

/// The fold of the service's own log into `practice_days`: one row for each owner, kind and local day. Streaks and totals are
/// computed from these rows when they are asked for, so corrections and deletions need nothing of their own.
package enum PracticeDayProjection: ReadModel {
    package static let name = "practice_days"

    package static func keys(of event: ReportEvent) -> [PracticeDayIdentity] { event.practiceDay.map { [$0] } ?? [] }

    package static func text(_ key: PracticeDayIdentity) -> String { key.text }

    package static func evolve(
        _ row: consuming PracticeDayRow?, _ event: ReportEvent, key: PracticeDayIdentity, recordedAt: Timestamp
    ) -> PracticeDayRow? {
        switch event {
        case .practiceCounted(_, let session, let time):
            var day = row ?? PracticeDayRow(identity: key, sessions: [], updatedAt: recordedAt)
            day.count(session, time, at: recordedAt)
            return day
        case .practiceWithdrawn(_, let session):
            guard var day = row else { return nil }
            day.withdraw(session, at: recordedAt)
            return day.sessions.isEmpty ? nil : day
        case .practiceForgotten: return nil
        case .written, .recordingLearned, .failed, .deleted, .erased, .graceChanged, .dayFrozen, .dayThawed,
            .milestoneReached,
            .subjectErased:
            return row
        case .goalSet, .goalMet, .goalMissed, .goalDropped, .reportShared, .shareRevoked, .uploadNoted, .export,
            .wording:
            return row
        case .retentionLearned: return row
        }
    }
}
