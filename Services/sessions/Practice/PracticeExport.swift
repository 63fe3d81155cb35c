import Contracts
import JSON
import Primitives

/// The form of an export.
enum PracticeExport: String {
    case json, csv

    private static let columns = [
        "id", "kind", "startedAt", "endedAt", "activeSeconds", "timeZone", "utcOffsetSeconds", "localDate",
        "pausedSeconds", "loggedAt", "updatedAt",
    ]

    var contentType: String {
        switch self {
        case .json: "application/json"
        case .csv: "text/csv; charset=utf-8; header=present"
        }
    }

    var beginning: String {
        switch self {
        case .json: "{\"sessions\":["
        // RFC 4180: lines end with CR LF.
        case .csv: Self.columns.joined(separator: ",") + "\r\n"
        }
    }

    var end: String { self == .json ? "]}" : "" }

    /// One session. Nothing in it needs quotes: ids, numbers, times and names of the IANA database.
    func line(_ row: PracticeRow, isFirst: Bool) -> String {
        switch self {
        case .json: return (isFirst ? "" : ",") + row.json.text
        case .csv:
            let time = row.practice.time
            let paused = row.practice.pauses.reduce(Duration.zero) { $0 + ($1.endedAt - $1.startedAt) }
            let cells = [
                row.id.description, row.kind.rawValue, time.startedAt.rfc3339, time.endedAt.rfc3339,
                "\(time.activeSeconds)", time.timeZone, "\(time.utcOffsetSeconds)", time.day.description,
                "\(paused.components.seconds)", row.loggedAt.rfc3339, row.updatedAt.rfc3339,
            ]
            return cells.joined(separator: ",") + "\r\n"
        }
    }
}
