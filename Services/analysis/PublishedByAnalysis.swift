package import Contracts

/// What is published of a job for other services: that an attempt began, its stages, and the one outcome.
package enum PublishedByAnalysis {
    /// The message that is published for an event; nil for what concerns this service alone.
    ///
    /// A failed attempt is not published while another may follow; a cancelled job is not, because `sessions` said so.
    package static func outgoing(for event: JobEvent) -> Outgoing? {
        switch event {
        case .attemptStarted(let job, let attempt, _, _): Outgoing(AnalysisStarted(job, attempt: attempt))
        case .stageReached(let job, let attempt, let stage, let percent):
            Outgoing(AnalysisProgressed(job, attempt: attempt, stage: stage, progressPercent: percent))
        case .completed(let job, let attempt, let result): outcome(of: job, attempt, result)
        case .failed(let job, let attempt, let code, let retryable):
            Outgoing(AnalysisFailed(job, attempt: attempt, code: code, retryable: retryable))
        case .subjectErased(let subject, let removed):
            SubjectErased.outgoing(subject, from: .analysis, removed: removed)
        case .queued, .leaseExtended, .attemptFailed, .attemptReturned, .callBegun, .callEnded, .cancelled,
            .resultDiscarded, .erased:
            nil
        }
    }

    /// By what the document holds: a consumer of version 1 finds a report in it.
    private static func outcome(of job: SessionReference, _ attempt: Int64, _ result: JobResult) -> Outgoing {
        switch result.content {
        case .measurements:
            Outgoing(
                AnalysisCompletedV2(job, attempt: attempt, document: result.document, durationMs: result.durationMs))
        case .report:
            Outgoing(AnalysisCompleted(job, attempt: attempt, document: result.document, durationMs: result.durationMs))
        }
    }
}
