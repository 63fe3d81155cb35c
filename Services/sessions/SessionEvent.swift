package import Contracts
package import EventSourcing
package import JSON
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
    /// The sealed bytes, how they are to be judged, and the moment at which the work on them is given up.
    case uploadFinalized(
        SessionIdentity, MediaReference, maxDurationSeconds: Int64?, deadline: Timestamp,
        brief: RecordingBrief = RecordingBrief())
    case analysisStarted(SessionIdentity, attempt: Int64)
    case analysisProgressed(SessionIdentity, attempt: Int64, stage: AnalysisStage, progressPercent: Int64)
    case completed(SessionIdentity, reportId: UUID?)
    case failed(SessionIdentity, FailureCode, retryable: Bool)
    case cancelled(SessionIdentity, analysisStarted: Bool, replacedBy: UUID?)
    case expired(SessionIdentity)
    case deleted(SessionIdentity, wasComplete: Bool)
    /// A session that was over when it was told; it counts on the local day on which it began.
    case logged(SessionIdentity, LoggedPractice)
    /// A logged session was otherwise, on the same day.
    case corrected(SessionIdentity, LoggedPractice)
    /// A logged session, as it was told last, no longer counts on its day.
    case withdrawn(SessionIdentity, PracticeTime, WithdrawalReason)
    /// Its owner was erased.
    case erased(SessionIdentity)
    /// What was logged on an anonymous device is to become an account's.
    case handoverBegun(Handover.Terms)
    /// All that it concerns was looked at.
    case handoverFinished(Handover.Terms, Handover.Outcome)
    /// Nothing of an erased user is left in this service; the only event of a stream `subject-<user id>`.
    case subjectErased(UUID, SubjectErased.Removed)
    /// The recording of a session that was completed at `since` is kept until a moment; said again when that comes nearer.
    case mediaKept(SessionIdentity, MediaReference, since: Timestamp, until: Timestamp)
    /// The recording of a completed session is kept no longer; of one that is completed once more after a restore, not again.
    case mediaRemoved(SessionIdentity)
    /// What was uploaded, and not finalized, was removed by its owner.
    case uploadRemoved(SessionIdentity)
    /// Somebody has chosen for how many days recordings are kept.
    case retentionChosen(ownerId: UUID, keepMediaDays: Int64, chosenAt: Timestamp)

    /// The session of the event; nil for one that is about a user.
    package var session: SessionIdentity? {
        switch self {
        case .created(let session, _), .admitted(let session), .refused(let session, _),
            .reservationDeclined(let session), .uploadStored(let session, _), .uploadFinalized(let session, _, _, _, _),
            .analysisStarted(let session, _), .analysisProgressed(let session, _, _, _), .completed(let session, _),
            .failed(let session, _, _), .cancelled(let session, _, _), .expired(let session), .deleted(let session, _),
            .logged(let session, _), .corrected(let session, _), .withdrawn(let session, _, _), .erased(let session),
            .mediaKept(let session, _, _, _), .mediaRemoved(let session), .uploadRemoved(let session):
            session
        case .handoverBegun, .handoverFinished, .subjectErased, .retentionChosen: nil
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
        case .logged: EventType("SessionLogged")
        case .corrected: EventType("SessionCorrected")
        case .withdrawn: EventType("SessionWithdrawn")
        case .erased: EventType("SessionErased")
        case .handoverBegun: EventType("PracticeHandoverBegun")
        case .handoverFinished: EventType("PracticeHandoverFinished")
        case .subjectErased: EventType("SubjectErased")
        case .mediaKept: EventType("MediaKept")
        case .mediaRemoved: EventType("MediaRemoved")
        case .uploadRemoved: EventType("UploadRemoved")
        case .retentionChosen: EventType("RetentionChosen")
        }
    }
}

