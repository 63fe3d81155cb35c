import EventStore
import JSON
import Primitives

/// The rows of `reports`: the reports' texts, which no event carries.
enum ReportRows {
    /// Members that are this service's own; it adds them when the report is read.
    static let ownMembers = ["sessionId", "reportId", "createdAt"]

    /// The row write that goes with a written report.
    static func writing(_ event: ReportEvent, _ content: JSONObject) -> RowCall? {
        guard case .written(let report, _, _) = event else { return nil }
        var content = content
        for member in ownMembers { content[member] = nil }
        return RowCall(
            "write_report",
            [
                "sessionId": .uuid(report.sessionId), "ownerId": .uuid(report.ownerId),
                "reportId": .uuid(report.reportId), "content": .object(content),
            ])
    }

    /// The row write that goes with the end of a written report.
    static func removal(_ event: ReportEvent) -> RowCall? {
        switch event {
        case .deleted(let report, _, wasWritten: true), .erased(let report):
            RowCall("delete_report", ["sessionId": .uuid(report.sessionId)])
        default: nil
        }
    }

    /// A stored report with this service's own members in front.
    ///
    /// - Parameter content: a JSON object with at least one member, as ``writing(_:_:)`` stored it; it is not parsed
    ///   again.
    static func whole(_ content: [UInt8], sessionId: UUID, reportId: UUID, createdAt: Timestamp) -> [UInt8] {
        let own: JSONObject = [
            "sessionId": .uuid(sessionId), "reportId": .uuid(reportId), "createdAt": .time(createdAt),
        ]
        return JSONValue.object(own).bytes.dropLast() + [UInt8(ascii: ",")] + content.dropFirst()
    }
}
