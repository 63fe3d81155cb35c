import Foundation

extension MirrorMate {
    /// Begins a session.
    ///
    /// - Parameters:
    ///   - replaces: a session of before that gives its unit to this one, as after the problem `session-open`.
    ///   - key: one for each recording, also after a restart: asked for twice with it, it is one session.
    /// - Throws: a ``Problem``; `quota-exceeded` and `session-open` say in `resetsAt` from when another one may begin.
    public func createSession(
        for video: Video, scenario: SessionWish.Scenario = .general, language: String? = nil, replaces: UUID? = nil,
        key: UUID = UUID()
    ) async throws -> Session {
        let wish = SessionWish(
            kind: .mirrormate, contentType: video.type, contentLength: video.bytes,
            timeZone: TimeZone.current.identifier, language: language, scenario: scenario, replaces: replaces)
        var call = try Call.post("/v1/sessions", wish, isRepeatable: true)
        call.headers["Idempotency-Key"] = key.uuidString
        return try await answer(call)
    }

    public func session(_ id: UUID) async throws -> Session {
        try await answer(.get("/v1/sessions/\(id.inPath)"))
    }

    /// Ends a session without a result, which gives its unit back.
    @discardableResult
    public func cancel(_ id: UUID) async throws -> Session {
        try await answer(.act("POST", "/v1/sessions/\(id.inPath)/cancel"))
    }

    /// The session once quota has decided.
    func admitted(_ session: Session) async throws -> Session {
        guard session.status == .queued else { return session }
        for try await now in updates(of: session.id) where now.status != .queued { return now }
        throw CancellationError()
    }
}
