package import Contracts
package import EventSourcing
package import JSON
import Primitives

/// One case as a file of lines: first a description, then each of its events with its service, in causal order.
///
/// Events contain no personal content, so neither does a capture, unless ``content`` was added; ids and times are those of
/// the case.
package struct Capture: Sendable {
    /// The format version in the first line, raised when lines change their meaning.
    private static let version: Int64 = 1

    /// One event with its service.
    package struct Entry: Sendable {
        package let service: ServiceName
        package let event: RecordedEvent
        /// The event that caused it.
        package let cause: EventPlace?
        /// The state of its stream after it, as folded by the capturing build.
        package var state: JSONValue?
    }

    /// A row of a read model after all events, as folded by the capturing build.
    package struct Row: Sendable, Equatable {
        package let service: ServiceName
        package let model: String
        package let key: String
        /// Its columns; nil if it was removed.
        package let columns: JSONObject?
    }

    /// The id by which the case was captured.
    package let subject: String
    package let entries: [Entry]
    package let rows: [Row]
    /// Personal content of the case, which replays do not need: for people who must see what the user saw.
    package var content: [Content] = []

    /// A row of a table with personal content.
    package struct Content: Sendable, Equatable {
        package let service: ServiceName
        package let table: String
        package let columns: JSONObject

        package init(service: ServiceName, table: String, columns: JSONObject) {
            self.service = service
            self.table = table
            self.columns = columns
        }
    }

    package init(subject: String, entries: [Entry], rows: [Row] = [], content: [Content] = []) {
        self.subject = subject
        self.entries = entries
        self.rows = rows
        self.content = content
    }

    /// The lines of the file.
    package var text: String {
        var head: JSONObject = ["mirrormateCapture": .int(Self.version), "subject": .string(subject)]
        if !content.isEmpty { head["personalContent"] = true }
        let lines = entries.map { entry -> String in
            let event = entry.event
            var object: JSONObject = [
                "service": .string(entry.service.rawValue), "position": .int(event.position),
                "stream": .string(event.stream.description), "version": .int(event.version), "id": .uuid(event.id),
                "type": .string(event.type.name), "schemaVersion": .int(Int64(event.type.version)),
                "recordedAt": .time(event.recordedAt), "metadata": .object(event.metadata.json),
            ]
            if let cause = entry.cause { object["answers"] = .string(cause.description) }
            object["data"] = (try? JSONValue.parse(event.data)) ?? .null
            if let state = entry.state { object["state"] = state }
            return JSONValue.object(object).text
        }
        let rows = rows.map { row in
            JSONValue.object([
                "service": .string(row.service.rawValue), "readModel": .string(row.model), "key": .string(row.key),
                "row": row.columns.map(JSONValue.object) ?? .null,
            ]).text
        }
        let content = content.map { row in
            JSONValue.object([
                "service": .string(row.service.rawValue), "table": .string(row.table), "content": .object(row.columns),
            ]).text
        }
        return ([JSONValue.object(head).text] + lines + rows + content).joined(separator: "\n") + "\n"
    }

    /// Reads a file.
    ///
    /// - Throws: ``CaptureError`` with the line that is wrong.
    package init(text: String) throws(CaptureError) {
        var subject = ""
        var entries: [Entry] = []
        var rows: [Row] = []
        var content: [Content] = []
        for (index, line) in text.split(separator: "\n").enumerated() {
            do throws(JSONError) {
                let object = try JSONObject.parse(Array(line.utf8))
                if index == 0 {
                    guard try object.int("mirrormateCapture") == Self.version else {
                        throw JSONError(.type, at: "mirrormateCapture", "is another version than \(Self.version)")
                    }
                    subject = try object.string("subject")
                } else if let model = try object.optionalString("readModel") {
                    rows.append(
                        Row(
                            service: try Self.service(object), model: model, key: try object.string("key"),
                            columns: try object.optionalObject("row")))
                } else if let columns = try object.optionalObject("content") {
                    content.append(
                        Content(
                            service: try Self.service(object), table: try object.string("table"), columns: columns))
                } else {
                    entries.append(try Self.entry(object))
                }
            } catch {
                throw CaptureError(line: index + 1, reason: error)
            }
        }
        self.init(subject: subject, entries: entries, rows: rows, content: content)
    }

    private static func service(_ object: JSONObject) throws(JSONError) -> ServiceName {
        guard let service = ServiceName(rawValue: try object.string("service")) else {
            throw JSONError(.type, at: "service", "is no service")
        }
        return service
    }

    private static func entry(_ object: JSONObject) throws(JSONError) -> Entry {
        let event = RecordedEvent(
            position: try object.int("position"), stream: StreamName(rawValue: try object.string("stream")),
            version: try object.int("version"), id: try object.uuid("id"),
            type: EventType(try object.string("type"), Int(try object.int("schemaVersion"))),
            data: try object.required("data").bytes, metadata: try EventMetadata(object.object("metadata")),
            recordedAt: try object.timestamp("recordedAt"))
        let cause = try object.optionalString("answers").flatMap { text -> EventPlace? in
            let parts = text.split(separator: "/")
            guard parts.count == 2, let service = ServiceName(rawValue: String(parts[0])), let at = Int64(parts[1])
            else { return nil }
            return EventPlace(service, at)
        }
        return Entry(service: try service(object), event: event, cause: cause, state: object["state"])
    }
}

/// A line of a capture cannot be read.
package struct CaptureError: Error, Sendable, CustomStringConvertible {
    package let line: Int
    package let reason: JSONError

    package var description: String { "Line \(line) cannot be read: \(reason)." }
}
