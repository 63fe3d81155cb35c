package import Contracts
package import EventSourcing
package import JSON
package import Primitives

/// What happened to a report. The names in ``type`` are durable; data carries numbers and references, never its texts.
package enum ReportEvent: PrivateEvent, Equatable {
    case written(ReportIdentity, DocumentReference, ReportSummary)
    case failed(ReportIdentity, FailureCode)
    /// Not wanted any more; `wasWritten` is false when that was known before there was a report.
    case deleted(ReportIdentity, DiscardReason, wasWritten: Bool)
    /// Its owner was erased.
    case erased(ReportIdentity)
    /// Nothing of an erased user is left in this service; the only event of a stream `subject-<user id>`.
    case subjectErased(UUID, SubjectErased.Removed)

    /// The report it is about; nothing for ``subjectErased(_:_:)``.
    package var report: ReportIdentity? {
        switch self {
        case .written(let report, _, _), .failed(let report, _), .deleted(let report, _, _), .erased(let report):
            report
        case .subjectErased: nil
        }
    }

    package var type: EventType {
        switch self {
        case .written: EventType("ReportWritten")
        case .failed: EventType("ReportFailed")
        case .deleted: EventType("ReportDeleted")
        case .erased: EventType("ReportErased")
        case .subjectErased: EventType("SubjectErased")
        }
    }

    package var data: JSONObject {
        var object: JSONObject = [:]
        if let report {
            object["sessionId"] = .uuid(report.sessionId)
            object["ownerId"] = .uuid(report.ownerId)
        }
        switch self {
        case .erased: break
        case .written(_, let document, let summary):
            object["document"] = .object(document.json)
            object["summary"] = .object(summary.json)
        case .failed(_, let code): object["code"] = code.json
        case .deleted(_, let reason, let wasWritten):
            object["reason"] = reason.json
            object["wasWritten"] = .bool(wasWritten)
        case .subjectErased(let subject, let removed):
            object["subjectId"] = .uuid(subject)
            object["removed"] = .object(removed.json)
        }
        return object
    }

    package static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> ReportEvent {
        let event: ReportEvent?
        do throws(JSONError) { event = try read(type, data) } catch { throw .malformed(type, error) }
        guard let event else { throw .unknownType(type) }
        return event
    }

    /// The event, or nothing for an unknown type.
    private static func read(_ type: EventType, _ data: JSONObject) throws(JSONError) -> ReportEvent? {
        guard type.version == 1 else { return nil }
        if type.name == "SubjectErased" {
            return .subjectErased(try data.uuid("subjectId"), try SubjectErased.Removed(data.object("removed")))
        }
        let report = ReportIdentity(sessionId: try data.uuid("sessionId"), ownerId: try data.uuid("ownerId"))
        switch type.name {
        case "ReportWritten":
            return .written(
                report, try DocumentReference(data.object("document")), try ReportSummary(data.object("summary")))
        case "ReportFailed": return .failed(report, try data.code("code"))
        case "ReportDeleted":
            return .deleted(report, try data.code("reason"), wasWritten: try data.bool("wasWritten"))
        case "ReportErased": return .erased(report)
        default: return nil
        }
    }
}
