import Contracts
package import EventSourcing
package import JSON

extension SessionEvent {
    package var data: JSONObject {
        let common = session?.json ?? [:]
        return switch self {
        case .admitted, .reservationDeclined, .expired, .erased: common
        case .created(_, let creation): common.adding(membersOf: creation.json)
        case .refused(_, let denial): common.adding(membersOf: denial.json)
        case .uploadStored(_, let media): common.adding(["media": .object(media.json)])
        case .uploadFinalized(_, let media, let maxDurationSeconds, let deadline):
            common.adding([
                "media": .object(media.json), "maxDurationSeconds": maxDurationSeconds.map(JSONValue.int),
                "deadline": .time(deadline),
            ])
        case .analysisStarted(_, let attempt): common.adding(["attempt": .int(attempt)])
        case .analysisProgressed(_, let attempt, let stage, let percent):
            common.adding(["attempt": .int(attempt), "stage": stage.json, "progressPercent": .int(percent)])
        case .completed(_, let reportId): common.adding(["reportId": reportId.map(JSONValue.uuid)])
        case .failed(_, let code, let retryable): common.adding(["code": code.json, "retryable": .bool(retryable)])
        case .cancelled(_, let analysisStarted, let replacedBy):
            common.adding(["analysisStarted": .bool(analysisStarted), "replacedBy": replacedBy.map(JSONValue.uuid)])
        case .deleted(_, let wasComplete): common.adding(["wasComplete": .bool(wasComplete)])
        case .subjectErased(let subject, let removed): ["subjectId": .uuid(subject), "removed": .object(removed.json)]
        }
    }

    package static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> SessionEvent {
        try reading(
            type,
            byName: { (name) throws(JSONError) in
                name == "SubjectErased"
                    ? try .subjectErased(data.uuid("subjectId"), SubjectErased.Removed(data.object("removed")))
                    : try read(name, of: SessionIdentity(data), data)
            })
    }

    /// An event of a session; nothing for an unknown name.
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
                maxDurationSeconds: data.optionalInt("maxDurationSeconds"), deadline: data.timestamp("deadline"))
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
        case "SessionErased": .erased(session)
        default: nil
        }
    }
}
