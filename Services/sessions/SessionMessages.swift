package import Contracts
import Primitives

/// What other services hear of the private events: at most one message for each.
package enum SessionMessages {
    /// The message that is published for an event; nothing for what concerns this service alone.
    package static func outgoing(for event: SessionEvent) -> Outgoing? {
        switch event {
        case .created(let session, let creation):
            Outgoing(
                SessionCreated(
                    sessionId: session.sessionId, ownerId: session.ownerId, kind: session.kind,
                    timeZone: creation.timeZone, createdAt: creation.createdAt, expiresAt: creation.expiresAt,
                    replaces: creation.replaces))
        case .uploadFinalized(let session, let media, let maxDurationSeconds, _):
            Outgoing(
                UploadFinalized(
                    sessionId: session.sessionId, ownerId: session.ownerId, kind: session.kind, media: media,
                    maxDurationSeconds: maxDurationSeconds))
        case .completed(let session, let reportId):
            Outgoing(
                SessionCompleted(
                    sessionId: session.sessionId, ownerId: session.ownerId, kind: session.kind, reportId: reportId))
        case .failed(let session, let code, let retryable):
            Outgoing(
                SessionFailed(
                    sessionId: session.sessionId, ownerId: session.ownerId, kind: session.kind, code: code,
                    retryable: retryable))
        case .cancelled(let session, let analysisStarted, let replacedBy):
            cancelled(session, analysisStarted: analysisStarted, replacedBy: replacedBy)
        // Quota knows this session only by its reservation, and a cancellation is what gives that back.
        case .reservationDeclined(let session): cancelled(session, analysisStarted: false, replacedBy: nil)
        case .expired(let session):
            Outgoing(SessionExpired(sessionId: session.sessionId, ownerId: session.ownerId, kind: session.kind))
        case .deleted(let session, let wasComplete):
            Outgoing(
                SessionDeleted(
                    sessionId: session.sessionId, ownerId: session.ownerId, kind: session.kind,
                    wasComplete: wasComplete))
        case .subjectErased(let subject, let removed):
            SubjectErased.outgoing(subject, from: .sessions, removed: removed)
        // Every service hears of the erasure from identity itself.
        case .admitted, .refused, .uploadStored, .analysisStarted, .analysisProgressed, .erased: nil
        }
    }

    private static func cancelled(_ session: SessionIdentity, analysisStarted: Bool, replacedBy: UUID?) -> Outgoing {
        Outgoing(
            SessionCancelled(
                sessionId: session.sessionId, ownerId: session.ownerId, kind: session.kind,
                analysisStarted: analysisStarted, replacedBy: replacedBy))
    }
}
