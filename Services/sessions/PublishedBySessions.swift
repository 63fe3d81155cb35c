package import Contracts

/// What is published of the private events for other services: at most one message for each.
package enum PublishedBySessions {
    /// The message that is published for an event; nil for what concerns this service alone.
    package static func outgoing(for event: SessionEvent) -> Outgoing? {
        switch event {
        case .created(let session, let creation):
            Outgoing(
                SessionCreated(
                    session, timeZone: creation.timeZone, createdAt: creation.createdAt, expiresAt: creation.expiresAt,
                    replaces: creation.replaces))
        case .uploadFinalized(let session, let media, let maxDurationSeconds, _, let brief):
            Outgoing(UploadFinalized(session, media: media, maxDurationSeconds: maxDurationSeconds, brief: brief))
        case .completed(let session, let reportId): Outgoing(SessionCompleted(session, reportId: reportId))
        case .failed(let session, let code, let retryable):
            Outgoing(SessionFailed(session, code: code, retryable: retryable))
        case .cancelled(let session, let analysisStarted, let replacedBy):
            Outgoing(SessionCancelled(session, analysisStarted: analysisStarted, replacedBy: replacedBy))
        // Quota knows this session only by its reservation, and a cancellation is what gives that back.
        case .reservationDeclined(let session): Outgoing(SessionCancelled(session, analysisStarted: false))
        case .expired(let session): Outgoing(SessionExpired(session))
        case .deleted(let session, let wasComplete): Outgoing(SessionDeleted(session, wasComplete: wasComplete))
        case .logged(let session, let practice): Outgoing(SessionLogged(session, time: practice.time))
        case .corrected(let session, let practice): Outgoing(SessionCorrected(session, time: practice.time))
        case .withdrawn(let session, let time, let reason):
            Outgoing(SessionWithdrawn(session, time: time, reason: reason))
        case .subjectErased(let subject, let removed):
            SubjectErased.outgoing(subject, from: .sessions, removed: removed)
        case .mediaKept(let session, _, _, let until): Outgoing(MediaKept(session.reference, until: until))
        case .mediaRemoved(let session): Outgoing(MediaRemoved(session.reference))
        // Every service learns of the erasure from identity itself.
        case .admitted, .refused, .uploadStored, .analysisStarted, .analysisProgressed, .retentionChosen,
            .uploadRemoved, .erased:
            nil
        // What becomes of each session is told by that.
        case .handoverBegun, .handoverFinished: nil
        }
    }
}
