package import Contracts

/// What is published of the private events for other services: at most one message for each.
package enum PublishedByReporting {
    /// The message that is published for an event; nil for what concerns this service alone.
    package static func outgoing(for event: ReportEvent) -> Outgoing? {
        switch event {
        case .written(let report, _, _, _, _, _): Outgoing(ReportReady(report.reference, reportId: report.reportId))
        case .failed(let report, let code): Outgoing(ReportFailed(report.reference, code: code))
        case .deleted(let report, _, wasWritten: true): Outgoing(ReportDeleted(report.reference))
        case .milestoneReached(let owner, let kind, let days):
            Outgoing(MilestoneReached(ownerId: owner, kind: kind, streakDays: days))
        case .subjectErased(let subject, let removed):
            SubjectErased.outgoing(subject, from: .reporting, removed: removed)
        // What was never written was never announced; of an erasure every service hears from identity itself.
        // Days and settings are read here, and sessions told when they began.
        case .deleted(_, _, wasWritten: false), .recordingLearned, .erased, .practiceCounted, .practiceWithdrawn,
            .practiceForgotten,
            .graceChanged, .dayFrozen, .dayThawed:
            nil
        case .goalMet(let owner, let goal, _, isAnnounced: true): Outgoing(GoalMet(ownerId: owner, goalId: goal))
        case .goalSet, .goalMet, .goalMissed, .goalDropped, .reportShared, .shareRevoked, .uploadNoted: nil
        case .export(let event): outgoing(for: event)
        // A report that waits is not there yet.
        case .retentionLearned, .wording: nil
        }
    }

    /// The other services write their parts when one is asked for, and remove them when it is over.
    private static func outgoing(for event: ExportEvent) -> Outgoing? {
        let export = event.export
        return switch event {
        case .requested(_, let terms):
            Outgoing(
                ExportRequested(exportId: export.exportId, ownerId: export.ownerId, deadline: terms.deadline))
        case .failed, .closed: Outgoing(ExportClosed(exportId: export.exportId, ownerId: export.ownerId))
        case .partReceived, .ready: nil
        }
    }
}
