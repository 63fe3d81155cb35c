import Contracts
package import EventStore
import Primitives

extension Session {
    /// How often a file may be uploaded to one session, each taking the place of the one before: somebody who tries again
    /// needs a few, and each is an event.
    package static let mostUploads = 20

    package static func decide(
        _ command: SessionCommand, _ state: Session
    ) throws(SessionRefusal) -> [SessionEvent] {
        switch command {
        case .create(let session, let creation): try state.create(session, creation)
        case .storeUpload(let owner, let media): try state.owned(by: owner).storeUpload(media)
        case .finalize(let owner, let uploaded, let sealed, let sha256, let deadline):
            try state.owned(by: owner).finalize(uploaded, as: sealed, sha256, deadline: deadline)
        case .removeUpload(let owner): try state.owned(by: owner).removeUpload()
        case .cancel(let owner): try state.owned(by: owner).cancel()
        case .giveWay(let owner, let successor): try state.owned(by: owner).end(replacedBy: successor)
        case .delete(let owner): try state.owned(by: owner).delete()
        case .expire(let moment): state.expire(at: moment)
        case .failOverdue(let moment): state.failOverdue(at: moment)
        case .limitMedia(let until, let moment): state.limitMedia(until: until, at: moment)
        case .quotaReserved, .quotaReservedInWindows: state.admit()
        case .quotaRefused(let message): state.deny(message.denial)
        case .analysisStarted(let message): state.start(attempt: message.attempt)
        case .analysisProgressed(let message): state.progress(message)
        case .analysisFailed(let message): state.fail(message.code, retryable: message.retryable)
        case .reportReady(let message, let period): state.complete(message.reportId, keeping: period)
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
        case .queued(session, creation), .open(session, creation, _, _): return []
        case .queued, .open, .processing, .ended, .gone, .subjectErased: throw .exists
        }
    }

    /// This session when it is the caller's.
    private func owned(by owner: UUID) throws(SessionRefusal) -> Session {
        guard identity?.ownerId == owner else { throw .unknown }
        return self
    }

    private func storeUpload(_ media: MediaReference) throws(SessionRefusal) -> [SessionEvent] {
        // Stored before, perhaps as the last one.
        if case .open(_, _, media, _) = self { return [] }
        let (session, creation) = try awaitingUpload()
        guard creation.takes(media.sizeBytes), media.sha256 == creation.sha256 ?? media.sha256 else {
            throw .uploadMismatch
        }
        return [.uploadStored(session, media)]
    }

    /// What an upload must be.
    func awaitingUpload() throws(SessionRefusal) -> (SessionIdentity, SessionCreation) {
        switch self {
        case .open(let session, let creation, _, let uploads):
            guard uploads < Self.mostUploads else { throw .uploadsUsedUp }
            return (session, creation)
        case .queued: throw .notAdmitted
        case .processing: throw .uploadSealed
        case .ended: throw .ended
        case .absent, .gone, .subjectErased: throw .unknown
        }
    }

    private func finalize(
        _ uploaded: String, as sealed: String, _ sha256: String?, deadline: Timestamp
    ) throws(SessionRefusal) -> [SessionEvent] {
        switch self {
        case .open(let session, let creation, let upload, _):
            guard var media = upload else { throw .uploadMissing }
            guard media.key == uploaded else { throw .uploadChanged }
            media.key = sealed
            media.sha256 = sha256 ?? media.sha256
            let limit = creation.maxDurationSeconds
            return [
                .uploadFinalized(
                    session, media, maxDurationSeconds: limit, deadline: deadline, brief: creation.brief)
            ]
        case .queued: throw .uploadMissing
        // A repeated call of a client that did not hear the answer to its first.
        case .processing, .ended(_, .completed), .ended(_, .failed(_, _, finalized: true)): return []
        case .ended: throw .ended
        case .absent, .gone, .subjectErased: throw .unknown
        }
    }

