package import Contracts
package import EventSourcing
package import Primitives

/// What happened to a session. The names in ``type`` are durable; data carries no personal content.
package enum SessionEvent: PrivateEvent, Equatable {
    case created(SessionIdentity, SessionCreation)
    /// Quota reserved a unit: the owner may upload.
    case admitted(SessionIdentity)
    /// Quota had no unit.
    case refused(SessionIdentity, QuotaDenial)
    /// Quota reserved a unit for a session that it had refused before; the unit is given back.
    case reservationDeclined(SessionIdentity)
    /// The bytes lie in the store under a key that the client could still overwrite.
    case uploadStored(SessionIdentity, MediaReference)
    /// The sealed bytes, and the moment at which the work on them is given up.
    case uploadFinalized(SessionIdentity, MediaReference, maxDurationSeconds: Int64?, deadline: Timestamp)
    case analysisStarted(SessionIdentity, attempt: Int64)
    case analysisProgressed(SessionIdentity, attempt: Int64, stage: AnalysisStage, progressPercent: Int64)
    case completed(SessionIdentity, reportId: UUID?)
    case failed(SessionIdentity, FailureCode, retryable: Bool)
    case cancelled(SessionIdentity, analysisStarted: Bool, replacedBy: UUID?)
    case expired(SessionIdentity)
    case deleted(SessionIdentity, wasComplete: Bool)
    /// Its owner was erased.
    case erased(SessionIdentity)
    /// Nothing of an erased user is left in this service; the only event of a stream `subject-<user id>`.
    case subjectErased(UUID, SubjectErased.Removed)

    /// The session it is about; nothing for ``subjectErased(_:_:)``.
    package var session: SessionIdentity? {
        switch self {
        case .created(let session, _), .admitted(let session), .refused(let session, _),
            .reservationDeclined(let session), .uploadStored(let session, _), .uploadFinalized(let session, _, _, _),
            .analysisStarted(let session, _), .analysisProgressed(let session, _, _, _), .completed(let session, _),
            .failed(let session, _, _), .cancelled(let session, _, _), .expired(let session),
            .deleted(let session, _), .erased(let session):
            session
        case .subjectErased: nil
        }
    }

    package var type: EventType {
        switch self {
        case .created: EventType("SessionCreated")
        case .admitted: EventType("SessionAdmitted")
        case .refused: EventType("SessionRefused")
        case .reservationDeclined: EventType("ReservationDeclined")
        case .uploadStored: EventType("UploadStored")
        case .uploadFinalized: EventType("UploadFinalized")
        case .analysisStarted: EventType("AnalysisStarted")
        case .analysisProgressed: EventType("AnalysisProgressed")
        case .completed: EventType("SessionCompleted")
        case .failed: EventType("SessionFailed")
        case .cancelled: EventType("SessionCancelled")
        case .expired: EventType("SessionExpired")
        case .deleted: EventType("SessionDeleted")
        case .erased: EventType("SessionErased")
        case .subjectErased: EventType("SubjectErased")
        }
    }
}
