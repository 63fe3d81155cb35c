import Contracts
import Primitives

/// What the clock and the messages of other services do to a session. Each is total: for every state there is an
/// outcome, and a message that can happen never throws.
extension Session {
    // MARK: The clock

    func expire(at moment: Timestamp) -> [SessionEvent] {
        switch self {
        case .queued(let session, let creation), .open(let session, let creation, _):
            moment >= creation.expiresAt ? [.expired(session)] : []
        case .absent, .processing, .ended, .gone, .subjectErased: []
        }
    }

    func failOverdue(at moment: Timestamp) -> [SessionEvent] {
        guard case .processing(let session, let work) = self, moment >= work.deadline else { return [] }
        return [.failed(session, .processingTimeout, retryable: true)]
    }

    // MARK: Quota

    func admit() -> [SessionEvent] {
        switch self {
        case .queued(let session, _): [.admitted(session)]
        // Quota forgot its refusal (a restored store) and reserved after all. The client has its answer, so the unit
        // goes back; otherwise it would be held for ever.
        case .ended(let session, .refused): [.reservationDeclined(session)]
        // Repeated, or late: quota settles on the ending itself, which it reads in order after the creation.
        case .absent, .open, .processing, .ended, .gone, .subjectErased: []
        }
    }

    func deny(_ denial: QuotaDenial) -> [SessionEvent] {
        // An admission stands: what was promised to the client is not taken back.
        guard case .queued(let session, _) = self else { return [] }
        return [.refused(session, denial)]
    }

    // MARK: Analysis and reporting

    func start(attempt: Int64) -> [SessionEvent] {
        guard case .processing(let session, let work) = self, attempt > work.attempt else { return [] }
        return [.analysisStarted(session, attempt: attempt)]
    }

    func progress(_ message: AnalysisProgressed) -> [SessionEvent] {
        guard case .processing(let session, let work) = self else { return [] }
        let percent = min(max(message.progressPercent, 0), 100)
        guard (message.attempt, percent) > (work.attempt, work.progressPercent) else { return [] }
        return [
            .analysisProgressed(session, attempt: message.attempt, stage: message.stage, progressPercent: percent)
        ]
    }

    /// An outcome counts whatever the state before the end: it can only be early when this store was restored to a
    /// moment before the upload was finalized, and the others will not say it again.
    func complete(_ reportId: UUID) -> [SessionEvent] {
        unfinished.map { [.completed($0, reportId: reportId)] } ?? []
    }

    /// See ``complete(_:)``.
    func fail(_ code: FailureCode, retryable: Bool) -> [SessionEvent] {
        unfinished.map { [.failed($0, code, retryable: retryable)] } ?? []
    }
}
