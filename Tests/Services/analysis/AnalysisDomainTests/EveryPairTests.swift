import Contracts
import EventSourcing
import EventSourcingTesting
import Testing

@testable import analysis

/// The states of a job that rules tell apart.
enum JobState: CaseIterable {
    case absent, queued, running, calling, waiting, lastAttempt, completed, discarded, failed, cancelledEarly,
        cancelled, erased,
        subject

    /// The history that leads to it.
    var given: Given {
        let f = Fixture.self
        return switch self {
        case .absent: f.absent
        case .queued: f.waitingForWorker
        case .running: f.running
        case .calling: f.calling
        case .waiting: f.waiting
        case .lastAttempt: f.lastRun
        case .completed: Given(f.running.history + [f.completed])
        case .discarded: Given(f.running.history + [f.completed, f.discarded])
        case .failed: Given(f.running.history + [f.failed])
        case .cancelledEarly: Given([f.cancelled])
        case .cancelled: Given(f.running.history + [f.cancelled])
        case .erased: Given(f.running.history + [f.erased])
        case .subject: Given([f.subjectErased])
        }
    }
}

/// The stated outcome of every command in every state, so that no pair is left to chance: early, late, repeated and
/// contradicting ones among them.
@Suite("Every state of a job and every command") struct EveryPairTests {
    private static let f = Fixture.self

