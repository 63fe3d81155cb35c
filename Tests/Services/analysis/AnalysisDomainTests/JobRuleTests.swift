import Contracts
import EventSourcingTesting
import EventStore
import JSON
import Primitives
import Providers
import Testing

@testable import analysis

private let f = Fixture.self

@Suite("A job") struct JobRuleTests {
    @Test("that was cancelled before its order came does nothing when the order comes")
    func earlyCancel() {
        #expect(f.absent.after(.cancel(f.job, .expired)).when(.queue(f.job, f.order)) == .events([]))
    }

    @Test("refuses a second worker until exactly the end of the lease, and names that moment")
    func lease() {
        let early = JobCommand.startAttempt(
            worker: "w", now: f.leaseEnd - .microseconds(1), leaseEndsAt: f.later)
        #expect(f.running.when(early) == .refusal(.leased(until: f.leaseEnd)))
        #expect(f.running.after(f.extendedLease).when(early) == .refusal(.leased(until: f.later)))
    }

    @Test("counts a lost attempt and goes on with the next one at once")
    func takeOver() {
        #expect(
            f.running.when(.startAttempt(worker: "w", now: f.leaseEnd, leaseEndsAt: f.later))
                == .events([
                    .attemptFailed(f.job, attempt: 1, code: .workerLost, retryable: true, retryAt: f.leaseEnd),
                    .attemptStarted(f.job, attempt: 2, worker: "w", leaseEndsAt: f.later),
                ]))
    }

    @Test("fails when its last attempt is lost")
    func exhausted() {
        #expect(
            f.lastRun.when(.startAttempt(worker: "w", now: f.leaseEnd, leaseEndsAt: f.later))
                == .events([
                    .attemptFailed(f.job, attempt: 3, code: .workerLost, retryable: true, retryAt: nil),
                    .failed(f.job, attempt: 3, code: .workerLost, retryable: true),
                ]))
    }

    @Test("waits 5, 20, 80 seconds and never more than five minutes", arguments: [(1, 5), (2, 20), (3, 80), (9, 300)])
    func backoff(attempt: Int64, seconds: Int64) {
        let history: [JobEvent] = [.queued(f.job, f.order, maxAttempts: 20), f.begun(attempt)]
        #expect(
            Given(history).when(.failAttempt(attempt: attempt, code: "busy", retryable: true, now: f.start))
                == .events([
                    .attemptFailed(
                        f.job, attempt: attempt, code: "busy", retryable: true,
                        retryAt: f.start.adding(seconds: seconds))
                ]))
    }

    @Test("accepts the result of a worker whose lease has ended while no other has taken over")
    func lateResult() {
        #expect(f.running.when(.complete(attempt: 1, result: f.result)) == .events([f.completed]))
        let taken = f.running.after(.startAttempt(worker: "w", now: f.leaseEnd, leaseEndsAt: f.later))
        #expect(taken.when(.complete(attempt: 1, result: f.result)) == .refusal(.superseded(current: 2)))
    }

    @Test("that a worker returned continues at once with all its attempts, and refuses what the old one still reports")
    func givenBack() {
        let returned = f.running.after(.returnAttempt(attempt: 1, now: f.start))
        #expect(returned.history.last == f.returned)
        #expect(returned.when(.complete(attempt: 1, result: f.result)) == .refusal(.superseded(current: 1)))
        let again = JobCommand.startAttempt(worker: "w", now: f.start, leaseEndsAt: f.leaseEnd)
        #expect(
            returned.when(again)
                == .events([.attemptStarted(f.job, attempt: 2, worker: "w", leaseEndsAt: f.leaseEnd)]))
        let third = JobCommand.failAttempt(attempt: 3, code: "busy", retryable: true, now: f.start)
        let history = returned.history + [f.begun(2), f.missed(2), f.begun(3)]
        #expect(
            Given(history).when(third)
                == .events([
                    .attemptFailed(
                        f.job, attempt: 3, code: "busy", retryable: true, retryAt: f.start.adding(seconds: 80))
                ]))
    }

    @Test("asks a provider once, whatever became of that and whoever asks")
    func onceOnly() {
        let f = Fixture.self
        // The attempt died before it knew: the provider may have done the work.
        let next = f.calling.after(.startAttempt(worker: "w", now: f.leaseEnd, leaseEndsAt: f.later))
        #expect(next.when(.beginCall(attempt: 2, f.call)) == .refusal(.alreadyAsked))
        #expect(next.when(.endCall(attempt: 2, f.answer)) == .refusal(.alreadyAsked))
        #expect(next.when(.endCall(attempt: 1, f.answer)) == .refusal(.superseded(current: 2)))
        // Nor is it asked again after it said no.
        let refused = f.calling.after(.endCall(attempt: 1, f.noAnswer))
        #expect(refused.when(.beginCall(attempt: 1, f.call)) == .refusal(.alreadyAsked))
        #expect(refused.when(.endCall(attempt: 1, f.noAnswer)) == .events([]))
        #expect(refused.when(.endCall(attempt: 1, f.answer)) == .refusal(.alreadyAsked))
    }

    @Test("asks another provider after one that gave nothing, and nobody once there is an answer")
    func another() {
        let f = Fixture.self
        var other = f.call
        other.scope.provider = "another"
        let next = f.calling.after(.startAttempt(worker: "w", now: f.leaseEnd, leaseEndsAt: f.later))
        #expect(next.when(.beginCall(attempt: 2, other)) == .events([.callBegun(f.job, attempt: 2, other)]))
        let answered = f.calling.after(.endCall(attempt: 1, f.answer))
        #expect(answered.state.answer(for: .transcription)?.outcome == f.answer)
        #expect(answered.when(.beginCall(attempt: 1, other)) == .refusal(.alreadyAsked))
        let later = answered.after(.startAttempt(worker: "w", now: f.leaseEnd, leaseEndsAt: f.later))
        #expect(later.when(.beginCall(attempt: 2, other)) == .refusal(.alreadyAsked))
        #expect(later.state.answer(for: .transcription)?.outcome?.document == f.words)
    }

    @Test("shows nobody pictures of what somebody has seen in whole, and nobody the whole of what was seen in pictures")
    func sameThing() {
        let f = Fixture.self
        var (all, pictures, words) = (f.call, f.call, f.call)
        (all.scope, pictures.scope) = (
            .init(provider: "one", purpose: .video), .init(provider: "two", purpose: .vision)
        )
        words.scope.provider = "three"
        for (first, second) in [(all, pictures), (pictures, all)] {
            let asked = f.running.after(.beginCall(attempt: 1, first))
            #expect(asked.when(.beginCall(attempt: 1, second)) == .events([.callBegun(f.job, attempt: 1, second)]))
            var answer = f.answer
            answer.scope = first.scope
            let answered = asked.after(.endCall(attempt: 1, answer))
            #expect(answered.when(.beginCall(attempt: 1, second)) == .refusal(.alreadyAsked))
            #expect(answered.when(.beginCall(attempt: 1, words)) == .events([.callBegun(f.job, attempt: 1, words)]))
        }
    }

    @Test("guards each call with the consent, settles what it cost, and lets the answer go with its end")
    func callRows() {
        let f = Fixture.self
        let begun = Job.rowCalls(for: .beginCall(attempt: 1, f.call), f.running.state, [f.called])
        #expect(begun.map(\.name) == ["require_consent"])
        #expect(begun[0].arguments["dataClasses"] == ["audio": true] && begun[0].arguments["provider"] == "openai")
        let ended = Job.rowCalls(for: .endCall(attempt: 1, f.noAnswer), f.calling.state, [f.unanswered])
        #expect(ended.map(\.name) == ["settle_spending", "note_provider_outcome"])
        #expect(ended[0].arguments["micros"] == -3_000)
        #expect(ended[1].arguments["succeeded"] == false)
        #expect(ended[1].arguments["endedAt"] == .time(f.start.adding(milliseconds: 900)))
        // What never went out, or was taken back, says nothing of the provider; what it did not like says nothing bad.
        var outcome = f.noAnswer
        for (code, attempts, succeeded) in [
            ("paused", 0, nil), ("withdrawn", 1, nil), ("refused", 1, true), ("unreadable-withheld", 1, true),
            ("unreadable-not-json", 1, false),
            // Of a question that was never put, because the file to it did not get there.
            ("unavailable", 0, false), ("key-refused", 0, false), ("lost-file", 0, nil), ("unusable-file", 0, nil),
        ]
            as [(String, Int64, Bool?)]
        {
            (outcome.code, outcome.attempts) = (code, attempts)
            let note = ProviderHealth.note(outcome, of: f.call)
            #expect(note?.arguments["succeeded"] == succeeded.map(JSONValue.bool), "\(code)")
        }
        let answered = f.calling.after(.endCall(attempt: 1, f.answer))
        for event in [f.completed, f.failed, f.cancelled] {
            let calls = Job.rowCalls(for: .erase, answered.state, [event])
            #expect(calls.map(\.name) == ["discard_object"] && calls[0].arguments["key"] == "documents/3")
        }
        #expect(Job.rowCalls(for: .erase, f.running.state, [f.completed]).isEmpty)
    }

    @Test("shortens no lease")
    func shorterLease() {
        #expect(f.running.when(.extendLease(attempt: 1, leaseEndsAt: f.start)) == .events([]))
    }

    @Test("tells a stage once, never goes back and never says that it is done before it is")
    func stages() {
        #expect(f.running.when(.reportStage(attempt: 1, stage: .decode, progressPercent: 90)) == .events([]))
        #expect(f.running.when(.reportStage(attempt: 1, stage: .voice, progressPercent: 40)) == .events([]))
        #expect(
            f.running.when(.reportStage(attempt: 1, stage: .voice, progressPercent: 130))
                == .events([.stageReached(f.job, attempt: 1, stage: .voice, progressPercent: 99)]))
    }

    @Test("tells at most eight stages over all its attempts")
    func stageLimit() {
        let commands = (1...20).map { number in
            JobCommand.reportStage(
                attempt: 1, stage: AnalysisStage(rawValue: "stage-\(number)"), progressPercent: Int64(number * 4))
        }
        let given = Given([f.queued, f.begun(1)]).after(commands)
        #expect(given.history.count == 2 + 8)
    }
}

extension Fixture {
    fileprivate static let extendedLease = JobCommand.extendLease(attempt: 1, leaseEndsAt: later)
}
