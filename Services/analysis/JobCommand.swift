package import Contracts
package import Primitives
package import Providers

/// What can be asked of an analysis job. Times are given, never taken.
package enum JobCommand: Sendable, Equatable {
    /// Analyze a recording.
    case queue(SessionReference, JobOrder)
    /// A worker wants to begin, or to take over from one whose lease has ended.
    case startAttempt(worker: String, now: Timestamp, leaseEndsAt: Timestamp)
    /// The worker of the attempt is still alive.
    case extendLease(attempt: Int64, leaseEndsAt: Timestamp)
    /// A stage of the attempt is done.
    case reportStage(attempt: Int64, stage: AnalysisStage, progressPercent: Int64)
    /// The attempt is about to ask a provider.
    case beginCall(attempt: Int64, ProviderCall)
    /// The attempt knows what its call came to.
    case endCall(attempt: Int64, ProviderCallOutcome)
    /// The attempt has its result.
    case complete(attempt: Int64, result: JobResult)
    /// The attempt came to nothing.
    case failAttempt(attempt: Int64, code: FailureCode, retryable: Bool, now: Timestamp)
    /// The worker ends in order: another one may go on at once, and the attempt does not count.
    case returnAttempt(attempt: Int64, now: Timestamp)
    /// The session has ended; nobody wants the result any more.
    case cancel(SessionReference, DiscardReason)

    // Erasure.

    /// The owner is erased: forget the job.
    case erase
    /// Everything of an erased user is gone; put to the stream `subject-<user id>`.
    case recordErasure(subject: UUID, removed: SubjectErased.Removed)
}

/// What is to be analyzed.
package struct JobOrder: Sendable, Equatable {
    package var kind: SessionKind
    package var media: MediaReference
    /// The longest recording that the client asked for, in seconds.
    package var maxDurationSeconds: Int64?
    /// How it is to be judged.
    package var brief = RecordingBrief()
}

/// What an attempt found, as a document in object storage.
package struct JobResult: Sendable, Equatable {
    /// What a document holds. The raw value stands in events.
    package enum Content: String, Sendable {
        /// What was measured.
        case measurements
        /// A report, which attempts of before this was told made themselves.
        case report
    }

    package var content = Content.measurements
    package var document: DocumentReference
    /// How long the attempt took, in milliseconds.
    package var durationMs: Int64
    /// Names and versions of what measured, by task.
    package var engines: [String: String]
}
