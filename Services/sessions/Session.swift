package import Contracts
package import EventSourcing
package import Primitives

/// The life of one session, as far as the next decision needs it.
///
/// `sessions` alone ends a session, exactly once: whatever comes first decides, everything after it finds an ended
/// session.
package enum Session: Sendable, Equatable {
    /// Nothing is known under this id.
    case absent
    /// It waits for quota's decision.
    case queued(SessionIdentity, SessionCreation)
    /// The owner may upload, and has done so this often.
    case open(SessionIdentity, SessionCreation, upload: MediaReference?, uploads: Int)
    /// The upload is sealed and others work on it.
    case processing(SessionIdentity, Work)
    /// It ended; nothing changes it but removal.
    case ended(SessionIdentity, Ending)
    /// It was removed by its owner or with its owner.
    case gone
    /// The stream of an erased user.
    case subjectErased

    /// Work under way on a sealed upload.
    package struct Work: Sendable, Equatable {
        package var media: MediaReference
        /// When the work is given up.
        package var deadline: Timestamp
        /// The newest attempt that was heard of; 0 before the first.
        package var attempt: Int64 = 0
        /// How much of the analysis of that attempt is done, 0 to 100.
        package var progressPercent: Int64 = 0
        /// Whether its recording was removed after a completion that a restore has undone: it is not kept once more.
        package var isMediaRemoved = false
    }

    /// The recording of a completed session that its owner chose to keep.
    package struct KeptMedia: Sendable, Equatable {
        package var media: MediaReference
        /// When the session was completed.
        package var since: Timestamp
        /// When the recording goes.
        package var until: Timestamp
    }

    /// How a session ended.
    package enum Ending: Sendable, Equatable {
        case refused(QuotaDenial)
        /// Refused, and a reservation that came later was given back.
        case declined(QuotaDenial)
        case completed(reportId: UUID?, kept: KeptMedia? = nil)
        case failed(FailureCode, retryable: Bool, finalized: Bool)
        case cancelled
        case expired
    }

    /// Which session it is; nil before it exists and after it is gone.
    package var identity: SessionIdentity? {
        if case .ended(let session, _) = self { session } else { unfinished }
    }

    /// Which session it is, as long as it has not ended.
    var unfinished: SessionIdentity? {
        switch self {
        case .queued(let session, _), .open(let session, _, _, _), .processing(let session, _): session
        case .absent, .ended, .gone, .subjectErased: nil
        }
    }
}

extension Session {
    package typealias Command = SessionCommand
    package typealias Event = SessionEvent
    package typealias Refusal = SessionRefusal

    package static let initial = Session.absent

    /// The category of the streams of sessions.
    package static let category = "session"

    /// The stream of one session.
    package static func stream(_ sessionId: UUID) -> StreamName { StreamName(category, sessionId) }

    package static func evolve(_ state: Session, _ event: SessionEvent) -> Session {
        switch event {
        case .created(let session, let creation): return .queued(session, creation)
        case .admitted(let session):
            guard case .queued(_, let creation) = state else { return state }
            return .open(session, creation, upload: nil, uploads: 0)
        case .refused(let session, let denial): return .ended(session, .refused(denial))
        case .reservationDeclined(let session):
            guard case .ended(_, .refused(let denial)) = state else { return state }
            return .ended(session, .declined(denial))
        case .uploadStored(let session, let media):
            guard case .open(_, let creation, _, let uploads) = state else { return state }
            return .open(session, creation, upload: media, uploads: uploads + 1)
        case .uploadFinalized(let session, let media, _, let deadline, _):
            return .processing(session, Work(media: media, deadline: deadline))
        case .analysisStarted(let session, let attempt):
            guard case .processing(_, var work) = state else { return state }
            work.attempt = attempt
            work.progressPercent = 0
            return .processing(session, work)
        case .analysisProgressed(let session, let attempt, _, let progressPercent):
            guard case .processing(_, var work) = state else { return state }
            work.attempt = attempt
            work.progressPercent = progressPercent
            return .processing(session, work)
        case .completed(let session, let reportId): return .ended(session, .completed(reportId: reportId))
        case .failed(let session, let code, let retryable):
            var finalized = false
            if case .processing = state { finalized = true }
            return .ended(session, .failed(code, retryable: retryable, finalized: finalized))
        case .cancelled(let session, _, _): return .ended(session, .cancelled)
        case .expired(let session): return .ended(session, .expired)
        // It has ended when it begins. All else of a logged session is in ``LoggedSession``: here it can only be erased.
        case .logged(let session, _), .corrected(let session, _): return .ended(session, .completed(reportId: nil))
        case .withdrawn(_, _, let reason): return [.moved, .handedOver].contains(reason) ? state : .gone
        // Of no session.
        case .handoverBegun, .handoverFinished: return state
        case .deleted, .erased: return .gone
        case .subjectErased: return .subjectErased
        case .mediaKept(let session, let media, let since, let until):
            guard case .ended(_, .completed(let reportId, _)) = state else { return state }
            return .ended(
                session, .completed(reportId: reportId, kept: KeptMedia(media: media, since: since, until: until)))
        case .mediaRemoved(let session):
            switch state {
            case .ended(_, .completed(let reportId, _)): return .ended(session, .completed(reportId: reportId))
            case .processing(_, var work):
                work.isMediaRemoved = true
                return .processing(session, work)
            case .absent, .queued, .open, .ended, .gone, .subjectErased: return state
            }
        case .uploadRemoved(let session):
            // How often it was uploaded counts on.
            guard case .open(_, let creation, _, let uploads) = state else { return state }
            return .open(session, creation, upload: nil, uploads: uploads)
        // A person's own: see ``MediaRetention``.
        case .retentionChosen: return state
        }
    }
}