    private func removeUpload() -> [SessionEvent] {
        switch self {
        case .open(let session, _, .some, _): [.uploadRemoved(session)]
        case .ended(let session, .completed(_, .some)): [.mediaRemoved(session)]
        case .absent, .queued, .open, .processing, .ended, .gone, .subjectErased: []
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

    // What the clock and the messages of other services do is total: for every state there is an outcome, and a message
    // that can happen never throws.

    // MARK: The clock

    private func expire(at moment: Timestamp) -> [SessionEvent] {
        switch self {
        case .queued(let session, let creation), .open(let session, let creation, _, _):
            moment >= creation.expiresAt ? [.expired(session)] : []
        case .absent, .processing, .ended, .gone, .subjectErased: []
        }
    }

    private func failOverdue(at moment: Timestamp) -> [SessionEvent] {
        guard case .processing(let session, let work) = self, moment >= work.deadline else { return [] }
        return [.failed(session, .processingTimeout, retryable: true)]
    }

    /// What is kept is never kept for longer than it was promised, whatever is chosen later.
    private func limitMedia(until limit: Timestamp, at moment: Timestamp) -> [SessionEvent] {
        switch self {
        case .ended(let session, .completed(_, let kept?)):
            let until = min(limit, kept.until)
            if until <= moment { return [.mediaRemoved(session)] }
            return until < kept.until ? [.mediaKept(session, kept.media, since: kept.since, until: until)] : []
        case .processing(let session, let work):
            // Only a restore knows of that: the session was completed already.
            return limit <= moment && !work.isMediaRemoved ? [.mediaRemoved(session)] : []
        case .absent, .queued, .open, .ended, .gone, .subjectErased: return []
        }
    }

    // MARK: Quota

    private func admit() -> [SessionEvent] {
        switch self {
        case .queued(let session, _): [.admitted(session)]
        // Quota forgot its refusal (a restored store) and reserved after all. The client has its answer, so the unit
        // goes back; otherwise it would be held for ever.
        case .ended(let session, .refused): [.reservationDeclined(session)]
        // Repeated, or late: quota settles on the ending itself, which it reads in order after the creation.
        case .absent, .open, .processing, .ended, .gone, .subjectErased: []
        }
    }

    private func deny(_ denial: QuotaDenial) -> [SessionEvent] {
        // An admission stands: what was promised to the client is not taken back.
        guard case .queued(let session, _) = self else { return [] }
        return [.refused(session, denial)]
    }

    // MARK: Analysis and reporting

    private func start(attempt: Int64) -> [SessionEvent] {
        guard case .processing(let session, let work) = self, attempt > work.attempt else { return [] }
        return [.analysisStarted(session, attempt: attempt)]
    }

    private func progress(_ message: AnalysisProgressed) -> [SessionEvent] {
        guard case .processing(let session, let work) = self else { return [] }
        let percent = min(max(message.progressPercent, 0), 100)
        guard (message.attempt, percent) > (work.attempt, work.progressPercent) else { return [] }
        return [
            .analysisProgressed(session, attempt: message.attempt, stage: message.stage, progressPercent: percent)
        ]
    }

    /// An outcome counts whatever the state before the end: it can only be early when this store was restored to a
    /// moment before the upload was finalized, and the others will not say it again.
    private func complete(_ reportId: UUID, keeping period: MediaPeriod) -> [SessionEvent] {
        guard let session = unfinished else { return [] }
        guard case .processing(_, let work) = self, !work.isMediaRemoved, period.since < period.until else {
            return [.completed(session, reportId: reportId)]
        }
        return [
            .completed(session, reportId: reportId),
            .mediaKept(session, work.media, since: period.since, until: period.until),
        ]
    }

    /// See ``complete(_:keeping:)``.
    private func fail(_ code: FailureCode, retryable: Bool) -> [SessionEvent] {
        unfinished.map { [.failed($0, code, retryable: retryable)] } ?? []
    }
}

extension Session: Aggregate {
    /// The bytes of a session go with its ending, unless its owner keeps the recording of a completed one for a while; only what
    /// the report says of them stays. What quota says of a session is counted for its owner.
    package static func rowCalls(for _: SessionCommand, _ state: Session, _ events: [SessionEvent]) -> [RowCall] {
        for event in events.reversed() {
            switch event {
            // Others still work on the bytes, which go with the ending.
            case .mediaRemoved where state.unfinished != nil: continue
            case .mediaKept(_, let media, _, let until):
                return SessionObjects.keep(media.key, until: until)
            case .completed(let session, _), .failed(let session, _, _), .cancelled(let session, _, _),
                .expired(let session), .deleted(let session, _), .mediaRemoved(let session):
                return [SessionObjects.discard(of: session.sessionId)]
            case .uploadRemoved:
                guard case .open(_, _, let upload?, _) = state else { continue }
                return [SessionObjects.discard(upload.key)]
            case .admitted(let session): return [SessionRows.giveCreationBack(session.ownerId)]
            case .refused(let session, let denial): return SessionRows.note(denial, of: session.ownerId)
            case .created, .reservationDeclined, .uploadStored, .uploadFinalized,
                .analysisStarted, .analysisProgressed, .logged, .corrected, .withdrawn, .erased, .handoverBegun,
                .handoverFinished, .subjectErased, .retentionChosen:
                continue
            }
        }
        return []
    }
}
