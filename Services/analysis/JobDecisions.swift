package import Contracts
package import EventStore
import Primitives
import Providers
import ServiceKit

/// The rules: at most one attempt at a time, a bounded number of them, one outcome.
extension Job {
    /// How many attempts a new job gets; each one that is returned adds one to the job's own `maxAttempts`.
    package static let initialMaxAttempts: Int64 = 3

    package static func decide(_ command: JobCommand, _ state: Job) throws(JobRefusal) -> [JobEvent] {
        switch command {
        case .queue(let job, let order):
            // A job that was cancelled before its order came, or is known already, stays as it is.
            state.phase == .absent ? [.queued(job, order, maxAttempts: initialMaxAttempts)] : []
        case .startAttempt(let worker, let now, let leaseEndsAt): try state.start(worker, now, leaseEndsAt)
        case .extendLease(let attempt, let leaseEndsAt): try state.extend(attempt, to: leaseEndsAt)
        case .reportStage(let attempt, let stage, let percent): try state.report(attempt, stage, percent)
        case .beginCall(let attempt, let call): try state.begin(call, attempt)
        case .endCall(let attempt, let outcome): try state.end(outcome, attempt)
        case .complete(let attempt, let result): try state.complete(attempt, result)
        case .failAttempt(let attempt, let code, let retryable, let now):
            try state.failAttempt(attempt, code, retryable: retryable, now)
        case .returnAttempt(let attempt, let now): try state.returnAttempt(attempt, now)
        case .cancel(let job, let reason): state.cancel(job, reason)
        case .erase: state.identity.map { state.phase == .gone ? [] : [.erased($0)] } ?? []
        case .recordErasure(let subject, let removed):
            state.phase == .absent ? [.subjectErased(subject, removed)] : []
        }
    }

    // MARK: Workers

    private func start(
        _ worker: String, _ now: Timestamp, _ leaseEndsAt: Timestamp
    ) throws(JobRefusal) -> [JobEvent] {
        guard leaseEndsAt > now else { throw .invalidLease }
        guard let identity else { throw .unknownJob }
        let next = JobEvent.attemptStarted(identity, attempt: attempt + 1, worker: worker, leaseEndsAt: leaseEndsAt)
        switch phase {
        case .absent: throw .unknownJob
        case .completed, .failed, .cancelled, .gone: throw .ended
        case .queued: return [next]
        case .waiting(let retryAt):
            guard now >= retryAt else { throw .notBefore(retryAt) }
            return [next]
        case .running(let leaseEndedAt):
            guard now >= leaseEndedAt else { throw .leased(until: leaseEndedAt) }
            let lost = fail(identity, .workerLost, retryable: true, retryAt: now)
            return attempt < maxAttempts ? lost + [next] : lost
        }
    }

    private func extend(_ attempt: Int64, to leaseEndsAt: Timestamp) throws(JobRefusal) -> [JobEvent] {
        let (identity, current) = try lease(of: attempt)
        return leaseEndsAt > current ? [.leaseExtended(identity, attempt: attempt, leaseEndsAt: leaseEndsAt)] : []
    }

    /// Progress never goes back and a stage counts once, also when another attempt begins again.
    private func report(
        _ attempt: Int64, _ stage: AnalysisStage, _ progressPercent: Int64
    ) throws(JobRefusal) -> [JobEvent] {
        let (identity, _) = try lease(of: attempt)
        let percent = min(max(progressPercent, 0), 99)
        guard percent > self.progressPercent, !stages.contains(stage), stages.count < Self.maxStages else { return [] }
        return [.stageReached(identity, attempt: attempt, stage: stage, progressPercent: percent)]
    }

    /// A provider is asked once, whatever became of that: it may have done the work and charge for it. Nobody is asked for what is there.
    private func begin(_ call: ProviderCall, _ attempt: Int64) throws(JobRefusal) -> [JobEvent] {
        let (identity, _) = try lease(of: attempt)
        let same = Self.seeing.contains(call.scope.purpose) ? Self.seeing : [call.scope.purpose]
        guard calls[call.scope] == nil, same.allSatisfy({ answer(for: $0) == nil }) else { throw .alreadyAsked }
        return [.callBegun(identity, attempt: attempt, call)]
    }

    private func end(_ outcome: ProviderCallOutcome, _ attempt: Int64) throws(JobRefusal) -> [JobEvent] {
        let (identity, _) = try lease(of: attempt)
        guard let known = calls[outcome.scope], known.attempt == attempt else { throw .alreadyAsked }
        // A worker that did not hear the answer to its first call.
        if known.outcome == outcome { return [] }
        guard known.outcome == nil else { throw .alreadyAsked }
        return [.callEnded(identity, attempt: attempt, outcome)]
    }

    /// What providers are asked the same for, in the order in which they are: whoever has seen all has seen more than some pictures.
    package static let seeing: [ConsentPurpose] = [.video, .vision]

