package import EventSourcing
package import EventStore
package import HTTPServer
package import JSON
import Primitives
import Runtime

/// What followers of a stream see at one moment.
package struct Look: Sendable {
    /// The version of its stream; the event's id.
    package let version: Int64
    package let json: JSONValue
    /// Whether it will not change any more.
    package let isFinal: Bool

    package init(version: Int64, json: JSONValue, isFinal: Bool) {
        self.version = version
        self.json = json
        self.isFinal = isFinal
    }
}

extension EventStore {
    /// Server-sent events of one stream: its state after each change, starting after `Last-Event-ID`; closed after the final
    /// one, after an event `gone` when it can no longer be read, after an event `signed-out` when the caller's login session
    /// has ended, and without an event when the caller's access token ends.
    ///
    /// - Parameters:
    ///   - caller: who follows.
    ///   - ended: tells of the end of the caller's login session.
    ///   - streams: counts the streams that are open.
    ///   - name: the events' name.
    ///   - heartbeat: how long without a change until a comment is sent, which keeps proxies from closing the connection.
    ///   - look: reads the current state; throws a problem when it no longer exists.
    /// - Throws: a problem 429 or 503 when there are too many streams; what `look` throws at first. Later a `Problem` ends the
    ///   stream with `gone`, and any other error breaks it off.
    @Loop package func following(
        _ stream: StreamName, of request: Request, by caller: Caller, _ ended: EndedLogins,
        among streams: ServerSentEventStreams, name: String, heartbeat: Duration,
        look: @escaping @Loop () async throws -> Look
    ) async throws -> Response {
        let place = try streams.place(of: caller.user, in: request.clientNetworks)
        // A caller without access gets an HTTP status, not a stream.
        _ = try await look()
        let last = request.headers["last-event-id"].flatMap { Int64($0) } ?? 0
        return .events { writer in
            defer { withExtendedLifetime(place) {} }
            try await ended.watching(caller) { end in
                var sent = last
                while true {
                    let mark = self.head.position
                    let now: Look
                    do {
                        now = try await look()
                    } catch is Problem {
                        return try await writer.event(name: "gone", data: "{}")
                    }
                    if ended.refusal(of: caller) != nil {
                        return try await writer.event(name: "signed-out", data: "{}")
                    }
                    // The final one is sent to every client, whatever it has seen.
                    if now.version > sent || sent == last && now.isFinal {
                        sent = now.version
                        try await writer.event(id: "\(sent)", name: name, data: now.json.text)
                    }
                    let left = caller.expiresAt - Timestamp.now()
                    if now.isFinal || writer.isDraining || left <= .zero { return }
                    // Ended while the event was sent: nothing would raise the signal again.
                    if ended.refusal(of: caller) != nil { continue }
                    let before = monotonicNanoseconds()
                    try await self.head.wait(for: stream, since: mark, atMost: min(heartbeat, left), or: end)
                    if monotonicNanoseconds() - before >= heartbeat.nanosecondsClamped { try await writer.heartbeat() }
                }
            }
        }
    }

    /// Reads something again after each change of its stream, until it is as wanted or the time is up.
    ///
    /// - Returns: what was read last.
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
