package import Contracts
package import EventSourcing
package import JSON
package import Primitives

/// What happened to a report. The names in ``type`` are durable; data carries numbers and references, never its texts.
package enum ReportEvent: PrivateEvent, Equatable {
    /// With how it is worded; nil for a report that came ready and does not say.
    case written(ReportIdentity, DocumentReference, ReportSummary, ReportWording?)
    case failed(ReportIdentity, FailureCode)
    /// Not wanted any more; `wasWritten` is false when that was known before there was a report.
    case deleted(ReportIdentity, DiscardReason, wasWritten: Bool)
    /// Its owner was erased.
    case erased(ReportIdentity)
    /// Nothing of an erased user is left in this service; the only event of a stream `subject-<user id>`.
    case subjectErased(UUID, SubjectErased.Removed)

    /// The report of the event; nil for ``subjectErased(_:_:)``.
    package var report: ReportIdentity? {
        switch self {
        case .written(let report, _, _, _), .failed(let report, _), .deleted(let report, _, _), .erased(let report):
            report
        case .subjectErased: nil
        }
    }

    package var type: EventType {
        switch self {
        case .written: EventType("ReportWritten", 2)
        case .failed: EventType("ReportFailed")
        case .deleted: EventType("ReportDeleted")
        case .erased: EventType("ReportErased")
        case .subjectErased: EventType("SubjectErased")
        }
    }

    package var data: JSONObject {
        let common = report?.reference.json ?? [:]
        return switch self {
        case .erased: common
        case .written(_, let document, let summary, let wording):
            common.adding([
                "document": .object(document.json), "summary": .object(summary.json),
                "wording": wording.map { .object($0.json) },
            ])
        case .failed(_, let code): common.adding(["code": code.json])
        case .deleted(_, let reason, let wasWritten):
            common.adding(["reason": reason.json, "wasWritten": .bool(wasWritten)])
        case .subjectErased(let subject, let removed): SubjectErased.stored(subject, removed)
        }
    }

    package static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> ReportEvent {
        try reading(
            type, data, upcasting: upcasters,
            byName: { (name, data) throws(JSONError) in
                name == "SubjectErased"
                    ? try SubjectErased.stored(data, as: ReportEvent.subjectErased)
                    : try read(name, of: ReportIdentity(SessionReference(data)), data)
            })
    }

    private static let upcasters = Upcasters([
        // It did not say how the report was worded.
        EventType("ReportWritten", 1): { (data) throws(JSONError) in data }
    ])

    /// An event of a report; nil for an unknown name.
    private static func read(
        _ name: String, of report: ReportIdentity, _ data: JSONObject
    ) throws(JSONError) -> ReportEvent? {
        switch name {
        case "ReportWritten":
            try .written(
                report, DocumentReference(data.object("document")), ReportSummary(data.object("summary")),
                data.optionalObject("wording").map(ReportWording.init))
        case "ReportFailed": try .failed(report, data.code("code"))
        case "ReportDeleted": try .deleted(report, data.code("reason"), wasWritten: data.bool("wasWritten"))
        case "ReportErased": .erased(report)
        default: nil
        }
    }
}