    /// The answer of whichever provider, once there is one.
    package func answer(for purpose: ConsentPurpose) -> Call? {
        calls.values.first { $0.call.scope.purpose == purpose && $0.outcome?.document != nil }
    }

    private func complete(_ attempt: Int64, _ result: JobResult) throws(JobRefusal) -> [JobEvent] {
        // A worker that did not hear the answer to its first call.
        if phase == .completed, attempt == self.attempt, document == result.document { return [] }
        return [.completed(try lease(of: attempt).identity, attempt: attempt, result)]
    }

    private func failAttempt(
        _ attempt: Int64, _ code: FailureCode, retryable: Bool, _ now: Timestamp
    ) throws(JobRefusal) -> [JobEvent] {
        if attempt == self.attempt {
            if case .waiting = phase { return [] }
            if phase == .failed { return [] }
        }
        let (identity, _) = try lease(of: attempt)
        let retryAt = now.adding(seconds: Self.backoffSeconds(after: attempt))
        return fail(identity, code, retryable: retryable, retryAt: retryAt)
    }

    private func returnAttempt(_ attempt: Int64, _ now: Timestamp) throws(JobRefusal) -> [JobEvent] {
        if attempt == self.attempt, case .waiting = phase { return [] }
        return [.attemptReturned(try lease(of: attempt).identity, attempt: attempt, returnedAt: now)]
    }

    private func fail(
        _ job: SessionReference, _ code: FailureCode, retryable: Bool, retryAt: Timestamp
    ) -> [JobEvent] {
        guard retryable, attempt < maxAttempts else {
            return [
                .attemptFailed(job, attempt: attempt, code: code, retryable: retryable, retryAt: nil),
                .failed(job, attempt: attempt, code: code, retryable: retryable),
            ]
        }
        return [.attemptFailed(job, attempt: attempt, code: code, retryable: true, retryAt: retryAt)]
    }

    /// 5 s, 20 s, 80 s and so on, at most five minutes.
    static func backoffSeconds(after attempt: Int64) -> Int64 {
        var delay: Int64 = 5
        for _ in 1..<max(attempt, 1) { delay = min(delay * 4, 300) }
        return delay
    }

    /// Fencing: the job and the end of the lease, when the attempt is the current one. A lease that has ended still
    /// holds until another attempt takes over.
    private func lease(of attempt: Int64) throws(JobRefusal) -> (identity: SessionReference, endsAt: Timestamp) {
        guard let identity else { throw .unknownJob }
        switch phase {
        case .absent: throw .unknownJob
        case .completed, .failed, .cancelled, .gone: throw .ended
        case .queued, .waiting: throw .superseded(current: self.attempt)
        case .running(let leaseEndsAt):
            guard attempt == self.attempt else { throw .superseded(current: self.attempt) }
            return (identity, leaseEndsAt)
        }
    }

    // MARK: Messages

    private func cancel(_ job: SessionReference, _ reason: DiscardReason) -> [JobEvent] {
        switch phase {
        // Without an order yet: remembered, so that an order that comes late does nothing.
        case .absent, .queued, .waiting, .running: [.cancelled(job, reason)]
        // What was found belongs to a session that is gone.
        case .completed: isDiscarded ? [] : [.resultDiscarded(job, reason)]
        case .failed, .cancelled, .gone: []
        }
    }
}

extension Job: Aggregate {
    /// The first event of a job notes its owner; a result that nobody wants lets its document go, and the end of a job what providers have
    /// answered. Nothing is sent to a provider without a consent at that moment.
    package static func rowCalls(for _: JobCommand, _ job: Job, _ events: [JobEvent]) -> [RowCall] {
        var calls: [RowCall] = []
        if job.phase == .absent, let identity = events.first?.job {
            calls.append(JobOwners.own(identity.sessionId, identity.ownerId))
        }
        for event in events {
            switch event {
            case .resultDiscarded: calls += [job.document].compactMap { $0.map { KitRows.discardObject($0.key) } }
            case .callBegun(let identity, _, let call):
                calls.append(ConsentRows.require(call.scope, call.scope.purpose.dataClasses, of: identity.ownerId))
            case .callEnded(let identity, _, let outcome):
                guard let call = job.calls[outcome.scope]?.call else { break }
                calls.append(Spending.settle(call, of: identity.ownerId, cost: outcome.costMicros))
                calls += [ProviderHealth.note(outcome, of: call)].compactMap(\.self)
            case .completed, .failed, .cancelled: calls += job.answers.map { KitRows.discardObject($0.key) }
            case .queued, .attemptStarted, .leaseExtended, .stageReached, .attemptFailed, .attemptReturned, .erased,
                .subjectErased:
                break
            }
        }
        return calls
    }

    private var answers: [DocumentReference] {
        calls.values.compactMap { $0.outcome?.document }.sorted { $0.key < $1.key }
    }
}

extension FailureCode {
    /// The worker's lease ended without an outcome.
    package static let workerLost = FailureCode(rawValue: "worker-lost")
}
