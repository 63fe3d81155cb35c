package import EventSourcing
package import EventStore
package import HTTPServer
package import JSON
import Runtime

/// How something looks to its followers at one moment.
package struct Look: Sendable {
    /// The version of its stream; the event's id.
    package let version: Int64
    package let json: JSONValue
    /// Whether nothing follows any more.
    package let isFinal: Bool

    package init(version: Int64, json: JSONValue, isFinal: Bool) {
        self.version = version
        self.json = json
        self.isFinal = isFinal
    }
}

extension EventStore {
    /// Server-sent events of one stream: how it looks after each change, from the one behind `Last-Event-ID` on; closed
    /// after the final one, and after an event `gone` when it cannot be read any more.
    ///
    /// - Parameters:
    ///   - name: the events' name.
    ///   - heartbeat: after so long without news a comment is sent, so that everybody on the way sees that all is well.
    ///   - look: reads the present state; throws a problem when it is gone.
    /// - Throws: what `look` throws at first. Later a `Problem` ends the stream with `gone`, and any other error breaks
    ///   it off.
    @Loop package func following(
        _ stream: StreamName, of request: Request, name: String, heartbeat: Duration,
        look: @escaping @Loop () async throws -> Look
    ) async throws -> Response {
        // A stranger is told so with a status, not in the stream.
        _ = try await look()
        let last = request.headers["last-event-id"].flatMap { Int64($0) } ?? 0
        return .events { writer in
            var sent = last
            while true {
                let mark = self.head.position
                let now: Look
                do {
                    now = try await look()
                } catch is Problem {
                    return try await writer.event(name: "gone", data: "{}")
                }
                // The final one is told to everybody who asks, whatever they have seen.
                if now.version > sent || sent == last && now.isFinal {
                    sent = now.version
                    try await writer.event(id: "\(sent)", name: name, data: now.json.text)
                }
                if now.isFinal || writer.isDraining { return }
                let before = monotonicNanoseconds()
                try await self.head.wait(for: stream, since: mark, atMost: heartbeat)
                if monotonicNanoseconds() - before >= heartbeat.nanosecondsClamped { try await writer.heartbeat() }
            }
        }
    }

    /// Reads something again after each change of its stream, until it is as wanted or the time is over.
    ///
    /// - Returns: how it was in the end.
    /// - Throws: what `read` throws, or `CancellationError` if the task is cancelled.
    @Loop package func following<Seen>(
        _ stream: StreamName, atMost limit: Duration, until isEnough: (Seen) -> Bool, read: () async throws -> Seen
    ) async throws -> Seen {
        let deadline = monotonicNanoseconds() + limit.nanosecondsClamped
        while true {
            let mark = head.position
            let seen = try await read()
            let left = deadline - monotonicNanoseconds()
            if isEnough(seen) || left <= 0 { return seen }
            try await head.wait(for: stream, since: mark, atMost: .nanoseconds(left))
        }
    }
}
