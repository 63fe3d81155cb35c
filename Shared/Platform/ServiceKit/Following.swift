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
    /// What else is told with it; nil if nothing is.
    package let aside: Aside?

    package init(version: Int64, json: JSONValue, isFinal: Bool, aside: Aside? = nil) {
        self.version = version
        self.json = json
        self.isFinal = isFinal
        self.aside = aside
    }

    /// Members that change while the stream does not, such as a place in line.
    package struct Aside: Sendable {
        /// How often they are read again.
        let every: Duration
        /// The members as they are now; cheap, because every follower asks.
        let read: @Loop @Sendable () async throws -> JSONObject

        package init(every: Duration, read: @escaping @Loop @Sendable () async throws -> JSONObject) {
            self.every = every
            self.read = read
        }
    }

    fileprivate func text(_ aside: JSONObject?) -> String {
        guard let aside, let members = json.objectValue else { return json.text }
        return JSONValue.object(members.adding(membersOf: aside)).text
    }
}

extension EventStore {
    /// Server-sent events of one stream: its state after each change, starting after `Last-Event-ID`; closed after the final
    /// one, after an event `gone` when it can no longer be read, after an event `signed-out` when the caller's login session
    /// has ended, and without an event when the caller's access token ends. What stands aside is told at first, and whenever it
    /// has changed, with the id of the last change.
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
                var told: JSONObject?
                var written = monotonicNanoseconds()
                while true {
                    var mark: Int64? = self.head.position
                    let looked = monotonicNanoseconds()
                    let now: Look
                    do {
                        now = try await look()
                    } catch is Problem {
                        return try await writer.event(name: "gone", data: "{}")
                    }
                    // Until the stream may have news, only what stands aside is read again.
                    while let known = mark {
                        let aside = try await now.aside?.read()
                        if ended.refusal(of: caller) != nil {
                            return try await writer.event(name: "signed-out", data: "{}")
                        }
                        // The final one is sent to every client, whatever it has seen.
                        if now.version > sent || sent == last && now.isFinal || aside != told {
                            sent = now.version
                            told = aside
                            try await writer.event(id: "\(sent)", name: name, data: now.text(aside))
                            written = monotonicNanoseconds()
                        }
                        let left = caller.expiresAt - Timestamp.now()
                        if now.isFinal || writer.isDraining || left <= .zero { return }
                        // Ended while the event was sent: nothing would raise the signal again.
                        if ended.refusal(of: caller) != nil { continue }
                        let pause = min(heartbeat, left, now.aside?.every ?? heartbeat)
                        mark = try await self.head.wait(for: stream, since: known, atMost: pause, or: end)
                        let moment = monotonicNanoseconds()
                        if moment - written >= heartbeat.nanosecondsClamped {
                            try await writer.heartbeat()
                            written = moment
                        }
                        if now.aside == nil || moment - looked >= heartbeat.nanosecondsClamped { mark = nil }
                    }
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
