package import EventSourcing
package import EventStore
package import HTTPServer
package import JSON
import Observability
package import Primitives

/// What routes take from a request.
extension Request {
    /// The body as a JSON object, by default of at most 64 KiB and ``JSONLimits/foreign``.
    ///
    /// - Throws: a problem 400, 413 or 415.
    package func jsonObject(
        limitBytes: Int = 65_536, _ limits: JSONLimits = .foreign
    ) async throws -> JSONObject {
        let type = headers["content-type"]?.lowercased() ?? "application/json"
        guard type.hasPrefix("application/json") else { throw Problem(.unsupportedMediaType) }
        let bytes = try await body.collect(limit: limitBytes)
        return try JSONObject.parse(bytes.isEmpty ? Array("{}".utf8) : bytes, limits: limits)
    }

    /// An identifier in the path.
    ///
    /// - Throws: the problem `not-found` when it is none.
    package func id(_ name: String) throws(Problem) -> UUID {
        guard let id = parameters[name].flatMap({ UUID($0) }) else { throw .notFound }
        return id
    }

    /// The origin to record in the events that follow from the request.
    ///
    /// - Parameter actor: who acts, when it is not the owner.
    package func metadata(owner: UUID, actor: String? = nil) -> EventMetadata {
        EventMetadata(
            owner: owner, correlation: .v7(), actor: actor ?? owner.description, traceparent: trace.traceparent)
    }
}

extension CommandHandler {
    /// Puts a command of an owner's request that carries no key of its own: each request is a new one, and the state says what
    /// becomes of a repeat.
    ///
    /// - Parameters:
    ///   - loaded: what is known of the stream, as of ``handle(_:on:from:id:requestHash:metadata:thoughErased:calls:)``.
    ///   - calls: further row writes of the same append.
    /// - Throws: as ``handle(_:on:from:id:requestHash:metadata:thoughErased:calls:)``.
    @discardableResult
    package func put(
        _ command: A.Command, on stream: StreamName, from loaded: Loaded? = nil, by owner: UUID, _ request: Request,
        calls: (A.State, [A.Event]) -> [RowCall] = { _, _ in [] }
    ) async throws -> Outcome {
        try await handle(
            command, on: stream, from: loaded, id: .v7(), requestHash: [], metadata: request.metadata(owner: owner),
            calls: calls)
    }
}

extension JSONObject {
    /// Refuses members that a route does not know, so that nobody thinks to have set what was not.
    ///
    /// - Throws: the problem `member-unknown`, which names the members that the route knows.
    package func allow(_ names: String...) throws(Problem) { try allow(names) }

    /// As ``allow(_:)-(String...)``.
    ///
    /// - Throws: as ``allow(_:)-(String...)``.
    package func allow(_ names: [String]) throws(Problem) {
        for key in keys where !names.contains(key) {
            let known =
                names.isEmpty ? "no member at all" : "only what this route knows: \(names.joined(separator: ", "))"
            throw Problem(.memberUnknown, detail: "Send \(known).")
        }
    }
}

extension Response {
    /// A JSON answer with an entity tag: 304 for clients that have kept the current one themselves.
    package static func tagged(_ tag: String, _ request: Request, _ answer: (Headers) -> Response) -> Response {
        let headers: Headers = ["ETag": tag]
        return request.has(tag) ? Response(status: 304, headers: headers) : answer(headers)
    }
}