    static let rules: [CommandRule<JobState, Job>] = [
        .init("order", .queue(f.job, f.order), .gives("JobQueued", in: .absent), .nothing()),
        .init(
            "cancel", .cancel(f.job, .cancelled),
            .gives("JobCancelled", in: .absent, .queued, .running, .calling, .waiting, .lastAttempt),
            .gives("ResultDiscarded", in: .completed), .nothing()),
        .init(
            "start while a lease holds", .startAttempt(worker: "w", now: f.start, leaseEndsAt: f.later),
            .refuses(.unknownJob, in: .absent, .subject), .gives("AttemptStarted", in: .queued),
            .refuses(.leased(until: f.leaseEnd), in: .running, .calling, .lastAttempt),
            .refuses(.notBefore(f.retryAt), in: .waiting), .refuses(.ended)),
        .init(
            "start when every lease is over", .startAttempt(worker: "w", now: f.leaseEnd, leaseEndsAt: f.later),
            .refuses(.unknownJob, in: .absent, .subject), .gives("AttemptStarted", in: .queued, .waiting),
            .gives("AttemptFailed", "AttemptStarted", in: .running, .calling),
            .gives("AttemptFailed", "JobFailed", in: .lastAttempt), .refuses(.ended)),
        .init(
            "start without a lease", .startAttempt(worker: "w", now: f.later, leaseEndsAt: f.later),
            .refuses(.invalidLease)),
        .init(
            "extend the first", .extendLease(attempt: 1, leaseEndsAt: f.later),
            .refuses(.unknownJob, in: .absent, .subject), .refuses(.superseded(current: 0), in: .queued),
            .gives("LeaseExtended", in: .running, .calling), .refuses(.superseded(current: 1), in: .waiting),
            .refuses(.superseded(current: 3), in: .lastAttempt), .refuses(.ended)),
        .init(
            "stage of the first", .reportStage(attempt: 1, stage: .voice, progressPercent: 70),
            .refuses(.unknownJob, in: .absent, .subject), .refuses(.superseded(current: 0), in: .queued),
            .gives("StageReached", in: .running, .calling), .refuses(.superseded(current: 1), in: .waiting),
            .refuses(.superseded(current: 3), in: .lastAttempt), .refuses(.ended)),
        .init(
            "complete the first", .complete(attempt: 1, result: f.result), .refuses(.unknownJob, in: .absent, .subject),
            .refuses(.superseded(current: 0), in: .queued), .gives("JobCompleted", in: .running, .calling),
            .refuses(.superseded(current: 1), in: .waiting), .refuses(.superseded(current: 3), in: .lastAttempt),
            .nothing(in: .completed, .discarded), .refuses(.ended)),
        .init(
            "complete the first otherwise", .complete(attempt: 1, result: f.otherResult),
            .refuses(.unknownJob, in: .absent, .subject), .refuses(.superseded(current: 0), in: .queued),
            .gives("JobCompleted", in: .running, .calling), .refuses(.superseded(current: 1), in: .waiting),
            .refuses(.superseded(current: 3), in: .lastAttempt), .refuses(.ended)),
        .init(
            "complete the third", .complete(attempt: 3, result: f.result), .refuses(.unknownJob, in: .absent, .subject),
            .refuses(.superseded(current: 0), in: .queued),
            .refuses(.superseded(current: 1), in: .running, .calling, .waiting),
            .gives("JobCompleted", in: .lastAttempt), .refuses(.ended)),
        .init(
            "the first fails, may be tried again",
            .failAttempt(attempt: 1, code: "engine-busy", retryable: true, now: f.start),
            .refuses(.unknownJob, in: .absent, .subject), .refuses(.superseded(current: 0), in: .queued),
            .gives("AttemptFailed", in: .running, .calling), .nothing(in: .waiting, .failed),
            .refuses(.superseded(current: 3), in: .lastAttempt), .refuses(.ended)),
        .init(
            "the first fails for good", .failAttempt(attempt: 1, code: "no-video", retryable: false, now: f.start),
            .refuses(.unknownJob, in: .absent, .subject), .refuses(.superseded(current: 0), in: .queued),
            .gives("AttemptFailed", "JobFailed", in: .running, .calling), .nothing(in: .waiting, .failed),
            .refuses(.superseded(current: 3), in: .lastAttempt), .refuses(.ended)),
        .init(
            "the third fails, may be tried again",
            .failAttempt(attempt: 3, code: "engine-busy", retryable: true, now: f.start),
            .refuses(.unknownJob, in: .absent, .subject), .refuses(.superseded(current: 0), in: .queued),
            .refuses(.superseded(current: 1), in: .running, .calling, .waiting),
            .gives("AttemptFailed", "JobFailed", in: .lastAttempt), .refuses(.ended)),
        .init(
            "return the first", .returnAttempt(attempt: 1, now: f.start), .refuses(.unknownJob, in: .absent, .subject),
            .refuses(.superseded(current: 0), in: .queued), .gives("AttemptReturned", in: .running, .calling),
            .nothing(in: .waiting), .refuses(.superseded(current: 3), in: .lastAttempt), .refuses(.ended)),
        .init(
            "begin a call of the first", .beginCall(attempt: 1, f.call), .refuses(.unknownJob, in: .absent, .subject),
            .refuses(.superseded(current: 0), in: .queued), .gives("ProviderCallBegun", in: .running),
            .refuses(.alreadyAsked, in: .calling), .refuses(.superseded(current: 1), in: .waiting),
            .refuses(.superseded(current: 3), in: .lastAttempt), .refuses(.ended)),
        .init(
            "end a call of the first", .endCall(attempt: 1, f.answer), .refuses(.unknownJob, in: .absent, .subject),
            .refuses(.superseded(current: 0), in: .queued), .refuses(.alreadyAsked, in: .running),
            .gives("ProviderCalled", in: .calling), .refuses(.superseded(current: 1), in: .waiting),
            .refuses(.superseded(current: 3), in: .lastAttempt), .refuses(.ended)),
        .init("erase", .erase, .nothing(in: .absent, .erased, .subject), .gives("JobErased")),
        .init(
            "record the erasure", .recordErasure(subject: f.owner, removed: f.removed),
            .gives("SubjectErased", in: .absent), .nothing()),
    ]

    @Test("has the stated outcome", arguments: rules)
    func outcome(rule: CommandRule<JobState, Job>) { #expect(rule.violations(given: \.given) == []) }

    @Test("leads to each private event in some row")
    func everyEvent() { #expect(eventsWithoutRow(Self.rules, of: "analysis") == []) }

    @Test("accepts one outcome at most, whatever three commands come in whatever order")
    func oneOutcome() {
        for state in JobState.allCases.prefix(6) {
            for first in Self.rules {
                for second in Self.rules {
                    for third in Self.rules {
                        let commands = [first.command, second.command, third.command]
                        let outcomes = state.given.after(commands).history.filter(isOutcome)
                        #expect(outcomes.count <= 1, "\(first), then \(second), then \(third)")
                    }
                }
            }
        }
    }

    private func isOutcome(_ event: JobEvent) -> Bool {
        switch event {
        case .completed, .failed, .cancelled: true
        default: false
        }
    }
}