extension SessionEvent {
    package var data: JSONObject {
        let common = session?.json ?? [:]
        return switch self {
        case .admitted, .reservationDeclined, .expired, .erased: common
        case .created(_, let creation): common.adding(membersOf: creation.json)
        case .refused(_, let denial): common.adding(membersOf: denial.json)
        case .uploadStored(_, let media): common.adding(["media": .object(media.json)])
        case .uploadFinalized(_, let media, let maxDurationSeconds, let deadline, let brief):
            common.adding([
                "media": .object(media.json), "maxDurationSeconds": maxDurationSeconds.map(JSONValue.int),
                "deadline": .time(deadline),
            ]).adding(membersOf: brief.json)
        case .analysisStarted(_, let attempt): common.adding(["attempt": .int(attempt)])
        case .analysisProgressed(_, let attempt, let stage, let percent):
            common.adding(["attempt": .int(attempt), "stage": stage.json, "progressPercent": .int(percent)])
        case .completed(_, let reportId): common.adding(["reportId": reportId.map(JSONValue.uuid)])
        case .failed(_, let code, let retryable): common.adding(["code": code.json, "retryable": .bool(retryable)])
        case .cancelled(_, let analysisStarted, let replacedBy):
            common.adding(["analysisStarted": .bool(analysisStarted), "replacedBy": replacedBy.map(JSONValue.uuid)])
        case .deleted(_, let wasComplete): common.adding(["wasComplete": .bool(wasComplete)])
        case .logged(_, let practice), .corrected(_, let practice): common.adding(membersOf: practice.json)
        case .withdrawn(_, let time, let reason):
            common.adding(membersOf: time.json).adding(["reason": reason.json])
        case .handoverBegun(let terms): terms.json
        case .handoverFinished(let terms, let outcome): terms.json.adding(membersOf: outcome.json)
        case .subjectErased(let subject, let removed): SubjectErased.stored(subject, removed)
        case .mediaKept(_, let media, let since, let until):
            common.adding(["media": .object(media.json), "since": .time(since), "until": .time(until)])
        case .mediaRemoved, .uploadRemoved: common
        case .retentionChosen(let owner, let days, let chosenAt):
            ["ownerId": .uuid(owner), "keepMediaDays": .int(days), "chosenAt": .time(chosenAt)]
        }
    }

    package static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> SessionEvent {
        try reading(
            type, data,
            byName: { (name, data) throws(JSONError) in
                switch name {
                case "SubjectErased": try SubjectErased.stored(data, as: SessionEvent.subjectErased)
                case "PracticeHandoverBegun": try .handoverBegun(Handover.Terms(data))
                case "PracticeHandoverFinished":
                    try .handoverFinished(Handover.Terms(data), Handover.Outcome(data))
                case "RetentionChosen":
                    try .retentionChosen(
                        ownerId: data.uuid("ownerId"), keepMediaDays: data.int("keepMediaDays"),
                        chosenAt: data.timestamp("chosenAt"))
                default: try read(name, of: SessionIdentity(data), data)
                }
            })
    }

    /// An event of a session; nil for an unknown name.
    private static func read(
        _ name: String, of session: SessionIdentity, _ data: JSONObject
    ) throws(JSONError) -> SessionEvent? {
        switch name {
        case "SessionCreated": try .created(session, SessionCreation(data))
        case "SessionAdmitted": .admitted(session)
        case "SessionRefused": try .refused(session, QuotaDenial(data))
        case "ReservationDeclined": .reservationDeclined(session)
        case "UploadStored": try .uploadStored(session, MediaReference(data.object("media")))
        case "UploadFinalized":
            try .uploadFinalized(
                session, MediaReference(data.object("media")),
                maxDurationSeconds: data.optionalInt("maxDurationSeconds"), deadline: data.timestamp("deadline"),
                brief: RecordingBrief(data))
        case "AnalysisStarted": try .analysisStarted(session, attempt: data.int("attempt"))
        case "AnalysisProgressed":
            try .analysisProgressed(
                session, attempt: data.int("attempt"), stage: data.code("stage"),
                progressPercent: data.int("progressPercent"))
        case "SessionCompleted": try .completed(session, reportId: data.optionalUUID("reportId"))
        case "SessionFailed": try .failed(session, data.code("code"), retryable: data.bool("retryable"))
        case "SessionCancelled":
            try .cancelled(
                session, analysisStarted: data.bool("analysisStarted"), replacedBy: data.optionalUUID("replacedBy"))
        case "SessionExpired": .expired(session)
        case "SessionDeleted": try .deleted(session, wasComplete: data.bool("wasComplete"))
        case "SessionLogged": try .logged(session, LoggedPractice(data))
        case "SessionCorrected": try .corrected(session, LoggedPractice(data))
        case "SessionWithdrawn": try .withdrawn(session, PracticeTime(data), data.code("reason"))
        case "SessionErased": .erased(session)
        case "MediaKept":
            try .mediaKept(
                session, MediaReference(data.object("media")), since: data.timestamp("since"),
                until: data.timestamp("until"))
        case "MediaRemoved": .mediaRemoved(session)
        case "UploadRemoved": .uploadRemoved(session)
        default: nil
        }
    }
}
