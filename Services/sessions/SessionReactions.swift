package import Contracts
import Primitives
import Runtime
package import ServiceKit

extension Session {
    /// What messages of other services mean here.
    package static let reactions = Reactions<Session, SessionsResources>(
        .on(QuotaReserved.self) { .apply(stream($0.sessionId), .quotaReserved($0)) },
        .on(QuotaReservedV2.self) { .apply(stream($0.sessionId), .quotaReservedInWindows($0)) },
        .on(QuotaRefused.self) { .apply(stream($0.sessionId), .quotaRefused($0)) },
        .on(AnalysisStarted.self) { .apply(stream($0.sessionId), .analysisStarted($0)) },
        .on(AnalysisProgressed.self) { .apply(stream($0.sessionId), .analysisProgressed($0)) },
        .on(AnalysisFailed.self) { .apply(stream($0.sessionId), .analysisFailed($0)) },
        .on(
            ReportReady.self, lookingUp: { ready, found in try await found.period(ready) },
            recalling: { _, events in MediaPeriod(recalledFrom: events) }
        ) { ready, period in .apply(stream(ready.sessionId), .reportReady(ready, keeping: period)) },
        .on(ReportFailed.self) { .apply(stream($0.sessionId), .reportFailed($0)) },
        .erasure,
        .handover,
        .exportPart,
        .exportEnd,
        ignoring: [
            // A session ends by the report, not by the analysis; a removed report ends nothing.
            AnalysisCompleted.type, AnalysisCompletedV2.type, ReportDeleted.type, GoalMet.type, MilestoneReached.type,
            // Quota settles on the endings that are decided here.
            QuotaCommitted.type, QuotaReleased.type, PlanChanged.type,
            // A user is known by the id alone.
            UserRegistered.type, UserProfileChanged.type,
            // What a device's secret opens ends with its login sessions.
            DeviceSecretRevoked.type,
            // No provider gets anything from here.
            ConsentGiven.type, ConsentWithdrawn.type,
        ])
}

/// What reactions look things up in.
package struct SessionsResources: Sendable {
    /// For how long the recording of a session is kept whose report is ready now.
    package let period: @Loop @Sendable (ReportReady) async throws -> MediaPeriod

    package init(period: @escaping @Loop @Sendable (ReportReady) async throws -> MediaPeriod) { self.period = period }
}
