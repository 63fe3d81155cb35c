import JSON
import Primitives

/// One line of a log, of whatever part of a stack wrote it.
struct LogLine: Equatable {
    /// The part's name, such as `quota` or `sessions-2`.
    let part: String
    /// When it was written; nil where the line does not say, as the second line of a stack trace.
    let at: Timestamp?
    /// `debug`, `info`, `notice`, `warning` or `error`; what says no level is `info`.
    let level: String
    /// The line as it stands in the file.
    let raw: String
    /// What it says, without time, level and service.
    let words: String

    /// The levels, the least first.
    static let levels = ["debug", "info", "notice", "warning", "error"]

    init(part: String, raw: String) {
        self.part = part
        self.raw = raw
        guard raw.hasPrefix("{"), let json = try? JSONObject.parse(raw.utf8) else {
            // PostgreSQL's and Kafka's begin with their time, in UTC.
            let start = raw.drop { $0 == "[" }.prefix(23)
            let moment = start.replacing(" ", with: "T", maxReplacements: 1).replacing(",", with: ".") + "Z"
            at = Timestamp(rfc3339: String(moment))
            level =
                ["ERROR:", "FATAL:", "PANIC:", "] ERROR "].contains { raw.contains($0) }
                ? "error" : raw.contains("WARN") ? "warning" : "info"
            words = at == nil ? raw : String(raw.dropFirst(23 + (raw.hasPrefix("[") ? 1 : 0)))
            return
        }
        at = (json["ts"] ?? json["time"])?.stringValue.flatMap { Timestamp(rfc3339: $0) }
        level = json["level"]?.stringValue ?? Self.level(ofStatus: json["status"]?.intValue)
        let leading = ["component", "message", "method", "path", "route"].compactMap { json[$0]?.stringValue }
        let known = ["ts", "time", "level", "service", "component", "message", "method", "path", "route"]
        let others = json.members.filter { !known.contains($0.key) }.map { "\($0.key)=\(Format.value($0.value))" }
        words = (leading + others).joined(separator: " ")
    }

    /// A request that the gateway answered: what is the server's fault is an error.
    private static func level(ofStatus status: Int64?) -> String { (status ?? 200) >= 500 ? "error" : "info" }

    /// Whether it is of this level or a worse one.
    func isAtLeast(_ wanted: String) -> Bool {
        (Self.levels.firstIndex(of: level) ?? 1) >= (Self.levels.firstIndex(of: wanted) ?? 0)
    }

    /// For people: time, part and level in columns.
    func text(_ style: Style, partWidth: Int) -> String {
        let clock = at.map(Format.clock) ?? String(repeating: " ", count: 12)
        let name = part + String(repeating: " ", count: max(0, partWidth - part.count))
        let padded = level + String(repeating: " ", count: max(0, 7 - level.count))
        let coloured =
            switch level {
            case "error": style.red(padded)
            case "warning": style.yellow(padded)
            case "notice": style.bold(padded)
            default: style.dim(padded)
            }
        return "\(style.dim(clock)) \(style.cyan(name)) \(coloured) \(words)"
    }

    /// For programs: whose line it is, when and how bad, and the line itself, as an object where it is one.
    var document: JSONValue {
        let line = raw.hasPrefix("{") ? (try? JSONObject.parse(raw.utf8)).map(JSONValue.object) : nil
        return [
            "part": .string(part), "at": at.map(JSONValue.time) ?? .null, "level": .string(level),
            "line": line ?? .string(raw),
        ]
    }

    /// Lines of several parts in the order in which they were written; one without a time stays behind its part's line
    /// before it.
    static func merged(_ parts: [[LogLine]]) -> [LogLine] {
        var all: [(at: Timestamp, order: Int, line: LogLine)] = []
        for lines in parts {
            var last = Timestamp.epoch
            for line in lines {
                last = max(last, line.at ?? last)
                all.append((last, all.count, line))
            }
        }
        return all.sorted { ($0.at, $0.order) < ($1.at, $1.order) }.map(\.line)
    }
}
