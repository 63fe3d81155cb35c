import Contracts
package import ServiceKit

extension User {
    /// What messages of other services mean here: only the answers to an erasure concern this service.
    package static let reactions = Reactions<User, NoResources>(
        ServiceName.allCases.filter { $0 != .identity }.map { service in
            .onSubjectErased(by: service) { done in
                // Each service says it for itself: one that speaks for another is not believed.
                guard done.service == service.rawValue else { return .ignore }
                return .apply(
                    stream(done.subjectId),
                    .confirmErasure(done.subjectId, service: done.service, removed: done.removed))
            }
        } + [.exportPart, .exportEnd],
        ignoring: [
            // An account is the same whatever becomes of its owner's sessions, units and reports.
            SessionCreated.type, UploadFinalized.type, SessionCompleted.type, SessionFailed.type,
            SessionCancelled.type, SessionExpired.type, SessionDeleted.type,
            SessionLogged.type, SessionCorrected.type, SessionWithdrawn.type,
            QuotaReserved.type, QuotaReservedV2.type, QuotaRefused.type, QuotaCommitted.type, QuotaReleased.type,
            PlanChanged.type,
            AnalysisStarted.type, AnalysisProgressed.type, AnalysisCompleted.type, AnalysisCompletedV2.type,
            AnalysisFailed.type,
            ReportReady.type, ReportFailed.type, ReportDeleted.type, GoalMet.type, MilestoneReached.type,
            // A recording goes with its session.
            MediaKept.type, MediaRemoved.type,
        ])
}
