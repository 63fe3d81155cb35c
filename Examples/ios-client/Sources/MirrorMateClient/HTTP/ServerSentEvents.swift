import Foundation

/// One server-sent event.
struct ServerSentEvent: Equatable, Sendable {
    var id: String?
    var name = "message"
    var data = ""
}

/// Reads the event stream format of the HTML standard, however its bytes are cut.
struct ServerSentEventParser {
    private var line = Data()
    private var event = ServerSentEvent()
    private var hasData = false

    /// The events that some bytes complete.
    mutating func take(_ bytes: Data) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if line.isEmpty {
                if hasData { events.append(event) }
                event = ServerSentEvent(id: event.id)
                hasData = false
            } else {
                field(String(decoding: line, as: UTF8.self))
            }
            line.removeAll(keepingCapacity: true)
        }
        return events
    }

    private mutating func field(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count == 2 ? parts[1] : ""
        if value.first == " " { value.removeFirst() }
        switch parts[0] {
        case "id": event.id = String(value)
        case "event": event.name = String(value)
        case "data":
            event.data += (hasData ? "\n" : "") + value
            hasData = true
        default: break  // A comment that keeps the connection open, or what a later standard adds.
        }
    }
}
