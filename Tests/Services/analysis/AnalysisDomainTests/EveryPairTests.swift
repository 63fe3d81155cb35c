import Coaching
import Contracts
import EventSourcing
import EventSourcingTesting
import Testing

@testable import analysis

/// The stated outcome of every command in every state, so that no pair is left to chance: early, late, repeated and
/// contradicting ones among them.
@Suite("Every state of a job and every command") struct EveryPairTests {
    private static let f = Fixture.self

    /// The states, in the order of the columns of ``table``.
    static let states: [(name: String, story: Story)] = [
        ("absent", f.absent), ("queued", f.waitingForWorker), ("running", f.running), ("waiting", f.waiting),
        ("last attempt", f.lastRun), ("completed", Story(f.running.history + [f.completed])),
        ("discarded", Story(f.running.history + [f.completed, f.discarded])),
        ("failed", Story(f.running.history + [f.failed])), ("cancelled early", Story([f.cancelled])),
        ("cancelled", Story(f.running.history + [f.cancelled])), ("erased", Story(f.running.history + [f.erased])),
        ("subject", Story([f.subjectErased])),
    ]

    private static let ended = " !job-ended !job-ended !job-ended !job-ended !job-ended !job-ended !unknown-job"

    /// `-` for nothing, a name for an event, `!` before the code of a refusal; a last word stands for all the rest.
    static let table: [(name: String, command: JobCommand, outcomes: String)] = [
        ("order", .queue(f.job, f.order), "JobQueued -"),
        (
            "cancel", .cancel(f.job, .cancelled),
            "JobCancelled JobCancelled JobCancelled JobCancelled JobCancelled ResultDiscarded -"
        ),
        (
            "start while a lease holds", .startAttempt(worker: "w", now: f.start, leaseEndsAt: f.later),
            "!unknown-job AttemptStarted !job-leased !job-waiting !job-leased" + ended
        ),
        (
            "start when every lease is over", .startAttempt(worker: "w", now: f.leaseEnd, leaseEndsAt: f.later),
            "!unknown-job AttemptStarted AttemptFailed+AttemptStarted AttemptStarted AttemptFailed+JobFailed" + ended
        ),
        ("start without a lease", .startAttempt(worker: "w", now: f.later, leaseEndsAt: f.later), "!invalid-lease"),
        (
            "extend the first", .extendLease(attempt: 1, leaseEndsAt: f.later),
            "!unknown-job !attempt-superseded LeaseExtended !attempt-superseded !attempt-superseded" + ended
        ),
        (
            "stage of the first", .reportStage(attempt: 1, stage: .voice, progressPercent: 70),
            "!unknown-job !attempt-superseded StageReached !attempt-superseded !attempt-superseded" + ended
        ),
        (
            "complete the first", .complete(attempt: 1, result: f.result),
            "!unknown-job !attempt-superseded JobCompleted !attempt-superseded !attempt-superseded - - !job-ended "
                + "!job-ended !job-ended !job-ended !unknown-job"
        ),
        (
            "complete the first otherwise", .complete(attempt: 1, result: f.otherResult),
            "!unknown-job !attempt-superseded JobCompleted !attempt-superseded !attempt-superseded" + ended
        ),
        (
            "complete the third", .complete(attempt: 3, result: f.result),
            "!unknown-job !attempt-superseded !attempt-superseded !attempt-superseded JobCompleted" + ended
        ),
        (
            "the first fails, may be tried again",
            .failAttempt(attempt: 1, code: "engine-busy", retryable: true, now: f.start),
            "!unknown-job !attempt-superseded AttemptFailed - !attempt-superseded !job-ended !job-ended - "
                + "!job-ended !job-ended !job-ended !unknown-job"
        ),
        (
            "the first fails for good", .failAttempt(attempt: 1, code: "no-video", retryable: false, now: f.start),
            "!unknown-job !attempt-superseded AttemptFailed+JobFailed - !attempt-superseded !job-ended !job-ended - "
                + "!job-ended !job-ended !job-ended !unknown-job"
        ),
        (
            "the third fails, may be tried again",
            .failAttempt(attempt: 3, code: "engine-busy", retryable: true, now: f.start),
            "!unknown-job !attempt-superseded !attempt-superseded !attempt-superseded AttemptFailed+JobFailed" + ended
        ),
        (
            "return the first", .returnAttempt(attempt: 1, now: f.start),
            "!unknown-job !attempt-superseded AttemptReturned - !attempt-superseded" + ended
        ),
        (
            "erase", .erase,
            "- JobErased JobErased JobErased JobErased JobErased JobErased JobErased JobErased JobErased -"
        ),
        ("record the erasure", .recordErasure(subject: f.owner, removed: f.removed), "SubjectErased -"),
    ]

    @Test("has the stated outcome", arguments: table.indices)
    func outcome(row: Int) {
        let (name, command, text) = Self.table[row]
        let outcomes = text.split(separator: " ").map(String.init)
        for (column, state) in Self.states.enumerated() {
            let expected = column < outcomes.count ? outcomes[column] : outcomes[outcomes.count - 1]
            #expect(describe(state.story.when(command)) == expected, "\(name) when \(state.name)")
        }
    }

    @Test("accepts one outcome at most, whatever three commands come in whatever order")
    func oneOutcome() {
        for (_, story) in Self.states.prefix(5) {
            for (first, one, _) in Self.table {
                for (second, two, _) in Self.table {
                    for (third, three, _) in Self.table {
                        let outcomes = story.after([one, two, three]).history.filter(isOutcome)
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

    private func describe(_ outcome: Outcome<JobEvent, JobRefusal>) -> String {
        switch outcome {
        case .events([]): "-"
        case .events(let events): events.map(\.type.name).joined(separator: "+")
        case .refusal(let refusal): "!\(refusal.code)"
        }
    }
}
