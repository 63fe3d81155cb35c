package import Contracts
package import EventSourcing
package import Primitives
package import Providers

/// One analysis job, as far as the next decision needs it.
package struct Job: Sendable, Equatable {
    /// How far it is.
    package enum Phase: Sendable, Equatable {
        /// Nothing is known of it.
        case absent
        case queued
        /// An attempt runs under a lease.
        case running(leaseEndsAt: Timestamp)
        /// The next attempt may begin then.
        case waiting(retryAt: Timestamp)
        case completed
        case failed
        /// Its session ended; perhaps before its order came.
        case cancelled
        /// It was removed with its owner, or this is the stream of an erased user.
        case gone
    }

    /// A job publishes at most so many stages over all its attempts.
    static let maxStages = 8

    /// A provider that was asked for one purpose.
    package struct Call: Sendable, Equatable {
        package var call: ProviderCall
        /// Of the attempt that asked it.
        package var attempt: Int64
        /// Nil while it is under way, and for good when the attempt ended before it knew.
        package var outcome: ProviderCallOutcome?
    }

    package var phase: Phase = .absent
    package var identity: SessionReference?
    /// What is to be analyzed; nil for a job that was cancelled before its order came.
    package var order: JobOrder?
    /// How many attempts may begin before the job fails; 0 before its order came.
    package var maxAttempts: Int64 = 0
    /// The last attempt that began; 0 before the first.
    package var attempt: Int64 = 0
    /// Stages that were published, in whichever attempt.
    package var stages: Set<AnalysisStage> = []
    /// 0 to 99; never falls.
    package var progressPercent: Int64 = 0
    /// The providers that were asked: each once for a purpose, over all attempts.
    package var calls: [ConsentScope: Call] = [:]
    /// What was found.
    package var document: DocumentReference?
    /// The document is no longer wanted.
    package var isDiscarded = false

    package init() {}
}

extension Job {
    package typealias Command = JobCommand
    package typealias Event = JobEvent
    package typealias Refusal = JobRefusal

    package static var initial: Job { Job() }

    /// The category of the streams of jobs.
    package static let category = "job"

    /// The stream of the job of a session.
    package static func stream(_ sessionId: UUID) -> StreamName { StreamName(category, sessionId) }

    package static func evolve(_ state: Job, _ event: JobEvent) -> Job {
        var job = state
        job.identity = event.job ?? state.identity
        switch event {
        case .queued(_, let order, let maxAttempts):
            job.phase = .queued
            job.order = order
            job.maxAttempts = maxAttempts
        case .attemptStarted(_, let attempt, _, let leaseEndsAt):
            job.attempt = attempt
            job.phase = .running(leaseEndsAt: leaseEndsAt)
        case .leaseExtended(_, _, let leaseEndsAt): job.phase = .running(leaseEndsAt: leaseEndsAt)
        case .stageReached(_, _, let stage, let progressPercent):
            job.stages.insert(stage)
            job.progressPercent = progressPercent
        case .callBegun(_, let attempt, let call): job.calls[call.scope] = Call(call: call, attempt: attempt)
        case .callEnded(_, _, let outcome): job.calls[outcome.scope]?.outcome = outcome
        case .completed(_, _, let result):
            job.phase = .completed
            job.document = result.document
        case .attemptFailed(_, _, _, _, let retryAt):
            // Without a time, the job's own failure follows in the same append.
            if let retryAt { job.phase = .waiting(retryAt: retryAt) }
        case .attemptReturned(_, _, let returnedAt):
            job.phase = .waiting(retryAt: returnedAt)
            job.maxAttempts += 1
        case .failed: job.phase = .failed
        case .cancelled: job.phase = .cancelled
        case .resultDiscarded: job.isDiscarded = true
        case .erased, .subjectErased: job.phase = .gone
        }
        return job
    }
}
