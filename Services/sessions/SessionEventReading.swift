import Contracts
import JSON

extension SessionEvent {
    /// Reads an event of a session from its data, version 1; nothing for an unknown name.
    static func read(
        _ name: String, of session: SessionIdentity, _ data: JSONObject
    ) throws(JSONError) -> SessionEvent? {
        switch name {
        case "SessionCreated": .created(session, try SessionCreation(data))
        case "SessionAdmitted": .admitted(session)
        case "SessionRefused": .refused(session, try QuotaDenial(data))
        case "ReservationDeclined": .reservationDeclined(session)
        case "UploadStored": .uploadStored(session, try MediaReference(data.object("media")))
        case "UploadFinalized":
            .uploadFinalized(
                session, try MediaReference(data.object("media")),
                maxDurationSeconds: try data.optionalInt("maxDurationSeconds"),
                deadline: try data.timestamp("deadline"))
        case "AnalysisStarted": .analysisStarted(session, attempt: try data.int("attempt"))
        case "AnalysisProgressed":
            .analysisProgressed(
                session, attempt: try data.int("attempt"), stage: try data.code("stage"),
                progressPercent: try data.int("progressPercent"))
        case "SessionCompleted": .completed(session, reportId: try data.optionalUUID("reportId"))
        case "SessionFailed": .failed(session, try data.code("code"), retryable: try data.bool("retryable"))
        case "SessionCancelled":
            .cancelled(
                session, analysisStarted: try data.bool("analysisStarted"),
                replacedBy: try data.optionalUUID("replacedBy"))
        case "SessionExpired": .expired(session)
        case "SessionDeleted": .deleted(session, wasComplete: try data.bool("wasComplete"))
        case "SessionErased": .erased(session)
        default: nil
        }
    }
}
