import Contracts
import EventSourcing
package import History
import ServiceKit

/// The service's folds and decisions for tools that look at its history.
package enum JobHistory {
    package static let history = ServiceHistory(
        .analysis, reads: AnalysisService.reads,
        hears: [
            UploadFinalized.type, SessionCancelled.type, SessionFailed.type, SessionExpired.type, SessionDeleted.type,
            UserErased.type,
        ],
        aggregates: [
            AggregateHistory(Job.self, categories: ["job", "subject"], owners: ["subject"]) { record, _ in
                try command(record)
            }
        ],
        readModels: [
            ReadModelHistory(JobQueueModel.self, foreign: { KeyEvent.isOne($0) }) { key in
                [StreamName(rawValue: "job-\(key)")]
            }
        ],
        publication: ServiceParts.publishing(JobMessages.outgoing))

    /// What was asked, told from what followed. Failures of attempts are given: when the worker noticed is not recorded.
    private static func command(_ record: DecisionRecord<JobEvent>) throws -> JobCommand? {
        if let message = record.message {
            guard case .apply(_, let command) = try JobReactions.reaction(to: message) else { return nil }
            return command
        }
        switch record.events.last {
        case .attemptStarted(_, _, let worker, let leaseEndsAt) where record.events.count == 1:
            return .startAttempt(worker: worker, now: record.recorded.recordedAt, leaseEndsAt: leaseEndsAt)
        case .leaseExtended(_, let attempt, let leaseEndsAt):
            return .extendLease(attempt: attempt, leaseEndsAt: leaseEndsAt)
        case .stageReached(_, let attempt, let stage, let percent):
            return .reportStage(attempt: attempt, stage: stage, progressPercent: percent)
        case .completed(_, let attempt, let result): return .complete(attempt: attempt, result: result)
        case .attemptReturned(_, let attempt, let moment): return .returnAttempt(attempt: attempt, now: moment)
        case .erased: return .erase
        case .subjectErased(let subject, let removed): return .recordErasure(subject: subject, removed: removed)
        case .queued, .attemptStarted, .attemptFailed, .failed, .cancelled, .resultDiscarded, nil: return nil
        }
    }
}
