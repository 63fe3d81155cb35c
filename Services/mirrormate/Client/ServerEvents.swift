import HTTPClient
import Runtime

/// One server-sent event.
struct ServerEvent: Equatable, Sendable {
    var id: String?
    var event = "message"
    var data = ""
}

/// The events of an open stream, pulled one by one.
@Loop final class ServerEvents {
    private let stream: HTTPClientStream
    private var parser = ServerEventParser()
    private var ready: [ServerEvent] = []

    init(_ stream: HTTPClientStream) { self.stream = stream }

    /// The next event, or nil when the server has closed the stream.
    func next() async throws -> ServerEvent? {
        while ready.isEmpty {
            guard let bytes = try await stream.next() else { return nil }
            ready = parser.take(bytes)
        }
        return ready.removeFirst()
    }
}

/// Reads the event stream format of the HTML standard, section 9.2.6.
struct ServerEventParser {
    private var line: [UInt8] = []
    private var event = ServerEvent()
    private var hasData = false

    /// The events that some bytes complete.
    mutating func take(_ bytes: [UInt8]) -> [ServerEvent] {
        var events: [ServerEvent] = []
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            let text = String(decoding: line, as: UTF8.self)
            line.removeAll(keepingCapacity: true)
            if !text.isEmpty {
                field(text)
            } else {
                if hasData { events.append(event) }
                event = ServerEvent(id: event.id)
                hasData = false
            }
        }
        return events
    }

    private mutating func field(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count == 2 ? (parts[1].hasPrefix(" ") ? parts[1].dropFirst() : parts[1]) : ""
        switch parts[0] {
        case "id": event.id = String(value)
        case "event": event.event = String(value)
        case "data":
            event.data += (hasData ? "\n" : "") + value
            hasData = true
        default: break
        }
    }
}
