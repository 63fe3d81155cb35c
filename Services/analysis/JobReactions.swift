package import Contracts

extension Job {
    /// What messages of other services mean here; kinds that are not analysed are ignored.
    package static let reactions = Reactions<JobCommand>(
        .on(UploadFinalized.self) { message in
            guard AnalysedKinds.all.contains(message.kind) else { return .ignore }
            let order = JobOrder(
                kind: message.kind, media: message.media, maxDurationSeconds: message.maxDurationSeconds)
            return .apply(stream(message.sessionId), .queue(message.reference, order))
        },
        .on(SessionCancelled.self) { cancel($0, .cancelled) },
        .on(SessionFailed.self) { cancel($0, .failed) },
        .on(SessionExpired.self) { cancel($0, .expired) },
        .on(SessionDeleted.self) { cancel($0, .deleted) },
        .erasure)

    /// What to do about an effect whose message the restored store of another service no longer knows: nobody waits
    /// for the analysis of a recording that `sessions` has forgotten. An ending stands.
    package static func takingBack(_ event: JobEvent) -> Reaction<JobCommand> {
        guard case .queued(let job, _, _) = event else { return .ignore }
        return .apply(stream(job.sessionId), .cancel(job, .orphaned))
    }

    private static func cancel(_ message: some SessionMessage, _ reason: CancelReason) -> Reaction<JobCommand> {
        .apply(stream(message.sessionId), .cancel(message.reference, reason))
    }
}
