import Contracts
import EventStore
import HTTPServer
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import Uploads

/// What clients do with sessions.
@Loop struct SessionRoutes {
    let context: ServiceContext
    let settings: SessionsSettings
    let uploads: UploadStore

    var commands: CommandHandler<Session> { CommandHandler(context.store) }
    var links: SignedLinks { SignedLinks(key: settings.uploads.key, publicURL: context.settings.publicURL) }

    func add(to router: Router) {
        let callers = CallerRoutes(router, context.tokens)
        callers.on("POST", "/v1/sessions", create)
        callers.on("GET", "/v1/sessions", list)
        callers.on("GET", "/v1/sessions/{id}", read)
        callers.on("GET", "/v1/sessions/{id}/events", follow)
        // Whoever has the address may: it is signed.
        router.on("PUT", "/v1/uploads/{id}", upload)
        callers.on("POST", "/v1/sessions/{id}/finalize", finalize)
        callers.on("POST", "/v1/sessions/{id}/cancel", cancel)
        callers.on("DELETE", "/v1/sessions/{id}", delete)
    }

    // MARK: Creating

    private func create(_ request: Request, _ caller: Caller) async throws -> Response {
        guard RequestHashes.idempotencyKey(request) != nil else { throw Problem(.idempotencyKeyMissing) }
        let body = try await request.jsonObject()
        let kind: SessionKind = try body.code("kind")
        let zone = try body.optionalString("timeZone")
        let creation = try SessionCreation(
            request: body, of: kind, timeZone: zone ?? caller.timeZone ?? "UTC", at: .now(), settings)
        if let zone { try await context.zones.check(zone) }
        let command = context.hashes.commandID(request, owner: caller.user)
        // The session's id follows from the key, so that a repeat finds the same session whatever happened in between.
        let session = SessionIdentity(
            sessionId: UUID.v5(namespace: command, name: "session"), ownerId: caller.user, kind: kind)
        let hash = context.hashes.hash(body)
        do {
            try await context.store.append {
                let (writes, calls) = try await beginning(session, creation)
                return Append(
                    id: command, requestHash: hash, metadata: request.metadata(owner: caller.user), writes: writes,
                    calls: calls)
            }
        } catch let refusal as SessionRefusal {
            // What was accepted once is answered as accepted, whatever a repeat of it would be told now.
            guard try await context.store.receipt(id: command, requestHash: hash) != nil else { throw refusal }
        }
        return try await answer(session.sessionId, caller)
    }

    /// The first event of a session, behind the ending of the one that it replaces, if that has not ended: so quota sees
    /// the unit come back before it is asked for it again.
    private func beginning(
        _ session: SessionIdentity, _ creation: SessionCreation
    ) async throws -> ([StreamWrite], [RowCall]) {
        var writes: [StreamWrite] = []
        var calls: [RowCall] = []
        if let replaced = creation.replaces {
            let old = try await commands.load(Session.stream(replaced))
            let ending = try Session.decide(.giveWay(by: session.ownerId, to: session.sessionId), old.state)
            writes.append(StreamWrite(Session.stream(replaced), after: old.version, ending))
            calls = SessionsService.rows(ending)
        }
        let known = try await commands.load(Session.stream(session.sessionId))
        let beginning = try Session.decide(.create(session, creation), known.state)
        writes.append(StreamWrite(Session.stream(session.sessionId), after: known.version, beginning))
        return (writes, calls)
    }

    /// Waits a bounded time for quota's decision.
    private func answer(_ id: UUID, _ caller: Caller) async throws -> Response {
        let view = try await context.store.following(
            Session.stream(id), atMost: settings.quotaWait, until: { $0.row.status != .queued },
            read: { try await SessionView.read(context.store, id, of: caller.user) })
        if let refusal = view.row.refusal { throw refusal.problem }
        return .json(
            json(view), status: view.row.status == .queued ? 202 : 201, headers: ["Location": "/v1/sessions/\(id)"])
    }

    // MARK: Reading

    private func read(_ request: Request, _ caller: Caller) async throws -> Response {
        let view = try await view(request, caller)
        let json = json(view)
        // The upload's address is another one each time, so only what has none stays as it was.
        let tag = "\"\(view.version)\(json["upload"]?["expiresAt"]?.stringValue.map { "-\($0)" } ?? "")\""
        return .tagged(tag, request) { .json(json, headers: $0) }
    }

    private func list(_ request: Request, _ caller: Caller) async throws -> Response {
        try await Page(request).answer(
            of: caller.user, context.owners,
            """
            select row_to_json(s), s.created_at, s.key::uuid from session_list s
            where owner_id = $1 and ($2::timestamptz is null or (created_at, key) < ($2, $3::uuid::text))
            order by created_at desc, key desc limit $4
            """, place: (1, 2)
        ) { row in .object(SessionView.json(try SessionRow(JSONObject.parse(row.bytes(0))))) }
    }

    /// Server-sent events: the session after each change, closed after its ending. The id is the stream's version.
    private func follow(_ request: Request, _ caller: Caller) async throws -> Response {
        let id = try request.id("id")
        return try await context.store.following(
            Session.stream(id), of: request, name: "session", heartbeat: settings.heartbeat
        ) { [self] in
            let view = try await SessionView.read(context.store, id, of: caller.user)
            return Look(version: view.version, json: json(view), isFinal: view.row.status.isFinal)
        }
    }

    // MARK: Common

    /// The session of a request's path, when it is the caller's.
    func view(_ request: Request, _ caller: Caller) async throws -> SessionView {
        try await SessionView.read(context.store, try request.id("id"), of: caller.user)
    }

    func json(_ view: SessionView) -> JSONValue { view.json(links, lifetime: settings.uploads.addressLifetime) }
}
