import Contracts
import EventSourcing
import History

extension SessionCommand {
    /// What was asked without a message, told from what followed.
    static func recalled(_ record: DecisionRecord<SessionEvent>, _ state: Session) -> SessionCommand? {
        switch record.events.last {
        case .created(let session, let creation): return .create(session, creation)
        case .uploadStored(let session, let media): return .storeUpload(by: session.ownerId, media)
        case .uploadFinalized(let session, let media, _, let deadline, _):
            guard case .open(_, _, let upload?, _) = state else { return nil }
            return .finalize(
                by: session.ownerId, uploaded: upload.key, sealed: media.key,
                sha256: media.sha256 == upload.sha256 ? nil : media.sha256, deadline: deadline)
        case .cancelled(let session, _, let successor?): return .giveWay(by: session.ownerId, to: successor)
        case .cancelled(let session, _, nil): return .cancel(by: session.ownerId)
        case .deleted(let session, _): return .delete(by: session.ownerId)
        case .expired: return .expire(at: record.recorded.recordedAt)
        case .failed: return .failOverdue(at: record.recorded.recordedAt)
        case .mediaKept(_, _, _, let until): return .limitMedia(until: until, at: record.recorded.recordedAt)
        case .mediaRemoved:
            return .limitMedia(until: record.recorded.recordedAt, at: record.recorded.recordedAt)
        case .uploadRemoved(let session): return .removeUpload(by: session.ownerId)
        case .erased: return .erase
        case .subjectErased(let subject, let removed): return .recordErasure(subject: subject, removed: removed)
        case .admitted, .refused, .reservationDeclined, .analysisStarted, .analysisProgressed, .completed, .logged,
            .corrected, .withdrawn, .handoverBegun, .handoverFinished, .retentionChosen, nil:
            return nil
        }
    }
}
