import Contracts
import Primitives

extension Session {
    package static func decide(
        _ command: SessionCommand, _ state: Session
    ) throws(SessionRefusal) -> [SessionEvent] {
        switch command {
        case .create(let session, let creation): try state.create(session, creation)
        case .storeUpload(let owner, let media): try state.owned(by: owner).storeUpload(media)
        case .finalize(let owner, let uploaded, let sealed, let deadline):
            try state.owned(by: owner).finalize(uploaded, as: sealed, deadline: deadline)
        case .cancel(let owner): try state.owned(by: owner).cancel()
        case .giveWay(let owner, let successor): try state.owned(by: owner).end(replacedBy: successor)
        case .delete(let owner): try state.owned(by: owner).delete()
        case .expire(let moment): state.expire(at: moment)
        case .failOverdue(let moment): state.failOverdue(at: moment)
        case .quotaReserved, .quotaReservedInWindows: state.admit()
        case .quotaRefused(let message): state.deny(message.denial)
        case .analysisStarted(let message): state.start(attempt: message.attempt)
        case .analysisProgressed(let message): state.progress(message)
        case .analysisFailed(let message): state.fail(message.code, retryable: message.retryable)
        case .reportReady(let message): state.complete(message.reportId)
        case .reportFailed(let message): state.fail(message.code, retryable: false)
        case .erase: state.identity.map { [.erased($0)] } ?? []
        case .recordErasure(let subject, let removed): state == .absent ? [.subjectErased(subject, removed)] : []
        }
    }

    // MARK: Owners

    private func create(
        _ session: SessionIdentity, _ creation: SessionCreation
    ) throws(SessionRefusal) -> [SessionEvent] {
        switch self {
        case .absent: return [.created(session, creation)]
        case .queued(session, creation), .open(session, creation, _): return []
        case .queued, .open, .processing, .ended, .gone, .subjectErased: throw .exists
        }
    }

    /// This session when it is the caller's.
    private func owned(by owner: UUID) throws(SessionRefusal) -> Session {
        guard identity?.ownerId == owner else { throw .unknown }
        return self
    }

    private func storeUpload(_ media: MediaReference) throws(SessionRefusal) -> [SessionEvent] {
        let (session, creation, earlier) = try awaitingUpload()
        guard media.sizeBytes == creation.contentLength, media.sha256 == creation.sha256 ?? media.sha256
        else { throw .uploadMismatch }
        return earlier == media ? [] : [.uploadStored(session, media)]
    }

    /// What an upload must be, and the one that it would take the place of.
    func awaitingUpload() throws(SessionRefusal) -> (SessionIdentity, SessionCreation, MediaReference?) {
        switch self {
        case .open(let session, let creation, let upload): return (session, creation, upload)
        case .queued: throw .notAdmitted
        case .processing: throw .uploadSealed
        case .ended: throw .ended
        case .absent, .gone, .subjectErased: throw .unknown
        }
    }

    private func finalize(
        _ uploaded: String, as sealed: String, deadline: Timestamp
    ) throws(SessionRefusal) -> [SessionEvent] {
        switch self {
        case .open(let session, let creation, let upload):
            guard var media = upload else { throw .uploadMissing }
            guard media.key == uploaded else { throw .uploadChanged }
            media.key = sealed
            let limit = creation.maxDurationSeconds
            return [.uploadFinalized(session, media, maxDurationSeconds: limit, deadline: deadline)]
        case .queued: throw .uploadMissing
        // A repeated call of a client that did not hear the answer to its first.
        case .processing, .ended(_, .completed), .ended(_, .failed(_, _, finalized: true)): return []
        case .ended: throw .ended
        case .absent, .gone, .subjectErased: throw .unknown
        }
    }

    private func cancel() throws(SessionRefusal) -> [SessionEvent] {
        switch self {
        case .queued, .open, .processing, .ended(_, .cancelled): return end(replacedBy: nil)
        case .ended: throw .ended
        case .absent, .gone, .subjectErased: throw .unknown
        }
    }

    /// Cancels what has not ended.
    private func end(replacedBy successor: UUID?) -> [SessionEvent] {
        guard let session = unfinished else { return [] }
        var analysisStarted = false
        if case .processing(_, let work) = self { analysisStarted = work.attempt > 0 }
        return [.cancelled(session, analysisStarted: analysisStarted, replacedBy: successor)]
    }

    /// Removing what has not ended ends it first, so that it is settled as the cancellation that it is.
    private func delete() throws(SessionRefusal) -> [SessionEvent] {
        guard let session = identity else { throw .unknown }
        if case .ended(_, .completed) = self { return [.deleted(session, wasComplete: true)] }
        return end(replacedBy: nil) + [.deleted(session, wasComplete: false)]
    }
}
