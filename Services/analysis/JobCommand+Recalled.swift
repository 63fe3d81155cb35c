import Contracts
import EventSourcing
import History

extension JobCommand {
    /// What was asked without a message, told from what followed. Failures of attempts are given: when the worker noticed
    /// is not recorded.
    static func recalled(_ record: DecisionRecord<JobEvent>, _: Job) -> JobCommand? {
        switch record.events.last {
        case .attemptStarted(_, _, let worker, let leaseEndsAt) where record.events.count == 1:
            .startAttempt(worker: worker, now: record.recorded.recordedAt, leaseEndsAt: leaseEndsAt)
        case .leaseExtended(_, let attempt, let leaseEndsAt): .extendLease(attempt: attempt, leaseEndsAt: leaseEndsAt)
        case .stageReached(_, let attempt, let stage, let percent):
            .reportStage(attempt: attempt, stage: stage, progressPercent: percent)
        case .callBegun(_, let attempt, let call): .beginCall(attempt: attempt, call)
        case .callEnded(_, let attempt, let outcome): .endCall(attempt: attempt, outcome)
        case .completed(_, let attempt, let result): .complete(attempt: attempt, result: result)
        case .attemptReturned(_, let attempt, let moment): .returnAttempt(attempt: attempt, now: moment)
        case .erased: .erase
        case .subjectErased(let subject, let removed): .recordErasure(subject: subject, removed: removed)
        case .queued, .attemptStarted, .attemptFailed, .failed, .cancelled, .resultDiscarded, nil: nil
        }
    }
}
